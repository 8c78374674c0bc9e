import { formatMessage } from '@starside/contract/fill.ts'
import { isTestMoney, paymentProviders } from '@starside/contract/payment-providers.ts'
import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import { errorTable, isErrorCode } from '@starside/contract/errors.ts'
import QRCode from 'qrcode'
import { Html, html } from '../platform/http/html.ts'
import type { OperatorCall } from './operator-page.ts'

export type Cell = Html | string | number | null | undefined | false

/** What a list shows of each row, by the heads of its columns. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** A table that scrolls sideways in itself where the page is narrow; `empty`, a sentence, where there are no rows. */
export function listTable<Row>(rows: readonly Row[], empty: string, columns: Columns<Row>): Html {
  if (rows.length === 0) return html`<p>${empty}</p>`
  const heads = Object.keys(columns)
  return html`<div class="table" tabindex="0" role="region" aria-label="${heads[0]} and more">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${Object.entries(columns).map(
                ([head, cell]) => html`<td data-head="${head}">${cell(row)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

export const pageRowsMax = 100

/** A list in pages: the address says the first row, searches stay; `read` gives rows from there. */
export async function listPage<Row>(
  call: Pick<OperatorCall, 'path' | 'query'>,
  read: (page: { offset: number; limit: number }) => Promise<readonly Row[]> | readonly Row[],
  empty: string,
  columns: Columns<Row>,
  rowsMax = pageRowsMax,
): Promise<Html> {
  const offset = Math.min(1e9, Math.max(0, Math.trunc(Number(call.query['from'])) || 0))
  const rows = await read({ offset, limit: rowsMax + 1 })
  const link = (start: number, text: string) => {
    const query = new URLSearchParams({ ...call.query, from: String(Math.max(0, start)) })
    return html`<a href="${call.path}?${query.toString()}">${text}</a> `
  }
  const none = Object.keys(call.query).length > 0 ? 'Nothing was found.' : empty
  return html`${listTable(rows.slice(0, rowsMax), none, columns)}
    <p>
      ${offset > 0 && link(offset - rowsMax, 'Before')}
      ${rows.length > rowsMax && link(offset + rowsMax, 'Next')}
    </p>`
}

/** @param more further fields of the search */
export function searchOf({ query }: Pick<OperatorCall, 'query'>, label: string, more?: Html) {
  const search = (query['q'] ?? '').trim().slice(0, 300)
  const searchForm = html`<form method="get">
    <label>${label} <input name="q" value="${search}" maxlength="300" /></label>
    ${more} <button>Search</button>
  </form>`
  return { search, searchForm }
}

/** Names with their values, one below the other; a value that is false leaves its name out. */
export function facts(rows: readonly (readonly [name: string | Html, value: Cell])[]): Html {
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        value !== false &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}

/** A text as a QR code (ISO/IEC 18004), to be scanned from the page. */
export async function qrCode(text: string): Promise<Html> {
  const svg = await QRCode.toString(text, { type: 'svg', margin: 2 })
  return html`<div class="qr">${new Html(svg)}</div>`
}

/** A text to copy that is shown this once, or several in rows. */
export function showOnce(...texts: readonly string[]): Html {
  if (texts.length === 1) return html`<pre class="once">${texts[0]}</pre>`
  return html`<ul class="once">
    ${texts.map((text) => html`<li><code class="once">${text}</code></li>`)}
  </ul>`
}

/** An ICU message with a `count` in it, in English as all of these pages. */
export function counted(message: string, count: number): string {
  return formatMessage(message, { count }, 'en')
}

/** Who takes the money, as people call it. */
export function providerTitle(name: PaymentProviderName): string {
  return isTestMoney(name) ? 'test money' : paymentProviders[name].title
}

/** What users read of a refusal, with its code in small type; another word as it is. */
export function refusalText(code: string): Html {
  if (!isErrorCode(code)) return html`${code}`
  return html`${errorTable[code].sentence} <small>${code}</small>`
}

/** Leads to the page of a selfie by the beginning of its id, whole in its title. */
export function selfieLink(id: string): Html {
  return html`<a href="/admin/selfies/${id}"><code title="${id}">${id.slice(0, 8)}</code></a>`
}

/** A day as `28 Nov 2026`, UTC. */
export function dayText(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
}

/** A time to the minute as `28 Nov 2026, 20:14 UTC`. */
export function timeText(date: Date): string {
  return `${dayText(date)}, ${date.toISOString().slice(11, 16)} UTC`
}

/** The same, exactly where it is pointed at; the page's script writes it as its reader does. Empty for none. */
export function time(date: Date | null | undefined): Html | false {
  if (date == null) return false
  return html`<time datetime="${date.toISOString()}" title="${date.toISOString()}"
    >${timeText(date)}</time
  >`
}

/** US cents as `$19.90`. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** An order's price, after what came of it where that was taken as enough. */
export function priceOf(order: { price_cents: number; received_cents: number | null }): string {
  const price = dollars(order.price_cents)
  return order.received_cents === null ? price : `${dollars(order.received_cents)} of ${price}`
}
