import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/** What is kept for each day; triggers of migration 0103 write the same names. */
export const dailyFigureNames = [
  /** By the step of the time that it took. */
  'selfies',
  /** By error code. */
  'failures',
  'people',
  'first_purchases',
  'purchases',
  'revenue_cents',
  /** By coin; part of the revenue, as an operator may credit an order without a payment. */
  'coin_cents',
  'refunds',
  'refunded_cents',
  /** By provider. */
  'model_cost_micro_usd',
  /** By model, as in IMAGE_PROVIDERS; requests are those that were sent. */
  'model_spend_micro_usd',
  'model_requests',
  'model_failures',
  'referrals',
  'referral_bonuses',
  'voucher_redemptions',
  'voucher_credits',
] as const
export type DailyFigureName = (typeof dailyFigureNames)[number]

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
