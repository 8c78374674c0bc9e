import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../server/src/testing/open-test-database.ts'
import { runProgram } from '../server/src/testing/run-program.ts'
import type { RunningProgram } from '../server/src/testing/run-program.ts'
import { projectFolder } from './project-folder.js'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
let program: RunningProgram
beforeAll(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'starside-seed-'))
  program = await runProgram({ DATABASE_URL: database.url, DATA_DIR: folder })
})
afterAll(async () => {
  await program.stop()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const seed = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(projectFolder, 'scripts/seed.ts'), ...args])

test('the seed makes people with real pictures, a purchase, a public link and a report', async () => {
  const { stdout } = await seed('--url', program.url, '--people', '3')
  expect(stdout).toContain('person-3@seed.example: 3 selfies, one purchase')
  const { rows } = await database.pool.query<Record<string, number>>(`
    select (select count(*) from users)::int as people,
           (select count(*) from generations where state = 'done')::int as selfies,
           (select count(*) from orders)::int as orders,
           (select count(*) from reports)::int as reports`)
  expect(rows[0]).toEqual({ people: 3, selfies: 5, orders: 1, reports: 1 })
})

test('an address where nothing answers is reported with what to do', async () => {
  await expect(seed('--url', 'http://127.0.0.1:1')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^Nothing answers at [^]*npm run dev/),
  })
})
