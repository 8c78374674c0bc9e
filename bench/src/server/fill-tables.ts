import type pg from 'pg'
import type { SignedIn } from './bench-environment.ts'

const chunk = 500_000

/**
 * Fills the tables until there are `to` finished generations, each with its captured hold and its
 * entry in the ledger. The first thousand belong to the first `callers` of the people, so that those see
 * full pages at any number of rows; the others are spread evenly over all. Triggers and foreign keys are left aside and
 * indexes made at the end, as for a restore: the rows are right by construction.
 */
export async function fillTables(
  pool: pg.Pool,
  options: { to: number; people: readonly SignedIn[]; callers: number },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set statement_timeout = 0`)
    await client.query(
      `create temp table people as
       select place, user_id, account.id as account_id
       from unnest($1::uuid[]) with ordinality as person (user_id, place)
       join credit_accounts as account using (user_id)`,
      [options.people.map(({ userId }) => userId)],
    )
    await client.query('analyze people')
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from generations`,
    )
    const restore = [
      ...(await leaveTriggers(client)),
      ...(await dropForeignKeys(client)),
      ...(await dropIndexes(client)),
    ]
    for (let from = rows[0]?.count ?? 0; from < options.to; from += chunk) {
      await client.query(fillSql, [
        from,
        Math.min(options.to, from + chunk),
        options.people.length,
        options.callers,
      ])
    }
    for (const statement of restore) await client.query(statement)
    await client.query('drop table people')
    await client.query('vacuum analyze generations, credit_holds, ledger_entries, credit_accounts')
  } finally {
    client.release(true)
  }
}

/** The later the row, the newer: what a page shows lies scattered over the table, as it grew. */
const fillSql = `
  with made as (
    select gen_random_uuid() as id, gen_random_uuid() as hold_id, people.user_id,
      people.account_id, now() - interval '400 days' + n * interval '1 second' as at, n
    from generate_series($1::bigint + 1, $2::bigint) as n
    join people on people.place = 1 + n % case when n <= 1000 then $4 else $3::bigint end
  ),
  hold as (
    insert into credit_holds (id, account_id, amount, reference, description, state, created_at,
      expires_at, settled_at)
    select hold_id, account_id, 1, 'fill:' || n, 'Photo generation', 'captured', at,
      at + interval '15 minutes', at
    from made
  ),
  entry as (
    insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount,
      description, created_at)
    select 'hold:' || hold_id, 'usage', account_id, usage.id, 1, 'Photo generation', at
    from made cross join credit_accounts as usage
    where usage.name = 'usage'
  )
  insert into generations (id, user_id, hold_id, request_digest, state, stage, celebrity, aspect,
    resolution, clean_key, watermarked_key, width_px, height_px, provider, created_at, finished_at)
  select id, user_id, hold_id, '', 'done', 'done', 'Elena Vassandri', 'portrait', 'standard', 'clean/' || id,
    'marked/' || id, 1024, 1280, 'compositor', at, at
  from made`

const tables = ['generations', 'credit_holds', 'ledger_entries']

async function leaveTriggers(client: pg.PoolClient): Promise<string[]> {
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  return tables.map((table) => `alter table ${table} enable trigger user`)
}

/** Drops what the tables refer to, and answers the statements that hold new rows to it again. */
async function dropForeignKeys(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, conname as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conrelid = any ($1::regclass[])`,
    [tables],
  )
  for (const { owner, name } of rows) {
    await client.query(`alter table ${owner} drop constraint ${name}`)
  }
  return rows.map(({ owner, name, definition }) => {
    const bare = definition.replace(/ NOT VALID$/, '')
    return `alter table ${owner} add constraint ${name} ${bare} not valid`
  })
}

/** Drops the indexes that no constraint needs, and answers the statements that make them again. */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any ($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
