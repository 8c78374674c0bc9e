import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@starside/server/platform/db/embedded-postgres.ts'
import { migrate } from '@starside/server/platform/db/migrate.ts'
import { runProgram } from '@starside/server/testing/run-program.ts'
import type { RunningProgram } from '@starside/server/testing/run-program.ts'
import pg from 'pg'
import { openApiClient } from './api-client.ts'
import type { ApiClient } from './api-client.ts'

/** The program on a database of its own, as production runs it, without limits on its callers. */
export interface BenchEnvironment {
  program: RunningProgram
  databaseUrl: string
  /** For what the bench itself writes and counts. */
  pool: pg.Pool
  /** An empty folder that goes away with the environment. */
  folder: string
  client: ApiClient
  [Symbol.asyncDispose](): Promise<void>
}

export async function openBenchEnvironment(
  settings: Record<string, string>,
): Promise<BenchEnvironment> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-bench-'))
  // PostgreSQL doesn't run as root and must be able to get into its folder.
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  try {
    await migrate(postgres.url)
    const program = await runProgram({
      NODE_ENV: 'production',
      PAYMENT_PROVIDER: 'sandbox',
      LOG_LEVEL: 'warn',
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      RATE_LIMITS: 'off',
      ...settings,
    })
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
    const client = openApiClient(program.url)
    return {
      client,
      program,
      databaseUrl: postgres.url,
      pool,
      folder,
      async [Symbol.asyncDispose]() {
        client.close()
        await pool.end()
        await program.stop()
        await postgres.stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

export interface SignedIn {
  userId: string
  token: string
}

/** People with an open session and credits each, written straight into the tables. */
export async function makePeople(
  pool: pg.Pool,
  options: { count: number; credits: number; passwordHash?: string },
): Promise<SignedIn[]> {
  const batch = randomBytes(4).toString('hex')
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (email, username, password_hash, referral_code)
     select 'p' || n || '-' || $1 || '@bench.example', 'Person ' || n, $2, upper($1) || n
     from generate_series(1, $3::integer) as n
     returning id`,
    [batch, options.passwordHash ?? '', options.count],
  )
  const people = rows.map(({ id }) => ({
    userId: id,
    token: randomBytes(32).toString('base64url'),
  }))
  const userIds = people.map(({ userId }) => userId)
  // As the registration writes it: a balance is what its entries say.
  await pool.query(
    `with account as (
       insert into credit_accounts (kind, user_id, balance)
       select 'user', id, $2 from unnest($1::uuid[]) as id
       returning id, user_id
     )
     insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
     select 'signup:' || account.user_id, 'signup', source.id, account.id, $2
     from account, credit_accounts as source
     where source.name = 'signup'`,
    [userIds, options.credits],
  )
  await pool.query(
    `insert into sessions (token_hash, user_id, created_at, expires_at, address, user_agent)
     select hash, id, now(), now() + interval '1 day', '127.0.0.1', 'bench'
     from unnest($1::bytea[], $2::uuid[]) as opened (hash, id)`,
    [people.map(({ token }) => createHash('sha256').update(token).digest()), userIds],
  )
  return people
}
