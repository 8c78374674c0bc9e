import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type dailyFigures from './daily-figures.json'

/**
 * What is kept for each day; triggers of migration 0103 write the same names. `daily-figures.json` says of
 * each by what its label splits it, and how the report shows it.
 */
export type DailyFigureName = keyof typeof dailyFigures.names

export interface DailyFigure {
  /** UTC, such as `2026-11-22`. */
  day: string
  figure: DailyFigureName
  label: string
  amount: number
}

/**
 * The figures from a day on, exactly: sums that were compacted and changes that weren't yet, of the
 * same moment. Reads as many rows as there are days, figures and labels.
 * @param from UTC, such as `2026-11-22`
 */
export async function readDailyFigures(database: Queryable, from: string): Promise<DailyFigure[]> {
  const { rows } = await sql<{
    day: string
    figure: DailyFigureName
    label: string
    amount: string
  }>`
    select to_char(day, 'YYYY-MM-DD') as day, figure, label, sum(amount) as amount
    from (
      select day, figure, label, amount from daily_figures where day >= ${from}
      union all
      select day, figure, label, amount from daily_changes where day >= ${from}
    ) as parts
    group by 1, 2, 3
    having sum(amount) <> 0
    order by 1, 2, 3
  `.execute(database)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}

/** Adds the changes to the sums, so that they don't pile up. May run on several nodes at once. */
export async function compactDailyFigures(database: Queryable): Promise<void> {
  await sql`
    with folded as (delete from daily_changes returning day, figure, label, amount)
    insert into daily_figures (day, figure, label, amount)
    select day, figure, label, sum(amount) from folded group by day, figure, label
    order by day, figure, label
    on conflict on constraint daily_figures_pkey
    do update set amount = daily_figures.amount + excluded.amount
  `.execute(database)
}
