import { readDailyFigures, daysUntil, reportFigures } from '../../shop/figures/figure-report.ts'
import type { FigureReport, ReportLine } from '../../shop/figures/figure-report.ts'
import { sendCsv } from '../../platform/http/csv.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { dayText, listTable } from '../tables.ts'

const weekDays = 7
const spans = [weekDays, 30, 90] as const

/** What happened in the last days, beside as many before them, from kept sums. */
export const figuresPage: PageBody = {
  async show(call) {
    const { span, report, before } = await readReports(call)
    const { days, lines, models, splits } = report
    return html`<p class="links">
        ${spans.map(
          (other) =>
            html`<a
              href="/admin/figures?days=${other}"
              ${other === span && html`aria-current="page"`}
              >${other} days</a
            > `,
        )}
        <a href="/admin/figures/csv?days=${span}">Save as CSV</a>
      </p>
      ${showLines(lines, before, days)} ${models.length > 0 && showModels(models)}
      ${splits.map(
        ({ title, unit, rows }) =>
          rows.length > 0 &&
          html`<h2>${title}</h2>
            ${listTable(rows, '', {
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
  },
  downloads: {
    csv: {
      right: 'see figures',
      async send(call, reply) {
        const { span, whole } = await readReports(call)
        return sendCsv(reply, `figures-${span}.csv`, rowsOf(whole()))
      },
    },
  },
}

function spanOf({ query }: OperatorCall): number {
  return spans.find((span) => String(span) === query['days']) ?? spans[1]
}

async function readReports(call: OperatorCall, span = spanOf(call)) {
  const days = daysUntil(call.context.clock(), 2 * span)
  const figures = await readDailyFigures(call.context.database, days[0] ?? '')
  // What is younger than its span has nothing before, and is shown from its first day on, a week at least.
  const begun = days.findIndex((day) => day === figures[0]?.day)
  const first = Math.min(Math.max(span, begun), days.length - weekDays)
  return {
    span,
    report: reportFigures(figures, days.slice(first)),
    whole: () => reportFigures(figures, days.slice(span)),
    before: begun > span ? undefined : reportFigures(figures, days.slice(0, span)).lines,
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

/** What the home page shows of the last week: the first lines of all, with the week before. */
export async function showWeek(call: OperatorCall): Promise<Html> {
  const { report, before } = await readReports(call, weekDays)
  const lines = report.lines.filter(({ isOfWeek }) => isOfWeek)
  return showLines(lines, before, report.days)
}

function showLines(
  lines: readonly ReportLine[],
  before: readonly ReportLine[] | undefined,
  days: readonly string[],
) {
  return html`<div class="charts">
    ${lines.map((line) => {
      const { title, page, unit, total } = line
      const told = `${title}: ${amountText(total, unit)}`
      // A line that is only told where there was any, and wasn't then, was nothing.
      const { total: past } = before?.find((other) => other.title === title) ?? { total: 0 }
      return html`<section>
        <h2>${page === undefined ? told : html`<a href="/admin/${page}">${told}</a>`}</h2>
        ${
          before !== undefined &&
          html`<p class="hint">
            ${days.length} days before: ${amountText(past, unit)}${changeText(past, total)}
          </p>`
        }
        ${barChart(line, days)}
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

/** Bars, one a day; exact values go in a table beside. Missing ones leave a gap, and nothing is drawn of zeros alone. */
function barChart({ title, unit, values }: ReportLine, days: readonly string[]) {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  if (most === 0) return false
  const [first, last] = [days[0], days.at(-1)].map((day) => dayText(new Date(day ?? '')))
  return html`<p class="axis"><small>${amountText(most, unit)}</small></p>
    <svg
      class="chart"
      viewBox="0 0 ${values.length} ${most}"
      role="img"
      aria-label="${title} a day, at most ${amountText(most, unit)}"
      preserveAspectRatio="none"
    >
      ${values.map(
        (value = 0, index) =>
          html`<rect x="${index + 0.1}" y="${most - value}" width="0.8" height="${value}" />`,
      )}
    </svg>
    <p class="axis"><small>${first}</small> <small>${last}</small></p>`
}
