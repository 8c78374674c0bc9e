import { readFileSync } from 'node:fs'
import { readDailyFigures, daysUntil, reportFigures } from '../../shop/figures/figure-report.ts'
import type { FigureReport, ReportLine } from '../../shop/figures/figure-report.ts'
import { sendCsv } from '../../platform/http/csv.ts'
import { fillHtml, html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { dayText, listTable, refusalText } from '../tables.ts'

const spans = [7, 30, 90] as const

/** What happened in the last days, beside as many before them, from kept sums. */
export const figuresPage: PageBody = {
  async show(call) {
    const { span, before, begun, days, lines, models, splits } = await readReports(call)
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
      <p class="hint">
        ${dateText(days[0])} to
        ${dateText(days.at(-1))}${begun && `; first figures: ${dateText(begun)}`}
      </p>
      ${showLines(lines, before, days)} ${models.length > 0 && showModels(models)}
      ${splits.map(
        ({ title, unit, rows }) =>
          rows.length > 0 &&
          html`<h2>${title}</h2>
            ${listTable(rows, '', {
              What: ({ label }) => refusalText(label),
              Amount: ({ amount }) => amountText(amount, unit),
            })}`,
      )}
      <details>
        <summary>All values as a table</summary>
        ${listTable([...days.entries()].toReversed(), '', {
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
        const { span, days, lines, models, splits } = await readReports(call)
        return sendCsv(reply, `figures-${span}.csv`, [
          ['day', ...lines.map(titleOf)],
          ...days.map((day, index) => [day, ...lines.map(({ values }) => values[index] ?? '')]),
          ['all', ...lines.map(({ total }) => total ?? '')],
          [],
          ['model', 'requests', 'failures', 'spent (USD)'],
          ...models.map((each) => [each.model, each.requests, each.failures, each.spentUsd]),
          [],
          ...splits.flatMap(({ title, unit, rows }) =>
            rows.map(({ label, amount }) => [titleOf({ title, unit }), label, amount]),
          ),
        ])
      },
    },
  },
}

async function readReports(call: OperatorCall, given?: number) {
  const span = given ?? spans.find((each) => String(each) === call.query['days']) ?? spans[1]
  const days = daysUntil(call.context.clock(), 2 * span)
  const figures = await readDailyFigures(call.context.database, days[0] ?? '')
  const past = days.slice(0, span)
  // What is younger than its span has nothing before.
  const isOlder = figures.some(({ day }) => past.includes(day))
  return {
    span,
    ...reportFigures(figures, days.slice(span)),
    before: isOlder ? reportFigures(figures, past).lines : undefined,
    begun: isOlder ? undefined : figures[0]?.day,
  }
}

/** What the home page shows of the last week: the first lines of all, with the week before. */
export async function showWeek(call: OperatorCall): Promise<Html> {
  const { before, days, lines } = await readReports(call, 7)
  const ofWeek = lines.filter(({ isOfWeek }) => isOfWeek)
  return showLines(ofWeek, before, days)
}

function showLines(
  lines: readonly ReportLine[],
  before: readonly ReportLine[] | undefined,
  days: readonly string[],
) {
  return html`<div class="charts">
    ${lines.map((line) => {
      const { title, page, unit, total } = line
      // A line that is only told where there was any, and wasn't then, was nothing.
      const { total: past } = before?.find((other) => other.title === title) ?? { total: 0 }
      const compared = `${days.length} days before: ${amountText(past, unit)}${changeText(past, total)}`
      const related = lines.filter(({ scale }) => scale !== undefined && scale === line.scale)
      return html`<section>
        <h2>
          ${page === undefined ? html`<span>${title}</span>` : html`<a href="/admin/${page}">${title}</a>`}
          <strong>${amountText(total, unit)}</strong>
        </h2>
        ${before && html`<p class="hint">${compared}</p>`}
        ${barChart(line, mostOf(line, ...related), days)}
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

function titleOf({ title, unit }: Pick<ReportLine, 'title' | 'unit'>): string {
  return unit === '' ? title : `${title} (${unit})`
}

function amountText(amount: number | undefined, unit: ReportLine['unit']): string {
  if (amount === undefined) return 'none'
  if (unit === 'USD') return `$${amount.toFixed(2)}`
  return unit === 's' ? `${amount.toFixed(1)} s` : String(amount)
}

const mostOf = (...lines: readonly ReportLine[]) =>
  Math.max(...lines.flatMap(({ values }) => values.map((value = 0) => value)))

/** Bars, one a day, on a scale up to `top`; exact values go in a table beside. None of one day alone. */
function barChart(line: ReportLine, top: number, days: readonly string[]) {
  const { title, unit, values } = line
  if (values.filter(Boolean).length < 2) return false
  const bars = values.map(
    (value = 0, index) =>
      html`<rect x="${index + 0.1}" y="${top - value}" width="0.8" height="${value}" />`,
  )
  return fillHtml(chart, {
    top: amountText(top, unit),
    size: `${values.length} ${top}`,
    name: `${title} a day, at most ${amountText(mostOf(line), unit)}`,
    bars: html`${bars}`,
    first: dateText(days[0]),
    last: dateText(days.at(-1)),
  })
}

const chart = readFileSync(new URL('figure-chart.html', import.meta.url), 'utf8')

const dateText = (day = '') => dayText(new Date(day))
