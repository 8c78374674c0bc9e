import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openStore } from '../../platform/storage/open-store.ts'
import { listKeys } from '../../testing/list-keys.ts'
import { reservePort } from '../../testing/reserve-port.ts'
import {
  checkClock,
  checkRoundTrip,
  checkSchema,
  checkSession,
  checkSettings,
} from './check-database.ts'
import { checkDisk, checkLikeness, checkMemory, checkPort, readDisk } from './check-machine.ts'
import { checkCallbacks, checkMail, checkPublicUrl, checkStore } from './check-outside.ts'

const configOf = (settings: Record<string, string> = {}) =>
  readConfig({ NODE_ENV: 'test', ...settings })
const ok = { level: 'ok' }
const warning = { level: 'warning', mend: expect.any(String) }
const problem = { level: 'problem', mend: expect.any(String) }
const gibibyte = 1024 ** 3
const noon = new Date('2026-11-20T12:00:00Z')

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'starside-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const safe = {
  maxConnections: 100,
  fsync: 'on',
  fullPageWrites: 'on',
  encoding: 'UTF8',
  isSuperuser: 'off',
}

test.each([
  ['is in order', {}, [ok]],
  ['has connections for half a node', { maxConnections: 3 + 12 }, [problem]],
  ['has connections for a node but one', { maxConnections: 3 + 24 }, [problem]],
  ['has connections for one node', { maxConnections: 3 + 25 }, [ok]],
  ['is quick instead of safe', { fsync: 'off' }, [ok, problem]],
  ['writes half pages', { fullPageWrites: 'off' }, [ok, problem]],
  ['knows no Chinese', { encoding: 'LATIN1' }, [ok, problem]],
  ['is signed in to as a superuser', { isSuperuser: 'on' }, [ok, warning]],
])('a database that %s', (_what, settings, findings) => {
  const found = checkSettings({ ...safe, ...settings }, { databaseConnectionsMax: 16 })
  expect(found).toMatchObject(findings)
})

test('the clocks of machine and database may differ by two seconds', () => {
  expect(checkClock(10_000, 12_000)).toMatchObject(ok)
  expect(checkClock(12_001, 10_000)).toMatchObject(problem)
})

test('a statement may take ten milliseconds', () => {
  expect(checkRoundTrip(10)).toMatchObject(ok)
  expect(checkRoundTrip(10.1)).toMatchObject(warning)
})

test('a pooler is known by a process of its own, and needs a direct address beside it', () => {
  const direct = { announced: 7, backend: 7, databaseDirectUrl: undefined }
  expect(checkSession(direct)).toMatchObject(ok)
  expect(checkSession({ ...direct, announced: 8 })).toMatchObject(warning)
  const databaseDirectUrl = 'postgres://database/starside'
  expect(checkSession({ ...direct, announced: 8, databaseDirectUrl })).toMatchObject(ok)
})

test('migrations that are to come, or of a newer version, are told of', () => {
  const migration = { name: '0001-first.sql', sql: '', sha256: '', replaces: [] }
  expect(checkSchema({ pending: [], unknown: [] })).toMatchObject(ok)
  expect(checkSchema({ pending: [migration], unknown: [] })).toMatchObject(warning)
  expect(checkSchema({ pending: [], unknown: ['9999-later.sql'] })).toMatchObject(warning)
})

test('a port is free, taken, or not of this machine', async () => {
  const listenAddress = '127.0.0.1'
  const { port: freePort, release } = await reservePort()
  onTestFinished(release)
  expect(await checkPort({ port: freePort, listenAddress })).toMatchObject(ok)
  const other = net.createServer((socket) => socket.destroy()).listen(0, listenAddress)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as net.AddressInfo
  expect(await checkPort({ port, listenAddress })).toMatchObject(problem)
  expect(await checkPort({ port: 0, listenAddress: '192.0.2.1' })).toMatchObject(problem)
})

test.each([
  [200, ok],
  [404, problem],
])('a port at which a program answers with %i is ours, or another’s', async (status, finding) => {
  const listenAddress = '127.0.0.1'
  const program = http.createServer((_request, response) => response.writeHead(status).end())
  program.listen(0, listenAddress)
  onTestFinished(() => void program.close())
  await once(program, 'listening')
  const { port } = program.address() as net.AddressInfo
  expect(await checkPort({ port, listenAddress })).toMatchObject(finding)
})

test.each([
  ['has room', {}, ok],
  ['has less than two GiB', { freeBytes: 2 * gibibyte - 1 }, warning],
  ['is full', { freeBytes: 1024 ** 2 }, problem],
  ['is of somebody else', { mayWrite: false }, problem],
])('a disk that %s', (_what, facts, finding) => {
  const disk = { folder: '/data', mayWrite: true, freeBytes: 2 * gibibyte, ...facts }
  expect(checkDisk(disk)).toMatchObject(finding)
})

test('the disk is that of the folder in which the data folder will be made', async () => {
  const folder = await makeFolder()
  const disk = await readDisk({ dataFolder: join(folder, 'to', 'come') })
  expect(disk).toMatchObject({ folder, mayWrite: true })
  expect(disk.freeBytes).toBeGreaterThan(0)
})

test.skipIf(process.getuid?.() === 0)(
  'a disk on which nothing may be written is told',
  async () => {
    const folder = await makeFolder()
    await chmod(folder, 0o500)
    expect(await readDisk({ dataFolder: folder })).toMatchObject({ mayWrite: false })
  },
)

test.each([
  ['enough for two pictures at once', 'all', { bytes: 2.5 * gibibyte, cores: 2 }, [ok, ok]],
  ['too little memory', 'all', { bytes: 2.4 * gibibyte, cores: 2 }, [warning, ok]],
  ['too few cores', 'worker', { bytes: 4 * gibibyte, cores: 1 }, [ok, warning]],
  ['enough for calls alone', 'api', { bytes: gibibyte, cores: 1 }, [ok, ok]],
] as const)('a machine that has %s', (_what, role, machine, findings) => {
  expect(checkMemory({ generationsAtOnce: 2, role }, machine)).toMatchObject(findings)
})

test('faces are compared where there are hosted pictures', async () => {
  expect(await checkLikeness(configOf())).toEqual([])
})

test('pictures are kept in a folder, and not where a file lies', async () => {
  const dataFolder = await makeFolder()
  expect(await checkStore(configOf({ DATA_DIR: dataFolder }))).toMatchObject(ok)
  const store = await openStore(configOf({ DATA_DIR: dataFolder }), { warn: () => undefined })
  expect(await listKeys(store, 'check'), 'nothing is left of the trial').toEqual([])
  await writeFile(join(dataFolder, 'file'), '')
  const wrong = configOf({ DATA_DIR: join(dataFolder, 'file') })
  expect(await checkStore(wrong)).toMatchObject(problem)
})

test('mail is shown while trying, missing in production, or refused', async () => {
  const environment = { ...configOf(), environment: 'production' as const }
  expect(await checkMail(configOf())).toMatchObject(ok)
  expect(await checkMail(environment)).toMatchObject(warning)
  // Port 9 (discard) is nobody's.
  const refused = await checkMail(configOf({ SMTP_URL: 'smtp://me:secret@127.0.0.1:9' }))
  expect(refused).toMatchObject(problem)
  expect(refused.text).not.toContain('secret')
})

/** What answers at the public address. */
function outside(answer: Response | Error, now = noon) {
  const fetch = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  return { fetch, clock: () => now }
}
const live = () => new Response('', { headers: { date: noon.toUTCString() } })

test.each([
  ['leads here by https through a proxy', {}, outside(live()), [ok]],
  [
    'counts every caller as the proxy',
    { trustProxy: false as const },
    outside(live()),
    [warning, ok],
  ],
  ['leads elsewhere', {}, outside(new Response('', { status: 502 })), [warning]],
  ['leads nowhere', {}, outside(new Error('not found')), [warning]],
  ['has another time', {}, outside(live(), new Date(noon.getTime() + 31_000)), [ok, problem]],
  ['is not encrypted', { publicUrl: 'http://stars.example' }, outside(live()), [problem, ok]],
])('a public address that %s', async (_what, changes, parts, findings) => {
  const config = {
    ...configOf(),
    publicUrl: 'https://stars.example',
    environment: 'production' as const,
    trustProxy: 1,
    ...changes,
  }
  expect(await checkPublicUrl({ config, ...parts })).toMatchObject(findings)
})

test('of what an address answers no password is told', async () => {
  const fails = outside(new Error('refused by http://ada:secret@proxy.example:3128/'))
  const config = { ...configOf(), publicUrl: 'http://stars.example' }
  const [found] = await checkPublicUrl({ config, ...fails })
  expect(found?.text).toContain('refused by http://…@proxy.example:3128/')
})

test('payment providers find the public address, another one of ours, or nobody', async () => {
  const check = (settings: Record<string, string>, answer = live()) => {
    const keys = { NOWPAYMENTS_API_KEY: 'a-key', NOWPAYMENTS_IPN_SECRET: 'a-secret' }
    return checkCallbacks({ config: configOf({ ...keys, ...settings }), ...outside(answer) })
  }
  const PUBLIC_URL = 'https://stars.example'
  const PAYMENT_CALLBACK_URL = 'https://pay.stars.example'
  expect(await checkCallbacks({ config: configOf(), ...outside(live()) })).toMatchObject([ok])
  expect(await check({ PUBLIC_URL })).toEqual([])
  expect(await check({ PUBLIC_URL: 'http://localhost:3000' })).toMatchObject([problem])
  expect(await check({ PUBLIC_URL, PAYMENT_CALLBACK_URL })).toMatchObject([ok])
  const lost = new Response('', { status: 404 })
  expect(await check({ PUBLIC_URL, PAYMENT_CALLBACK_URL }, lost)).toMatchObject([warning])
})
