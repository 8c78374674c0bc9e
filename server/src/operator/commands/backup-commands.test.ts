import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childEnvironment } from '../../testing/child-environment.ts'
import { newPerson } from '../../testing/open-test-app.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { runProgram } from '../../testing/run-program.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import { typeCommand } from './testing/type-command.ts'

const adminFile = fileURLToPath(new URL('../../admin.ts', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-backup-command-'))
  // PostgreSQL doesn't run as root and must be able to get into its folder.
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function admin(dataFolder: string, ...words: string[]) {
  const env = { ...childEnvironment, NODE_ENV: 'test', DATA_DIR: dataFolder }
  return promisify(execFile)(process.execPath, [adminFile, ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

async function signIn(url: string, person: object, action: 'register' | 'login'): Promise<string> {
  const response = await fetch(`${url}/api/auth?action=${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  return ((await response.json()) as { token: string }).token
}

/** The newest picture of somebody's gallery. */
async function readNewestPicture(url: string, token: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` }
  const listed = await fetch(`${url}/api/generations`, { headers })
  const { items } = (await listed.json()) as { items: { imageUrl: string }[] }
  const picture = await fetch(new URL(items[0]?.imageUrl ?? '', url))
  expect(picture.status).toBe(200)
  return Buffer.from(await picture.arrayBuffer())
}

test('a running installation is backed up and goes on elsewhere with its people and pictures', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const file = join(folder, 'starside.tar')
  const person = newPerson()
  const program = await runProgram({ DATA_DIR: first })
  let picture: Buffer
  try {
    const token = await signIn(program.url, person, 'register')
    const made = await fetch(`${program.url}/api/ai?action=generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: await generateForm({ userPhoto: await readPersonPhoto() }),
    })
    expect(made.status).toBe(200)
    picture = await readNewestPicture(program.url, token)
    const { code, stdout, stderr } = await admin(first, 'backup', file)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/is complete: \d+ pictures written/)
    expect(code).toBe(0)
    const running = await admin(first, 'restore', file, '--replace')
    expect(running.stderr).toMatch(/is in use by another running Starside/)
  } finally {
    await program.stop()
  }
  const restored = await admin(second, 'restore', file)
  expect(restored.stderr).toBe('')
  expect(restored.stdout).toMatch(/The books are sound\.$/m)
  const again = await runProgram({ DATA_DIR: second })
  try {
    const token = await signIn(again.url, person, 'login')
    expect(await readNewestPicture(again.url, token)).toEqual(picture)
  } finally {
    await again.stop()
  }
})

test('a backup is for its owner’s eyes alone, and is noted for the first steps', async () => {
  await using database = await openTestDatabase(1)
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'noted') }
  const file = join(folder, 'noted.tar')
  expect((await typeCommand(settings, 'backup', file)).status).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { rows } = await sql`select name, is_good, finding from operator_checks`.execute(
    database.database,
  )
  const finding = expect.stringMatching(/^\d+\.\d MB\.$/)
  expect(rows).toEqual([{ name: 'backup', is_good: true, finding }])
})

test.for([
  [['backup'], 2, /Name one file/],
  [['restore', 'a.tar', 'b.tar'], 2, /no place for 'b\.tar'/],
  [['backup', 'a.tar', '--secret'], 2, /Unknown option '--secret'/],
  [
    ['backup', 'a.tar', '--passphrase-file', 'missing.txt'],
    1,
    /missing\.txt: there is no such file/,
  ],
] as const)('%j is reported in a sentence', async ([words, status, says]) => {
  const told = await typeCommand({ DATA_DIR: join(folder, 'none') }, ...words)
  expect(told.stdout + told.stderr).toMatch(says)
  expect(told.stdout + told.stderr).not.toMatch(/^ +at /m)
  expect(told.status).toBe(status)
})

test('the passphrase is the first line of its file alone', async () => {
  const file = join(folder, 'passphrase.txt')
  await writeFile(file, 'eleven long\r\nand a second line that would be long enough\n')
  const words = ['backup', join(folder, 'a.tar'), '--passphrase-file', file]
  const told = await typeCommand({ DATA_DIR: join(folder, 'none') }, ...words)
  expect(told.stdout + told.stderr).toContain('needs 12 characters or more')
  expect(told.status).toBe(1)
})
