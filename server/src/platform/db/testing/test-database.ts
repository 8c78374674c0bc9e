import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test run gives out its PostgreSQL; see test-database-server.ts. */
    testDatabaseServer: string
  }
}

const dropAttemptsMax = 20
const dropPauseMs = 250

/** A migrated, empty database of its own for one test file. */
export interface TestDatabase {
  /** Signed in as its owner, who is no superuser. */
  readonly url: string
  /** Drops it, ending the connections that are still open. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Clones the run's migrated template. The first call of a run starts PostgreSQL (about two seconds),
 * each further one takes some ten milliseconds.
 *
 * With STARSIDE_TEST_DATABASE_URL set, the clones are made on that server.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, template } = await askForServer()
  const name = `starside_test_${randomBytes(6).toString('hex')}`
  // Copying files takes a fourth of the work that PostgreSQL's usual way through its log takes.
  await runStatement(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await dropDatabase(serverUrl, name)
    },
  }
}

/** Autovacuum may be at work in it, which nobody but a superuser may end; it ends by itself. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runStatement(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      return
    } catch (error) {
      const isVacuumed = (error as { code?: unknown }).code === '42501'
      if (!isVacuumed || attempt === dropAttemptsMax) throw error
      await delay(dropPauseMs)
    }
  }
}

async function askForServer(): Promise<{ serverUrl: string; template: string }> {
  const response = await fetch(inject('testDatabaseServer'))
  const answer: unknown = await response.json()
  if (typeof answer === 'object' && answer !== null) {
    const fields = new Map<string, unknown>(Object.entries(answer))
    const [serverUrl, template] = [fields.get('serverUrl'), fields.get('template')]
    if (typeof serverUrl === 'string' && typeof template === 'string')
      return { serverUrl, template }
  }
  throw new Error(`The test run has no PostgreSQL: ${JSON.stringify(answer)}`)
}

async function runStatement(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, application_name: 'starside-test' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
