import { html } from '../http/html.ts'
import type { Html } from '../http/html.ts'
import type { AdminCall } from './admin-page.ts'

export type Cell = Html | string | number | null | undefined | false

/** A table that scrolls sideways in itself where the page is narrow; 'None.' without rows. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`<div class="table" tabindex="0" role="region" aria-label="${heads[0]} and more">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Rows of a list that a page shows. */
export const pageRowsMax = 100

/** From which row of a list on the address asks for rows. */
export function firstRow({ query }: Pick<AdminCall, 'query'>): number {
  return Math.max(0, Math.trunc(Number(query['from'])) || 0)
}

/** Links to the rows before and after those of this page; what was searched for stays. */
export function pageLinks(
  call: Pick<AdminCall, 'path' | 'query'>,
  { rowsMax, hasMore }: { rowsMax: number; hasMore: boolean },
): Html {
  const from = firstRow(call)
  const link = (start: number, text: string) => {
    const query = new URLSearchParams({ ...call.query, from: String(Math.max(0, start)) })
    return html`<a href="${call.path}?${query.toString()}">${text}</a> `
  }
  return html`<p>
    ${from > 0 && link(from - rowsMax, 'Before')} ${hasMore && link(from + rowsMax, 'Next')}
  </p>`
}

/** Names with their values, one below the other. */
export function facts(rows: readonly (readonly [name: string, value: Cell])[]): Html {
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}

/** A time in UTC, to the minute; empty for none. */
export function time(date: Date | null | undefined): string {
  return date == null ? '' : date.toISOString().slice(0, 16).replace('T', ' ')
}

/** US cents as `$19.90`. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
