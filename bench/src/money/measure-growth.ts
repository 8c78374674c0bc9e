import { placeHold } from '@starside/server/ledger/credits/hold.ts'
import { median } from '../page/figures.ts'
import { table } from '../page/write-section.ts'
import { accounts, randomUser, userExpression, holdRequest } from './people.ts'
import type { Bench } from './open-bench.ts'
import type { Settings } from './compare.ts'

/** The median time of a hold before and after the ledger has grown, as lines of the section. */
export async function measureGrowth(bench: Bench, settings: Settings): Promise<string[]> {
  await bench.pool.query(
    `alter table ledger_entries disable trigger user; truncate ledger_entries;
     alter table ledger_entries enable trigger user`,
  )
  const times: { rows: number; medianMs: number }[] = []
  for (const rows of [10_000, settings.ledgerRows]) {
    await growLedger(bench, rows)
    await medianHoldMs(bench, 500)
    times.push({ rows, medianMs: await medianHoldMs(bench, 4_000) })
  }
  const [small, large] = times
  if (small === undefined || large === undefined) throw new Error('no hold was timed')
  return table(
    ['Entries in the ledger', 'Median hold, one caller', 'Ratio', 'Aim'],
    times.map(({ rows, medianMs }) => [
      rows.toLocaleString('en'),
      `${medianMs.toFixed(3)} ms`,
      (medianMs / small.medianMs).toFixed(2),
      rows === small.rows ? '' : '≤ 1.2',
    ]),
  )
}

async function growLedger(bench: Bench, rows: number): Promise<void> {
  const chunk = 1_000_000
  const { rows: counted } = await bench.pool.query<{ count: number }>(
    'select count(*)::integer as count from ledger_entries',
  )
  for (let from = counted[0]?.count ?? 0; from < rows; from += chunk) {
    await bench.pool.query(
      `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
       select 'grow ' || n, 'usage', account.id, usage.id, 1
       from generate_series(${from + 1}, ${Math.min(rows, from + chunk)}) as n
       join credit_accounts as account on account.user_id = ${userExpression(`1 + (n % ${accounts})`)}
       cross join credit_accounts as usage
       where usage.name = 'usage'`,
    )
  }
  await bench.pool.query('vacuum analyze ledger_entries')
  await bench.pool.query('checkpoint').catch(() => undefined)
}

/** One hold after the other, so that only the statement itself counts. */
async function medianHoldMs(bench: Bench, count: number): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now()
    await placeHold(bench.database, holdRequest(randomUser()))
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
