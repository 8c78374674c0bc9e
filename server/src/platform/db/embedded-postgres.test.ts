import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPostgresOf } from './embedded/postmaster-file.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

const isRoot = process.getuid?.() === 0
const isWindows = process.platform === 'win32'

/** A data folder whose database was made and stopped, as making one takes seconds. */
let madeFolder: string
let folder: string
let dataDir: string
let sentences: string[]
let running: EmbeddedPostgres[]
let programs: ChildProcess[]

beforeAll(async () => {
  madeFolder = await mkdtemp(path.join(os.tmpdir(), 'starside embedded '))
  await chmod(madeFolder, 0o755)
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(madeFolder, 'data'),
    log: () => {},
  })
  await postgres.stop()
})
afterAll(() => rm(madeFolder, { recursive: true, force: true }))

/** Puts a database that was made before into the test's data folder. */
async function copyMade(): Promise<void> {
  const made = path.join(madeFolder, 'data')
  // Only this keeps the system user to whom the files belong.
  if (isWindows) await cp(made, dataDir, { recursive: true })
  else execFileSync('cp', ['-a', made, dataDir])
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'starside embedded '))
  await chmod(folder, 0o755)
  dataDir = path.join(folder, 'data')
  sentences = []
  running = []
  programs = []
})

afterEach(async () => {
  for (const program of programs) program.kill('SIGKILL')
  for (const postgres of running) await postgres.stop()
  await endServer(dataDir)
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

async function start(options: { dataDir?: string; durable?: boolean } = {}) {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (sentence) => sentences.push(sentence),
    sharedFolder: path.join(folder, 'shared'),
    ...options,
  })
  running.push(postgres)
  return postgres
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Starts the database in another process and gives that process and what it says. */
async function startProgram(): Promise<{ program: ChildProcess; said: Record<string, unknown> }> {
  const script = fileURLToPath(new URL('../../testing/hold-database.ts', import.meta.url))
  const program = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  return { program, said: await readFirstLine(program) }
}

/** A network and processes of its own, as containers have them. */
const ownNamespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** The same in namespaces of its own, as in another container. */
async function startInContainer(): Promise<Record<string, unknown>> {
  const script = fileURLToPath(new URL('../../testing/hold-database.ts', import.meta.url))
  const run = ['sh', '-c', 'ip link set lo up; exec "$@"', '-', process.execPath, script, dataDir]
  const program = spawn('unshare', [...ownNamespaces, ...run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  return readFirstLine(program)
}

async function readFirstLine(program: ChildProcess): Promise<Record<string, unknown>> {
  if (program.stdout === null) throw new Error('stdout is piped')
  for await (const line of createInterface(program.stdout)) {
    const said: unknown = JSON.parse(line)
    if (typeof said === 'object' && said !== null) return Object.fromEntries(Object.entries(said))
  }
  throw new Error('the program ended without a word')
}

/** True where a program can be started in namespaces of its own, as containers are. */
function canMakeNamespaces(): boolean {
  return spawnSync('unshare', [...ownNamespaces, 'ip', 'link', 'set', 'lo', 'up']).status === 0
}

async function killProgram(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL')
  await once(program, 'exit')
}

function clusterOf(someDataDir: string): string {
  return path.join(someDataDir, 'postgres', 'cluster')
}

async function readServerPid(someDataDir: string): Promise<number | undefined> {
  const file = path.join(clusterOf(someDataDir), 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  return text === '' ? undefined : Number(text.split('\n')[0])
}

/** Ends a server that a killed program of this test left behind. */
async function endServer(someDataDir: string): Promise<void> {
  const pid = await readServerPid(someDataDir)
  // The number of one in a container of a test is another program's here; it has ended with it.
  if (pid === undefined || !(await isPostgresOf(pid, clusterOf(someDataDir)))) return
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    return
  }
  await waitUntil(async () => (await readServerPid(someDataDir)) === undefined)
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true)
}

describe('a start on an ordinary folder', () => {
  test('gives an owner who is no superuser, over 127.0.0.1 and by password only', async () => {
    const postgres = await start()
    expect(
      await query(
        postgres.url,
        `SELECT current_user AS name, rolsuper, current_setting('fsync') AS fsync,
           current_setting('listen_addresses') AS listens, current_setting('server_encoding') AS encoding
         FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toEqual([
      { name: 'starside', rolsuper: false, fsync: 'on', listens: '127.0.0.1', encoding: 'UTF8' },
    ])

    const guessed = new URL(postgres.url)
    guessed.password = 'guessed'
    await expect(query(guessed.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/u)
    guessed.password = ''
    await expect(query(guessed.href, 'SELECT 1')).rejects.toThrow()
  })

  test('keeps its passwords in one file only its owner can read, and out of log and arguments', async () => {
    const postgres = await start()
    const home = path.join(dataDir, 'postgres')
    const state = path.join(home, 'embedded-postgres.json')
    if (!isWindows) expect((await stat(state)).mode & 0o777).toBe(0o600)

    const passwords = [new URL(postgres.url).password, new URL(postgres.superuserUrl).password]
    const log = await readFile(path.join(home, 'postgres.log'), 'utf8')
    const visible = isWindows
      ? ''
      : execFileSync('ps', ['-A', '-o', 'command='], { encoding: 'utf8' })
    for (const password of passwords) {
      expect(password.length).toBeGreaterThan(40)
      expect(log + visible + sentences.join()).not.toContain(password)
    }
  })

  test('keeps the rows from one start to the next', async () => {
    await copyMade()
    const first = await start()
    await query(first.url, `CREATE TABLE note AS SELECT 'kept' AS words`)
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'SELECT words FROM note')).toEqual([{ words: 'kept' }])
  })

  test('stops once, however often it is asked', async () => {
    await copyMade()
    const postgres = await start()
    await Promise.all([postgres.stop(), postgres.stop()])
    await postgres.stop()
    expect(await readServerPid(dataDir)).toBeUndefined()
  })

  test('says when the server was ended by somebody else', async () => {
    await copyMade()
    const postgres = await start()
    process.kill(postgres.pid, 'SIGQUIT')
    expect((await postgres.lost).problem).toBe('ended-unexpectedly')
  })
})

describe('after kill -9', () => {
  test('of the program alone, the next one stops the server that still runs and starts its own', async () => {
    await copyMade()
    const { program, said } = await startProgram()
    await query(String(said['url']), `CREATE TABLE note AS SELECT 'kept' AS words`)
    await killProgram(program)

    const postgres = await start()
    expect(postgres.pid).not.toBe(said['pid'])
    expect(sentences.join()).toContain(`process ${String(said['pid'])}`)
    expect(await query(postgres.url, 'SELECT words FROM note')).toEqual([{ words: 'kept' }])
    await postgres.stop()
    expect(await readServerPid(dataDir)).toBeUndefined()
  })

  test('of the program and its server, every acknowledged row is there', async () => {
    await copyMade()
    const { program, said } = await startProgram()
    const client = new Client({ connectionString: String(said['url']) })
    client.on('error', () => {})
    await client.connect()
    await client.query('CREATE TABLE note (id int)')
    let acknowledged = 0
    const writing = (async () => {
      for (let id = 1; ; id += 1) {
        await client.query('INSERT INTO note VALUES ($1)', [id])
        acknowledged = id
      }
    })()
    await waitUntil(async () => acknowledged >= 100)
    const cutOff = expect(writing).rejects.toThrow()
    process.kill(Number(said['pid']), 'SIGKILL')
    await killProgram(program)
    await cutOff
    await client.end().catch(() => {})

    const postgres = await start()
    const [row] = await query(postgres.url, 'SELECT count(*)::int AS rows FROM note')
    expect(Number(row?.['rows'])).toBeGreaterThanOrEqual(acknowledged)
  })

  test('a pid file whose number is another program by now is seen through', async () => {
    await copyMade()
    const { program, said } = await startProgram()
    await query(String(said['url']), `CREATE TABLE note AS SELECT 'kept' AS words`)
    const pidFile = path.join(clusterOf(dataDir), 'postmaster.pid')
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
    process.kill(Number(said['pid']), 'SIGKILL')
    await killProgram(program)
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'])
    programs.push(bystander)
    await writeFile(pidFile, [bystander.pid, ...rest].join('\n'))

    const postgres = await start()
    expect(await query(postgres.url, 'SELECT words FROM note')).toEqual([{ words: 'kept' }])
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  })

  test('a pid file whose number is nobody’s any more is nothing to tell of', async () => {
    const postgres = await start()
    await postgres.stop()
    sentences = []
    await writeFile(path.join(clusterOf(dataDir), 'postmaster.pid'), '999999999\n')
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(sentences).toEqual([])
  })

  test('during the first start, an unfinished database is made anew', async () => {
    const script = fileURLToPath(new URL('../../testing/hold-database.ts', import.meta.url))
    const program = spawn(process.execPath, [script, dataDir], { stdio: 'ignore' })
    programs.push(program)
    const home = path.join(dataDir, 'postgres')
    const unfinished = async () =>
      (await readdir(home).catch(() => [])).find((entry) => entry.startsWith('initialising-'))
    await waitUntil(async () => {
      const workshop = await unfinished()
      return (
        workshop !== undefined &&
        (await stat(path.join(home, workshop, 'cluster', 'base')).catch(() => undefined)) !==
          undefined
      )
    })
    await killProgram(program)
    expect(await unfinished()).toBeDefined()

    const postgres = await start()
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await unfinished()).toBeUndefined()
  })
})

describe('two programs on one data folder', () => {
  test('the second is refused, names folder, process and port, and changes nothing', async () => {
    await copyMade()
    const first = await start()
    await query(first.url, `CREATE TABLE note AS SELECT 'kept' AS words`)
    const link = path.join(folder, 'another way to it')
    await symlink(dataDir, link)
    for (const sameFolder of [dataDir, link]) {
      await expect(start({ dataDir: sameFolder })).rejects.toThrow(
        new RegExp(`${dataDir}.* is in use .*process ${process.pid}.*port ${first.port}`, 'u'),
      )
    }
    expect(await query(first.url, 'SELECT words FROM note')).toEqual([{ words: 'kept' }])
  })

  test.runIf(canMakeNamespaces())('the second is refused in another container too', async () => {
    await copyMade()
    const first = await start()
    expect(await startInContainer()).toMatchObject({ problem: 'data-folder-in-use' })
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test.runIf(canMakeNamespaces())(
    'of ten in containers that start in the same instant one gets it, the others are refused',
    async () => {
      const said = await Promise.all(Array.from({ length: 10 }, startInContainer))
      expect(said.filter(({ problem }) => problem === 'data-folder-in-use')).toHaveLength(9)
      expect(said.filter(({ pid }) => pid !== undefined)).toHaveLength(1)
    },
  )

  test('the second may have the folder when the first has stopped', async () => {
    await copyMade()
    const first = await start()
    await first.stop()
    const { said } = await startProgram()
    expect(said['problem']).toBeUndefined()
    await expect(start()).rejects.toMatchObject({ problem: 'data-folder-in-use' })
  })
})

describe('a folder that is not as it was left', () => {
  beforeEach(copyMade)

  test('of another major version is refused and left alone', async () => {
    const postgres = await start()
    await postgres.stop()
    const versionFile = path.join(clusterOf(dataDir), 'PG_VERSION')
    await writeFile(versionFile, '17\n')
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17/u)
    await writeFile(versionFile, '18\n')
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('without its database is refused, so that a missing disk is not taken for a new start', async () => {
    const postgres = await start()
    await postgres.stop()
    await rename(clusterOf(dataDir), path.join(folder, 'elsewhere'))
    await expect(start()).rejects.toMatchObject({ problem: 'data-folder-damaged' })
    await rename(path.join(folder, 'elsewhere'), clusterOf(dataDir))
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('without its state file is refused, because the password is in it', async () => {
    const postgres = await start()
    await postgres.stop()
    await rm(path.join(dataDir, 'postgres', 'embedded-postgres.json'))
    await expect(start()).rejects.toMatchObject({ problem: 'data-folder-damaged' })
  })

  test('with the state file of another one is refused and leaves no server of its own', async () => {
    await (await start()).stop()
    const stateFile = path.join(dataDir, 'postgres', 'embedded-postgres.json')
    const state = await readFile(stateFile, 'utf8')
    await writeFile(stateFile, state.replaceAll(/(assword": ")[^"]+/gu, '$1another'))
    await expect(start()).rejects.toMatchObject({ problem: 'data-folder-damaged' })
    await writeFile(stateFile, state)
    sentences.length = 0
    await start()
    expect(sentences).toEqual([])
  })

  test('with the state file of another one is refused and its server not stopped', async () => {
    const { program, said } = await startProgram()
    await killProgram(program)
    const stateFile = path.join(dataDir, 'postgres', 'embedded-postgres.json')
    const state = await readFile(stateFile, 'utf8')
    await writeFile(stateFile, state.replaceAll(/(assword": ")[^"]+/gu, '$1another'))
    await expect(start()).rejects.toMatchObject({ problem: 'data-folder-damaged' })
    expect(await query(String(said['url']), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test.skipIf(isRoot || isWindows)(
    'that may not be written to is refused with advice',
    async () => {
      await chmod(dataDir, 0o500)
      await expect(start()).rejects.toThrow(/set DATA_DIR to another folder/u)
    },
  )
})

describe.runIf(isRoot)('as root', () => {
  test('the server belongs to a system user, also below a folder that is closed to it', async () => {
    const closed = path.join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    dataDir = path.join(closed, 'data')
    const first = await start()
    expect(first.clusterFolder.startsWith(path.join(folder, 'shared'))).toBe(true)
    expect(sentences.join('\n')).toContain('are therefore kept in')
    expect((await stat(first.clusterFolder)).uid).not.toBe(0)
    await query(first.url, `CREATE TABLE note AS SELECT 'kept' AS words`)
    await first.stop()

    sentences = []
    const second = await start()
    expect(await query(second.url, 'SELECT words FROM note')).toEqual([{ words: 'kept' }])
    expect(sentences).toEqual([])
  })

  test('a copy of a data folder does not get at the database of the first', async () => {
    const closed = path.join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    dataDir = path.join(closed, 'data')
    const first = await start()
    await first.stop()
    const copy = path.join(closed, 'copy')
    await cp(dataDir, copy, { recursive: true })
    await expect(start({ dataDir: copy })).rejects.toMatchObject({ problem: 'data-folder-copied' })

    const moved = path.join(closed, 'moved')
    await rm(copy, { recursive: true })
    await rename(dataDir, moved)
    expect(await query((await start({ dataDir: moved })).url, 'SELECT 1 AS one')).toEqual([
      { one: 1 },
    ])
  })

  test('a full disk is said to be full', async (context) => {
    await mkdir(dataDir)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', dataDir], {
        stdio: 'ignore',
      })
    } catch {
      context.skip('this machine lets nobody mount a small disk')
    }
    try {
      await expect(start()).rejects.toMatchObject({ problem: 'disk-full' })
    } finally {
      execFileSync('umount', [dataDir])
    }
  })
})
