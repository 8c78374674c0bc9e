import type pg from 'pg'
import { median } from '../page/figures.ts'

const statements = 1_000

/** Milliseconds of what is done with the ledger as one table and as monthly partitions. */
export interface PartitionTimes {
  /** A statement that writes an entry, one after the other; median. */
  readonly insert: number
  /** The first page of a person's history; median. */
  readonly page: number
  /** The last month's sum. */
  readonly month: number
  /** The oldest month is removed. */
  readonly drop: number
}

const tables = { whole: 'trial_whole', parted: 'trial_parted' } as const

/**
 * Fills copies of the ledger: one table as it is, and one parted by month with its references in a table of
 * their own.
 *
 * @param rows entries, spread evenly over twelve months and the accounts
 */
export async function fillCopies(pool: pg.Pool, rows: number, accounts: number): Promise<void> {
  const columns = `id bigint not null, reference text not null, reason text not null,
    debit_account_id bigint not null, credit_account_id bigint not null, amount integer not null,
    description text not null default '', created_at timestamptz not null`
  await pool.query(`
    create table ${tables.whole} (${columns}, primary key (id), unique (reference));
    create table ${tables.parted} (${columns}, primary key (id, created_at))
      partition by range (created_at);
    create table trial_references (reference text primary key, entry_id bigint not null);
    create sequence trial_ids`)
  for (let month = 0; month < 13; month += 1) {
    await pool.query(
      `create table trial_parted_${month} partition of ${tables.parted}
       for values from ('${monthStart(month)}') to ('${monthStart(month + 1)}')`,
    )
  }
  const part = `select nextval('trial_ids'), 'hold:' || gen_random_uuid(), 'usage', 1 + n % ${accounts},
      0, 1, 'Photo generation', timestamptz '${monthStart(0)}' + n * interval '365 days' / ${rows}`
  for (let from = 0; from < rows; from += 500_000) {
    await pool.query(
      `insert into ${tables.whole} ${part} from generate_series(${from}, ${Math.min(rows, from + 500_000) - 1}) as n`,
    )
  }
  await pool.query(`insert into ${tables.parted} select * from ${tables.whole}`)
  await pool.query(`insert into trial_references select reference, id from ${tables.whole}`)
  for (const table of Object.values(tables)) {
    await pool.query(`create index on ${table} (debit_account_id, created_at)`)
    await pool.query(`vacuum analyze ${table}`)
  }
}

/** The first days of thirteen months from 2025 on. */
function monthStart(month: number): string {
  return new Date(Date.UTC(2025, month, 1)).toISOString()
}

/** Times the same acts in both; the removal comes last. */
export async function timePartitions(
  pool: pg.Pool,
  accounts: number,
): Promise<Record<keyof typeof tables, PartitionTimes>> {
  const entry = `nextval('trial_ids'), $1, 'usage', $2, 0, 1, 'Photo generation',
    timestamptz '2025-12-15T00:00:00Z' + random() * interval '1 day'`
  const insert = {
    whole: `insert into ${tables.whole} values (${entry})`,
    parted: `with entry as (insert into ${tables.parted} values (${entry}) returning id, reference)
      insert into trial_references select reference, id from entry`,
  }
  const drop = {
    whole: `delete from ${tables.whole} where created_at < '${monthStart(1)}'`,
    parted: `alter table ${tables.parted} detach partition trial_parted_0; drop table trial_parted_0`,
  }
  const person = () => 1 + Math.floor(Math.random() * accounts)
  const time = async (kind: keyof typeof tables): Promise<PartitionTimes> => {
    const page = `select * from ${tables[kind]} where debit_account_id = $1 order by created_at desc limit 20`
    const month = `select sum(amount) from ${tables[kind]} where created_at >= '${monthStart(11)}'`
    return {
      insert: await timeMany((n) => pool.query(insert[kind], [`trial:${kind}:${n}`, person()])),
      page: await timeMany(() => pool.query(page, [person()])),
      month: await timeOnce(() => pool.query(month)),
      drop: await timeOnce(() => pool.query(drop[kind])),
    }
  }
  return { whole: await time('whole'), parted: await time('parted') }
}

async function timeOnce(act: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await act()
  return performance.now() - startedAtMs
}

async function timeMany(act: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < statements; n += 1) times.push(await timeOnce(() => act(n)))
  return median(times)
}
