import { coinName } from '@starside/contract/coin-names.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { z } from 'zod'
import dailyFigures from './daily-figures.json' with { type: 'json' }
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/** A kept figure as the report shows it: in which unit, and how much of it is one. */
const shownFigure = z.object({
  title: z.string(),
  page: z.string().exactOptional(),
  figure: z.enum(keysOf(dailyFigures.names)),
  unit: z.enum(['', 'USD', 's']),
  per: z.number(),
  isOfWeek: z.boolean().exactOptional(),
  isOnlyWhereAny: z.boolean().optional(),
  scale: z.string().exactOptional(),
})
const shown = z
  .object({ lines: z.array(shownFigure), splits: z.array(shownFigure) })
  .parse(dailyFigures)

/** One line of the report: a value for each day, and one for all of them; `page` shows what it counts, lines of one `scale` compare. */
export interface ReportLine extends Omit<z.output<typeof shownFigure>, 'figure' | 'per'> {
  /** In the order of the report's days; undefined where there is nothing to tell. */
  values: (number | undefined)[]
  total: number | undefined
}

export type FigureReport = ReturnType<typeof reportFigures>

const dayMs = 24 * 60 * 60_000

/** The days that end with that moment's, UTC. */
export function daysUntil(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

/** Makes the report of some days from their kept figures. */
export function reportFigures(figures: readonly DailyFigure[], days: string[]) {
  const within = figures.filter(({ day }) => days.includes(day))
  // As test money: once real money comes, nobody needs to read of it.
  const told = shown.lines.filter(
    ({ isOnlyWhereAny, figure }) => !isOnlyWhereAny || within.some((row) => row.figure === figure),
  )
  const lines = told.map(({ per, figure, ...line }): ReportLine => {
    const rows = within.filter((row) => row.figure === figure)
    const values = days.map((day) => sumOf(rows.filter((row) => row.day === day)) / per)
    return { ...line, values, total: sumOf(rows) / per }
  })
  const selfies = within.filter(({ figure }) => figure === 'selfies')
  return {
    days,
    lines: [
      ...lines.slice(0, 2),
      timeLine('Usual time of a selfie', 0.5, selfies, days),
      timeLine('Time of the slowest 5 %', 0.95, selfies, days),
      ...lines.slice(2),
    ],
    models: reportModels(within),
    splits: shown.splits.map(({ title, unit: of, figure, per }) => ({
      title,
      unit: of,
      rows: [...sumByLabel(within, figure)].map(([label, amount]) => ({
        label: figure === 'coin_cents' ? coinName(label) : label,
        amount: amount / per,
      })),
    })),
  }
}

/** Hosted models, as in IMAGE_PROVIDERS, by what was spent on them, with requests that were sent and have ended. */
function reportModels(figures: readonly DailyFigure[]) {
  const spent = sumByLabel(figures, 'model_spend_micro_usd')
  const requests = sumByLabel(figures, 'model_requests')
  const failures = sumByLabel(figures, 'model_failures')
  return [...new Set([...spent.keys(), ...requests.keys()])].map((model) => ({
    model,
    requests: requests.get(model) ?? 0,
    failures: failures.get(model) ?? 0,
    spentUsd: (spent.get(model) ?? 0) / 1_000_000,
  }))
}

function timeLine(
  title: string,
  share: number,
  selfies: readonly DailyFigure[],
  days: string[],
): ReportLine {
  const quantile = (rows: readonly DailyFigure[]) =>
    selfieTimeQuantile(sumByLabel(rows, 'selfies'), share)
  return {
    title,
    unit: 's',
    scale: 'time',
    values: days.map((day) => quantile(selfies.filter((row) => row.day === day))),
    total: quantile(selfies),
  }
}

const sumOf = (rows: readonly DailyFigure[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

/** Sums of a figure, the largest first. */
function sumByLabel(rows: readonly DailyFigure[], name: DailyFigureName): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { figure, label, amount } of rows) {
    if (figure === name) sums.set(label, (sums.get(label) ?? 0) + amount)
  }
  return new Map([...sums].toSorted(([, one], [, other]) => other - one))
}

/** Each step of a selfie's time ends a quarter later than the one before. */
const stepRatio = 1.25

/**
 * A quantile of the times of selfies, in seconds, from their counts by step (step n holds what took
 * up to 1.25^n seconds and longer than the step before). Within a step times are taken as spread
 * evenly on its scale, so the answer is at most a quarter off. Undefined without selfies.
 * @param share such as 0.95
 */
export function selfieTimeQuantile(
  counts: ReadonlyMap<number | string, number>,
  share: number,
): number | undefined {
  const steps = [...counts].toSorted(([one], [other]) => Number(one) - Number(other))
  const total = steps.reduce((sum, [, count]) => sum + count, 0)
  let left = share * total
  for (const [step, count] of steps) {
    if (left <= count) return stepRatio ** (Number(step) - 1 + left / count)
    left -= count
  }
  return undefined
}

/** A day's figures, as triggers of migration 0103 name them; described in `daily-figures.json`. */
type DailyFigureName = keyof typeof dailyFigures.names

export interface DailyFigure {
  /** UTC, such as `2026-11-22`. */
  day: string
  figure: DailyFigureName
  label: string
  amount: number
}

/**
 * The figures from a day (UTC, such as `2026-11-22`) on, exactly: compacted sums and later changes
 * of the same moment.
 */
export async function readDailyFigures(database: Queryable, from: string): Promise<DailyFigure[]> {
  const { rows } = await sql<Record<'amount', string> & Omit<DailyFigure, 'amount'>>`
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
