import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../../testing/child-environment.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { reservePort } from '../../testing/reserve-port.ts'
import { typeCommand } from './testing/type-command.ts'

const mainFile = fileURLToPath(new URL('../../main.ts', import.meta.url))
const newest = '0061-since-0.1.0-proven.sql'

let folder: string
let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-doctor-'))
  database = await openTestDatabase(2)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function admin(settings: Record<string, string>, ...words: string[]) {
  const all = { DATABASE_URL: database.url, DATA_DIR: folder, ...settings }
  const { status, stdout, stderr } = await typeCommand(all, ...words)
  expect(stderr).toBe('')
  return { status, stdout }
}

test('the doctor looks at every part, and finds the one thing wrong with the database of the tests', async () => {
  const { port, release } = await reservePort()
  onTestFinished(release)
  const { status, stdout } = await admin({ PORT: String(port) }, 'doctor')
  expect(stdout).toMatch(/ok {3}PostgreSQL 1\d answers\./)
  expect(stdout).toMatch(/ A database query takes \d+\.\d ms\./)
  expect(stdout).toMatch(/ok {3}A connection keeps its session\./)
  expect(stdout).toMatch(/ok {3}The tables are those of this version\./)
  expect(stdout).toMatch(/ok {3}Pictures are written to and read from the data folder\./)
  // The database of the tests is quick instead of safe, and the doctor sees it.
  expect(stdout.match(/^BAD.*$/gm)).toEqual(['BAD   A power cut may destroy this database.'])
  expect(status).toBe(1)
})

test('the doctor says what is wrong and how to mend it', async () => {
  const taken = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as net.AddressInfo
  // Port 9 (discard) is nobody's.
  const absent = 'postgres://me:hunter2hunter2@127.0.0.1:9/starside'
  const mail = 'smtp://me:hunter2hunter2@127.0.0.1:9'
  const settings = {
    PORT: String(port),
    DATABASE_URL: absent,
    SMTP_URL: mail,
    NOWPAYMENTS_API_KEY: 'a-key-for-trying',
    NOWPAYMENTS_IPN_SECRET: 'a-secret-for-trying',
  }
  try {
    const { status, stdout } = await admin(settings, 'doctor')
    expect(stdout).toMatch(/BAD {3}Port \d+ is taken by another program\.\n +Set PORT/)
    expect(stdout).toMatch(/BAD {3}The database starside at .* nothing listens there/)
    expect(stdout).toMatch(/BAD {3}The mail server refuses: .*\n +Check SMTP_URL/)
    expect(stdout).toMatch(/BAD {3}nowpayments can't reach http:\/\/localhost/)
    expect(stdout).toMatch(/\n4 problems/)
    expect(stdout).not.toContain('hunter2')
    expect(status).toBe(1)
  } finally {
    taken.close()
  }
})

test('a start on a taken port ends with one sentence, and ends its own database first', async () => {
  const taken = net.createServer().listen(0, '0.0.0.0')
  await once(taken, 'listening')
  const { port } = taken.address() as net.AddressInfo
  // Where tests run as root, PostgreSQL's own user must get to the data folder.
  await chmod(folder, 0o711)
  try {
    const { status, stderr, stdout } = spawnSync(process.execPath, [mainFile], {
      env: {
        ...childEnvironment,
        NODE_ENV: 'test',
        PORT: String(port),
        DATA_DIR: join(folder, 'taken-port'),
      },
      encoding: 'utf8',
    })
    expect(stderr).toMatch(
      /^The port \d+ is taken by another program\. Set PORT to a free one, as in: PORT=3010 npm start\n$/,
    )
    expect(stdout).not.toContain('"err"')
    expect(status).toBe(1)
  } finally {
    taken.close()
  }
})

test('an upgrade is reported by its migrations and tables, and nothing is changed', async () => {
  expect((await admin({}, 'upgrade-check')).stdout).toMatch(/^The next start changes nothing/)
  await sql`delete from schema_migrations where name = ${newest}`.execute(database.database)
  const { status, stdout } = await admin({}, 'upgrade-check')
  expect(stdout).toContain(newest)
  expect(stdout).toMatch(/\n1 migrations, less than a second in all\. Back up first/)
  expect(status).toBe(0)
  const { rows } = await sql`select from schema_migrations where name = ${newest}`.execute(
    database.database,
  )
  expect(rows).toEqual([])
})

test('a database that a newer version has used is reported', async () => {
  await sql`insert into schema_migrations values ('9999-later.sql', 'x', now())`.execute(
    database.database,
  )
  expect((await admin({}, 'upgrade-check')).stdout).toMatch(
    /A newer version has been here: 9999-later/,
  )
})
