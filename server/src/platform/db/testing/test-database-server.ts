import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { isAlive } from '../embedded/folder-lock.ts'
import { isPostgresOf, readPostmasterFile } from '../embedded/postmaster-file.ts'
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

/**
 * Vitest's global set-up: offers the run one PostgreSQL, which starts when the first test file asks
 * for it, so that tests without a database don't wait for one. The returned function removes it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<TestServer> | undefined
  const desk = http.createServer((_request, response) => {
    server ??= startTestServer()
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
  }
}

async function listen(desk: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    desk.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = desk.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}

async function startTestServer(): Promise<TestServer> {
  const given = process.env['STARSIDE_TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return useGivenServer(given)

  await removeLeftovers()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), folderPrefix))
  // Open for PostgreSQL's system user where tests run as root.
  await chmod(dataDir, 0o755)
  await writeFile(path.join(dataDir, 'pid'), String(process.pid))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false })
  await run(postgres.superuserUrl, 'ALTER ROLE starside CREATEDB')
  const url = new URL(postgres.url)
  url.pathname = '/postgres'
  const template = await makeTemplate(url.href)
  return {
    serverUrl: url.href,
    template,
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
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
async function removeLeftovers(): Promise<void> {
  for (const entry of await readdir(os.tmpdir())) {
    if (!entry.startsWith(folderPrefix)) continue
    const folder = path.join(os.tmpdir(), entry)
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
