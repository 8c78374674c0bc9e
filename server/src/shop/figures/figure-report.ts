import type { DailyFigure, DailyFigureName } from './daily-figures.ts'

/** One line of the report: a value for each day, and one for all of them. */
export interface ReportLine {
  title: string
  unit: '' | 'USD' | 's'
  /** In the order of the report's days; undefined where there is nothing to tell. */
  values: (number | undefined)[]
  total: number | undefined
}

/** What became of one model's requests. */
export interface ModelLine {
  /** As in IMAGE_PROVIDERS. */
  model: string
  /** Requests that were sent and have ended. */
  requests: number
  failures: number
  spentUsd: number
}

export interface FigureReport {
  /** UTC, oldest first. */
  days: string[]
  lines: ReportLine[]
  /** Hosted models by what was spent on them. */
  models: ModelLine[]
  /** Sums of all days by label, largest first. */
  splits: { title: string; unit: ReportLine['unit']; rows: { label: string; amount: number }[] }[]
}

const dayMs = 24 * 60 * 60_000

/** The days that end with that moment's, UTC. */
export function daysUntil(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

const sums: { title: string; figure: DailyFigureName; unit: ReportLine['unit']; per: number }[] = [
  { title: 'Selfies', figure: 'selfies', unit: '', per: 1 },
  { title: 'Failed selfies', figure: 'failures', unit: '', per: 1 },
  { title: 'New people', figure: 'people', unit: '', per: 1 },
  { title: 'Free to paid', figure: 'first_purchases', unit: '', per: 1 },
  { title: 'Purchases', figure: 'purchases', unit: '', per: 1 },
  { title: 'Revenue', figure: 'revenue_cents', unit: 'USD', per: 100 },
  { title: 'Refunds', figure: 'refunds', unit: '', per: 1 },
  { title: 'Refunded', figure: 'refunded_cents', unit: 'USD', per: 100 },
  { title: 'Cost of hosted models', figure: 'model_cost_micro_usd', unit: 'USD', per: 1_000_000 },
  { title: 'Registered by referral', figure: 'referrals', unit: '', per: 1 },
  { title: 'Referral bonuses', figure: 'referral_bonuses', unit: '', per: 1 },
  { title: 'Vouchers redeemed', figure: 'voucher_redemptions', unit: '', per: 1 },
  { title: 'Voucher credits', figure: 'voucher_credits', unit: '', per: 1 },
]

/** Makes the report of some days from their kept figures. */
export function reportFigures(figures: readonly DailyFigure[], days: string[]): FigureReport {
  const indexOf = new Map(days.map((day, index) => [day, index]))
  const within = figures.filter(({ day }) => indexOf.has(day))
  const lines = sums.map(({ title, figure, unit, per }): ReportLine => {
    const values = days.map(() => 0)
    for (const { day, amount } of within.filter((row) => row.figure === figure)) {
      const index = indexOf.get(day) ?? 0
      values[index] = (values[index] ?? 0) + amount / per
    }
    return { title, unit, values, total: values.reduce((sum, value) => sum + value, 0) }
  })
  const selfies = within.filter(({ figure }) => figure === 'selfies')
  const split = (
    title: string,
    figure: DailyFigureName,
    unit: ReportLine['unit'],
    per: number,
  ) => ({
    title,
    unit,
    rows: sumByLabel(within.filter((row) => row.figure === figure)).map(({ label, amount }) => ({
      label,
      amount: amount / per,
    })),
  })
  return {
    days,
    lines: [
      ...lines.slice(0, 2),
      timeLine('Time of a selfie, p50', 0.5, selfies, days),
      timeLine('Time of a selfie, p95', 0.95, selfies, days),
      ...lines.slice(2),
    ],
    models: reportModels(within),
    splits: [
      split('Revenue by coin', 'coin_cents', 'USD', 100),
      split('Failures by code', 'failures', '', 1),
      split('Cost by provider', 'model_cost_micro_usd', 'USD', 1_000_000),
    ],
  }
}

function reportModels(figures: readonly DailyFigure[]): ModelLine[] {
  const sumsOf = (name: DailyFigureName) =>
    new Map(
      sumByLabel(figures.filter(({ figure }) => figure === name)).map(({ label, amount }) => [
        label,
        amount,
      ]),
    )
  const spent = sumsOf('model_spend_micro_usd')
  const requests = sumsOf('model_requests')
  const failures = sumsOf('model_failures')
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
  const countsOf = (rows: readonly DailyFigure[]) =>
    new Map(sumByLabel(rows).map(({ label, amount }) => [Number(label), amount]))
  return {
    title,
    unit: 's',
    values: days.map((day) =>
      selfieTimeQuantile(countsOf(selfies.filter((row) => row.day === day)), share),
    ),
    total: selfieTimeQuantile(countsOf(selfies), share),
  }
}

function sumByLabel(rows: readonly DailyFigure[]): { label: string; amount: number }[] {
  const byLabel = new Map<string, number>()
  for (const { label, amount } of rows) byLabel.set(label, (byLabel.get(label) ?? 0) + amount)
  return [...byLabel]
    .map(([label, amount]) => ({ label, amount }))
    .toSorted((one, other) => other.amount - one.amount)
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
  counts: ReadonlyMap<number, number>,
  share: number,
): number | undefined {
  const steps = [...counts].toSorted(([one], [other]) => one - other)
  const total = steps.reduce((sum, [, count]) => sum + count, 0)
  let left = share * total
  for (const [step, count] of steps) {
    if (left <= count) return stepRatio ** (step - 1 + left / count)
    left -= count
  }
  return undefined
}
