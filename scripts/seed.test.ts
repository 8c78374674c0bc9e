import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../server/src/testing/open-test-database.ts'
import { shippedPresets } from '../server/src/stars/presets.ts'
import { runProgram } from '../server/src/testing/run-program.ts'
import type { RunningProgram } from '../server/src/testing/run-program.ts'
import { projectFolder } from './project-folder.js'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
let program: RunningProgram
beforeAll(async () => {
  database = await openTestDatabase()
  // Fewer stars than selfies, so that some are chosen again.
  await database.pool.query(
    `insert into star_places select id, 0, true from unnest($1::text[]) as id`,
    [shippedPresets.slice(4)],
  )
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

test('the seed makes people with real pictures of a few stars, a purchase, a public link and a report', async () => {
  const { stdout } = await seed('--url', program.url, '--people', '3')
  expect(stdout).toContain('person-3@seed.example: 3 selfies, one purchase')
  const { rows } = await database.pool.query<Record<string, number>>(`
    select (select count(*) from users)::int as people,
           (select count(*) from generations where state = 'done')::int as selfies,
           (select count(*) from orders)::int as orders,
           (select count(*) from reports)::int as reports`)
  expect(rows[0]).toEqual({ people: 3, selfies: 5, orders: 1, reports: 1 })
  const { rows: invited } = await database.pool.query<object>(`
    select username from users join referrals on users.id = referrer_user_id`)
  expect(invited, 'the first one invites all others').toEqual(
    [2, 3].map(() => ({ username: 'Person 1' })),
  )
})

test.each(['0', '26', '1.5', 'many'])('%s people are none that the seed makes', async (people) => {
  await expect(seed('--url', program.url, '--people', people)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--people takes a number from 1 to 25'),
  })
})

test('nothing is filled in where real money is taken', async () => {
  const settings = (await (await fetch(`${program.url}/api/config`)).json()) as object
  const asked: (string | undefined)[] = []
  const shop = createServer((request, response) => {
    asked.push(request.url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...settings, testMoney: false }))
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  try {
    await expect(seed('--url', `${url}//`)).rejects.toMatchObject({
      code: 1,
      stderr: `${url} takes real money, so nothing was filled in.\n`,
    })
    expect(asked).toEqual(['/api/config'])
  } finally {
    shop.closeAllConnections()
    shop.close()
  }
})

test('an address where nothing answers is reported with what to do', async () => {
  await expect(seed('--url', 'http://127.0.0.1:1')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing answers at [^]*npm run dev/),
  })
})
