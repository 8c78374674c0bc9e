import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../platform/db/testing/test-database.ts'
import type { TestDatabase } from '../../platform/db/testing/test-database.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { typeCommand } from './testing/type-command.ts'

const adminFile = fileURLToPath(new URL('../../admin.ts', import.meta.url))

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-admin-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const stack = /^ +at /m

test('a mistyped DATA_DIR is an error that names the folder, and no database is made there', async () => {
  const typo = join(folder, 'typo')
  const { status, stdout, stderr } = await typeCommand({ DATA_DIR: typo }, 'audit')
  expect(status).toBe(1)
  expect(stderr).toContain(`There is no database in ${typo}.`)
  expect(stdout + stderr).not.toMatch(/sound/)
  expect(stderr).not.toMatch(stack)
  expect(existsSync(typo)).toBe(false)
})

test('a DATA_DIR that is a file is reported in a sentence', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const { status, stderr } = await typeCommand({ DATA_DIR: file }, 'audit')
  expect(status).toBe(1)
  expect(stderr).toMatch(/is a file\. Set DATA_DIR to a folder\.$/m)
  expect(stderr).not.toMatch(stack)
})

test('an empty database at DATABASE_URL is refused and left empty', async () => {
  const url = new URL(database.url)
  url.pathname = '/postgres'
  for (const attempt of ['first', 'second']) {
    const { status, stderr } = await typeCommand(
      { DATABASE_URL: url.href, DATA_DIR: folder },
      'audit',
    )
    expect(status).toBe(1)
    expect(stderr, attempt).toMatch(/holds no Starside/)
    expect(stderr).not.toMatch(stack)
  }
})

test('an unreachable database is reported in a sentence that holds no password', async () => {
  // Port 9 (discard) is nobody's.
  const url = 'postgres://me:hunter2hunter2@127.0.0.1:9/starside'
  const { status, stderr } = await typeCommand({ DATABASE_URL: url, DATA_DIR: folder }, 'audit')
  expect(status).toBe(1)
  expect(stderr).toMatch(/The database starside at 127\.0\.0\.1:\d+ can't be used: nothing listens/)
  expect(stderr).not.toContain('hunter2')
  expect(stderr).not.toMatch(stack)
})

test('a DATABASE_URL that is no address is reported in a sentence', async () => {
  const { status, stderr } = await typeCommand(
    { DATABASE_URL: 'localhost', DATA_DIR: folder },
    'audit',
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(/^DATABASE_URL must be an address such as postgres:/)
  expect(stderr).not.toMatch(stack)
})

test.for([
  ['audit', '--x'],
  ['audit', 'now'],
  ['audit', '--days', 'many'],
  ['user grant'],
  ['no-such-command'],
] as const)('wrong words (%s) answer 2 with what is right, without a stack', async (words) => {
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder }
  const { status, stdout, stderr } = await typeCommand(
    settings,
    ...words.flatMap((word) => word.split(' ')),
  )
  expect(status).toBe(2)
  expect(stdout).toContain('Usage: npm run admin -- ')
  expect(stderr).toBe('')
})

test('a command’s own help needs no database', async () => {
  const { status, stdout } = await typeCommand(
    { DATA_DIR: join(folder, 'none') },
    'audit',
    '--help',
  )
  expect(status).toBe(0)
  expect(stdout).toMatch(/^Usage: npm run admin -- audit \[--provider\]/)
})

test('the help says of every command what it does', async () => {
  const { stdout } = await typeCommand({ DATA_DIR: join(folder, 'none') }, 'help')
  const lines = stdout.trimEnd().split('\n').slice(2)
  const unsaid = lines.filter(
    (_, index) => index % 2 === 0 && !/^ {6}\S/u.test(lines[index + 1] ?? ''),
  )
  expect(lines.length / 2).toBeGreaterThan(20)
  expect(unsaid).toEqual([])
})

test('a reader that leaves before the end, such as head, causes no error', async () => {
  const child = spawn(process.execPath, [adminFile], {
    env: { ...childEnvironment, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  expect(stderr).toBe('')
})
