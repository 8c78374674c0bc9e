import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { isAlive, isPostgresOf, readPostmasterFile } from '../embedded/postmaster-file.ts'
import { sendSignal } from '../embedded/running-server.ts'

/** A PostgreSQL for the tests of one run. */
interface TestServer {
  /** A maintenance database, signed in as a role that may make databases. */
  readonly serverUrl: string
  /** The migrated database to clone. */
  readonly template: string
  stop(): Promise<void>
}

const folderPrefix = 'starside-test-'
/** A file system in memory, as Linux mostly has one. */
const memoryFolder = '/dev/shm'
const memoryBytesMin = 4 * 1024 ** 3

/**
 * Vitest's global set-up: gives the run a folder of its own for all that its tests write, and offers it
 * one PostgreSQL, which starts when the first test file asks for it, so that tests without a database
 * don't wait for one. The returned function removes both.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder()
  // Workers and what they start inherit it.
  process.env['TMPDIR'] = folder
  let server: Promise<TestServer> | undefined
  const desk = http.createServer((_request, response) => {
    server ??= startTestServer(folder)
    server.then(
      ({ serverUrl, template }) => response.end(JSON.stringify({ serverUrl, template })),
      (error: unknown) => response.end(JSON.stringify({ error: String(error) })),
    )
  })
  const port = await listen(desk)
  project.provide('testDatabaseServer', `http://127.0.0.1:${port}/`)
  return async () => {
    desk.close()
    desk.closeAllConnections()
    const started = await server?.catch(() => undefined)
    await started?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/**
 * In memory where there is much of it and programs may lie there: a clone of the database is hundreds of
 * files, which an ordinary file system takes longer to make than PostgreSQL to fill.
 */
async function makeFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }))
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const isFit = bavail * bsize >= memoryBytesMin && / \/dev\/shm \S+ (?!\S*noexec)/u.test(mounts)
  const parent = isFit ? memoryFolder : os.tmpdir()
  await removeLeftovers(parent)
  const folder = await mkdtemp(path.join(parent, folderPrefix))
  // Open for PostgreSQL's system user where tests run as root.
  await chmod(folder, 0o755)
  await writeFile(path.join(folder, 'pid'), String(process.pid))
  return folder
}

async function listen(desk: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    desk.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = desk.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}

async function startTestServer(folder: string): Promise<TestServer> {
  const given = process.env['STARSIDE_TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return useGivenServer(given)

  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {}, durable: false })
  await run(postgres.superuserUrl, 'ALTER ROLE starside CREATEDB')
  const url = new URL(postgres.url)
  url.pathname = '/postgres'
  const template = await makeTemplate(url.href)
  return {
    serverUrl: url.href,
    template,
    stop: () => postgres.stop(),
  }
}

async function useGivenServer(serverUrl: string): Promise<TestServer> {
  const template = await makeTemplate(serverUrl)
  return {
    serverUrl,
    template,
    stop: async () => {
      await run(serverUrl, `ALTER DATABASE ${template} IS_TEMPLATE false`)
      await run(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    },
  }
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const template = `starside_template_${randomBytes(6).toString('hex')}`
  await run(serverUrl, `CREATE DATABASE ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  const { migrate } = await import('../migrate.ts')
  await migrate(url.href)
  // The queue's tables too, which each program would make anew.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ connectionString: url.href, supervise: false, schedule: false })
  await boss.start()
  await boss.stop()
  // A database that somebody is connected to can't be cloned.
  await run(serverUrl, `ALTER DATABASE ${template} IS_TEMPLATE true ALLOW_CONNECTIONS false`)
  return template
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, application_name: 'starside-test' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Ends and removes what a killed test run left behind. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(folderPrefix)) continue
    const folder = path.join(parent, entry)
    const pid = Number(await readFile(path.join(folder, 'pid'), 'utf8').catch(() => ''))
    if (!Number.isInteger(pid) || pid <= 0 || isAlive(pid)) continue
    const cluster = path.join(folder, 'postgres', 'cluster')
    const running = await readPostmasterFile(cluster).catch(() => undefined)
    if (running !== undefined && (await isPostgresOf(running.pid, cluster).catch(() => false))) {
      sendSignal(running.pid, 'SIGQUIT')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch(() => {})
  }
}
