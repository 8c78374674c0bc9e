import { readDailyFigures, daysUntil, reportFigures } from '../../shop/figures/figure-report.ts'
import type { FigureReport, ReportLine } from '../../shop/figures/figure-report.ts'
import { sendCsv } from '../../platform/http/csv.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { listTable } from '../tables.ts'

const spans = [7, 30, 90] as const

/** What happened in the last days, beside as many before them, from kept sums. */
export const figuresPage: PageBody = {
  show: showFigures,
  downloads: {
    csv: {
      right: 'see figures',
      async send(call, reply) {
        const { report } = await readReports(call, spanOf(call))
        return sendCsv(reply, `figures-${spanOf(call)}.csv`, rowsOf(report))
      },
    },
  },
}

function spanOf({ query }: OperatorCall): number {
  return spans.find((span) => String(span) === query['days']) ?? spans[1]
}

async function readReports({ context }: OperatorCall, span: number) {
  const days = daysUntil(context.clock(), 2 * span)
  const figures = await readDailyFigures(context.database, days[0] ?? '')
  return {
    report: reportFigures(figures, days.slice(span)),
    before: reportFigures(figures, days.slice(0, span)),
  }
}

function rowsOf({ days, lines, models, splits }: FigureReport) {
  return [
    ['day', ...lines.map(titleOf)],
    ...days.map((day, index) => [day, ...lines.map(({ values }) => values[index] ?? '')]),
    ['all', ...lines.map(({ total }) => total ?? '')],
    [],
    ['model', 'requests', 'failures', 'spent (USD)'],
    ...models.map((each) => [each.model, each.requests, each.failures, each.spentUsd]),
    [],
    ...splits.flatMap(({ title, unit, rows }) =>
      rows.map(({ label, amount }) => [unit === '' ? title : `${title} (${unit})`, label, amount]),
    ),
  ]
}

async function showFigures(call: OperatorCall) {
  const span = spanOf(call)
  const { report, before } = await readReports(call, span)
  const { days, lines, models, splits } = report
  return html`<p class="links">
      ${spans.map(
        (other) =>
          html`<a href="/admin/figures?days=${other}" ${other === span && html`aria-current="page"`}
            >${other} days</a
          > `,
      )}
      <a href="/admin/figures/csv?days=${span}">Save as CSV</a>
    </p>
    <p>Days run from midnight to midnight UTC; today's is not over yet. Times are rounded.</p>
    ${showLines(lines, before.lines, days)} ${models.length > 0 && showModels(models)}
    ${splits.map(
      ({ title, unit, rows }) =>
        html`<h2>${title}</h2>
          ${listTable(rows, 'Nothing was counted.', {
            What: ({ label }) => label,
            Amount: ({ amount }) => amountText(amount, unit),
          })}`,
    )}
    <details>
      <summary>All values as a table</summary>
      ${listTable([...days.entries()], '', {
        Day: ([, day]) => day,
        ...Object.fromEntries(
          lines.map((line) => [
            titleOf(line),
            ([index]: [number, string]) => amountText(line.values[index], line.unit),
          ]),
        ),
      })}
    </details>`
}

/** What the home page shows of the last week: the first lines of all, with the week before. */
export async function showWeek(call: OperatorCall): Promise<Html> {
  const { report, before } = await readReports(call, 7)
  const lines = report.lines.filter(({ isOfWeek }) => isOfWeek)
  return showLines(lines, before.lines, report.days)
}

function showLines(
  lines: readonly ReportLine[],
  before: readonly ReportLine[],
  days: readonly string[],
) {
  return html`<div class="charts">
    ${lines.map((line, index) => {
      const { title, unit, total } = line
      const past = before.find((other) => other.title === title)?.total
      return html`<section>
        <h2>${title}: ${amountText(total, unit)}</h2>
        <p class="hint">
          ${days.length} days before: ${amountText(past, unit)}${changeText(past, total)}
        </p>
        ${barChart(line, days, `chart-${index}`)}
      </section>`
    })}
  </div>`
}

/** How much more or less it is than before; nothing where there is nothing to compare with. */
function changeText(before: number | undefined, now: number | undefined): string {
  if (before === undefined || now === undefined || before === 0) return ''
  const percent = Math.round((now / before - 1) * 100)
  return percent < 0 ? `, ${-percent} % less now` : `, ${percent} % more now`
}

function showModels(models: FigureReport['models']) {
  return html`<h2>Hosted models</h2>
    <p>
      Requests that were sent and have ended; the spending is what was or may have been charged.
    </p>
    ${listTable(models, 'No hosted model was asked.', {
      Model: ({ model }) => model,
      Requests: ({ requests }) => requests,
      Failed: ({ failures }) => failures,
      'Share of failures': ({ requests, failures }) =>
        requests === 0 ? 'none' : `${((failures / requests) * 100).toFixed(1)} %`,
      Spent: ({ spentUsd }) => amountText(spentUsd, 'USD'),
    })}`
}

function titleOf({ title, unit }: ReportLine): string {
  return unit === '' ? title : `${title} (${unit})`
}

function amountText(amount: number | undefined, unit: ReportLine['unit']): string {
  if (amount === undefined) return 'none'
  if (unit === 'USD') return `$${amount.toFixed(2)}`
  return unit === 's' ? `${amount.toFixed(1)} s` : String(amount)
}

/** In words what the bars show, for those who don't see them. */
function describe({ values, unit }: ReportLine, days: readonly string[]): string {
  const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]))
  const most = known.toSorted((one, other) => other.value - one.value)[0]
  if (most === undefined || most.value === 0) return 'Nothing in these days.'
  return `Most on ${days[most.index]}: ${amountText(most.value, unit)}. Last day: ${amountText(values.at(-1), unit)}.`
}

const widthPx = 600
const heightPx = 120

/**
 * Bars, one a day, as an SVG that names and describes itself, without script; exact values go in a table beside.
 * Missing values leave a gap; where all are zero only the line is drawn.
 */
function barChart(line: ReportLine, days: readonly string[], id: string) {
  const { title, unit, values } = line
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const step = widthPx / Math.max(1, values.length)
  const bars = values.map((value, index) => {
    const height = most === 0 ? 0 : ((value ?? 0) / most) * heightPx
    return html`<rect
      x="${(index * step + step * 0.1).toFixed(1)}"
      y="${(heightPx - height).toFixed(1)}"
      width="${(step * 0.8).toFixed(1)}"
      height="${height.toFixed(1)}"
    />`
  })
  return html`<p class="axis"><small>${most > 0 && amountText(most, unit)}</small></p>
    <svg
      class="${most === 0 ? 'chart empty' : 'chart'}"
      viewBox="0 0 ${widthPx} ${heightPx + 1}"
      role="img"
      aria-labelledby="${id}-title ${id}-description"
      preserveAspectRatio="none"
    >
      <title id="${id}-title">${title} a day</title>
      <desc id="${id}-description">${describe(line, days)}</desc>
      ${bars}
      <line x1="0" x2="${widthPx}" y1="${heightPx}" y2="${heightPx}" />
    </svg>
    <p class="axis"><small>${days[0]}</small> <small>${days.at(-1)}</small></p>`
}
