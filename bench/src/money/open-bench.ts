import type { Tables } from '@starside/server/platform/db/tables.d.ts'
import { Kysely, PostgresDialect } from 'kysely'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { accounts, clients, userExpression } from './people.ts'

export interface Bench {
  url: string
  folder: string
  pool: pg.Pool
  database: Kysely<Tables>
  /** Statements that the program sent since the last call. */
  takeStatements(): CompiledQuery[]
  close(): Promise<void>
}

export async function openBench(url: string, folder: string): Promise<Bench> {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  const sent: CompiledQuery[] = []
  let isRecording = true
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (isRecording) sent.push(event.query)
    },
  })
  await pool.query(
    `insert into users (id, email, username, password_hash, referral_code)
     select ${userExpression('n')}, 'u' || n || '@bench.test', 'u' || n, '', 'c' || n
     from generate_series(1, ${accounts}) as n`,
  )
  await pool.query(
    `insert into credit_accounts (kind, user_id, balance)
     select 'user', ${userExpression('n')}, 1000000 from generate_series(1, ${accounts}) as n`,
  )
  await pool.query('vacuum analyze')
  return {
    url,
    folder,
    pool,
    database,
    takeStatements: () => {
      isRecording = false
      return sent.splice(0)
    },
    close: () => database.destroy(),
  }
}
