import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { sql } from 'kysely'
import { normaliseEmail } from '../auth/mailbox.ts'
import type { Context } from '../context.ts'
import { auditBooks } from '../credits/audit.ts'
import { readLedgerTotals } from '../credits/ledger-totals.ts'
import type { Presets } from '../generation/presets.ts'
import { html } from '../http/html.ts'
import type { Html } from '../http/html.ts'
import { readCounters } from '../metrics/counters.ts'
import type { CounterSubject } from '../metrics/counters.ts'
import { auditOrders } from '../orders/audit-orders.ts'
import { listOrders } from '../orders/operator-queries.ts'
import { listReports } from '../reports/list-reports.ts'

type Parts = Pick<Context, 'database' | 'config' | 'payments'>

const rowsMax = 100

/** The figures of the installation at a glance, and the health of the image providers. */
export async function overviewPage({ database, payments }: Parts): Promise<Html> {
  const { rows: figures } = await sql<{ what: string; value: string; late: boolean }>`
    select 'Selfies, last 24 h' as what, count(*)::text as value, false as late
      from generations where finished_at > now() - interval '1 day' and state = 'done'
    union all select 'Failed, last 24 h', count(*)::text, false
      from generations where finished_at > now() - interval '1 day' and state = 'failed'
    union all select 'Selfies in progress', count(*)::text, false
      from generations where state = 'running'
    union all select 'Jobs waiting', count(*)::text,
        coalesce(min(start_after) < now() - interval '5 minutes', false)
      from pgboss.job where state in ('created', 'retry') and start_after <= now()
    union all select 'Payments to review', count(*)::text, count(*) > 0
      from order_flags where resolved_at is null
    union all select 'Open reports', count(*)::text, coalesce(min(due_at) < now(), false)
      from reports where resolved_at is null
  `.execute(database)
  const accounts = await countIn(database, 'users', ['active', 'suspended'])
  const orders = await countIn(database, 'orders', ['initiated', 'pending', 'processing'])
  const providers = await database
    .selectFrom('image_providers')
    .selectAll()
    .orderBy('name')
    .execute()
  const now = Date.now()
  const tiles = [
    { what: 'Accounts', value: accounts, late: false },
    { what: 'Open orders', value: orders, late: false },
    ...figures,
  ]
  return html`<ul class="figures">
      ${tiles.map(
        ({ what, value, late }) =>
          html`<li class="${late ? 'bad' : ''}"><strong>${value}</strong> ${what}</li>`,
      )}
    </ul>
    <p>
      Payments go through
      ${payments.active.name}${isTestMoney(payments.active.name) && ' (test money)'}.
    </p>
    <h2>Image providers</h2>
    ${
      providers.length === 0
        ? html`<p>No hosted provider was used yet; the embedded compositor needs none.</p>`
        : table(
            ['Provider', 'Health', 'Failures in a row', 'Last success', 'Last error'],
            providers.map((provider) => [
              provider.name,
              provider.open_until !== null && provider.open_until.getTime() > now
                ? html`<span class="bad">paused until ${time(provider.open_until)}</span>`
                : 'in use',
              provider.failures_in_row,
              time(provider.last_success_at),
              provider.last_error_kind === null
                ? ''
                : `${provider.last_error_kind} ${time(provider.last_error_at)}`,
            ]),
          )
    }`
}

async function countIn(database: Parts['database'], subject: CounterSubject, states: string[]) {
  const counters = await readCounters(database, subject)
  return counters.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
}

export async function usersPage({ database }: Parts, search: string): Promise<Html> {
  const people = await database
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.username', 'users.status', 'users.created_at'])
    .select(['credit_accounts.balance', 'credit_accounts.owed', 'credit_accounts.bought_total'])
    .$if(search !== '', (query) =>
      query.where(({ or, eb, cast, ref }) =>
        or([
          eb('users.email', 'like', `${escapeLike(normaliseEmail(search))}%`),
          eb('users.username', 'ilike', `%${escapeLike(search)}%`),
          eb(cast<string>(ref('users.id'), 'text'), '=', search),
        ]),
      ),
    )
    .orderBy('users.created_at', 'desc')
    .limit(rowsMax)
    .execute()
  return html`<form method="get">
      <label>Email, name or id <input name="q" value="${search}" maxlength="200" /></label>
      <button>Search</button>
    </form>
    ${table(
      ['Email', 'Name', 'Status', 'Credits', 'Bought', 'Since', 'Account', ''],
      people.map((person) => {
        const isSuspended = person.status === 'suspended'
        return [
          person.email,
          person.username,
          isSuspended ? html`<span class="bad">suspended</span>` : 'active',
          person.owed > 0 ? `owes ${person.owed}` : person.balance,
          person.bought_total,
          time(person.created_at),
          html`<code>${person.id}</code>`,
          act(isSuspended ? 'unsuspend' : 'suspend', { email: person.email }, 'Reason'),
        ]
      }),
    )}`
}

export async function ordersPage({ database }: Parts): Promise<Html> {
  const flags = await database
    .selectFrom('order_flags')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('created_at')
    .limit(rowsMax)
    .execute()
  const orders = await listOrders(database, { onlyFlagged: false, limit: rowsMax })
  return html`<h2>Payments to review</h2>
    ${table(
      ['Flag', 'Order', 'Payment', 'What happened', 'Since', ''],
      flags.map((flag) => [
        html`<span class="bad">${flag.kind}</span>`,
        html`<code>${flag.order_id}</code>`,
        html`<code>${flag.payment_id}</code>`,
        flag.note,
        time(flag.created_at),
        act('resolve-flag', { flagId: flag.id }, 'What was done'),
      ]),
    )}
    <h2>Orders</h2>
    ${table(
      ['Order', 'Buyer', 'Price', 'Credits', 'Provider', 'Status', 'Since', 'Flags'],
      orders.map((order) => [
        html`<code>${order.id}</code>`,
        order.email ?? 'deleted',
        `$${(order.price_cents / 100).toFixed(2)}`,
        order.credits,
        order.provider,
        order.status,
        time(order.created_at),
        html`<span class="bad">${order.flags.join(', ')}</span>`,
      ]),
    )}`
}

/** Without the pictures: an operator has no business in them unless one is reported. */
export async function generationsPage({ database }: Parts): Promise<Html> {
  const newest = (state: 'running' | 'done' | 'failed') =>
    database
      .selectFrom('generations')
      .select(['id', 'user_id', 'celebrity', 'state', 'stage', 'provider', 'model', 'error_code'])
      .select(['created_at', 'finished_at'])
      .where('state', '=', sql.lit(state))
      .orderBy(state === 'running' ? 'created_at' : 'finished_at', 'desc')
      .limit(rowsMax)
      .execute()
  // Each state has an index of its own, by its own time.
  const found = await Promise.all([newest('running'), newest('done'), newest('failed')])
  const rows = found
    .flat()
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(0, rowsMax)
  return table(
    ['Selfie', 'Account', 'Star', 'State', 'Made by', 'Since', 'Seconds'],
    rows.map((row) => [
      html`<code>${row.id}</code>`,
      html`<code>${row.user_id}</code>`,
      row.celebrity,
      row.state === 'failed'
        ? html`<span class="bad">${row.error_code}</span>`
        : row.state === 'done'
          ? 'done'
          : row.stage,
      `${row.provider ?? ''} ${row.model ?? ''}`,
      time(row.created_at),
      row.finished_at === null
        ? ''
        : ((row.finished_at.getTime() - row.created_at.getTime()) / 1_000).toFixed(1),
    ]),
  )
}

export async function reportsPage({ database, config }: Parts): Promise<Html> {
  const open = await listReports(database, { all: false, limit: rowsMax })
  const all = await listReports(database, { all: true, limit: rowsMax })
  const now = Date.now()
  return html`<p>
      Each report is decided within 48 hours. To remove a picture, its blocked copies included:
      <code>npm run admin -- picture remove</code>.
    </p>
    <h2>Open</h2>
    ${table(
      ['Due', 'Picture', 'Reason', 'Details', 'Contact', ''],
      open.map((report) => [
        html`<span class="${report.due_at.getTime() < now ? 'bad' : ''}"
          >${time(report.due_at)}</span
        >`,
        report.link.startsWith(config.publicUrl) && /^https?:/.test(report.link)
          ? html`<a href="${report.link}" rel="noreferrer">${report.link}</a>`
          : report.link,
        report.reason,
        report.details,
        report.contact,
        act('keep-picture', { reportId: report.id }, 'Why it stays'),
      ]),
    )}
    <h2>All</h2>
    ${table(
      ['Filed', 'Reason', 'Outcome', 'Note'],
      all.map((report) => [time(report.created_at), report.reason, report.outcome, report.note]),
    )}`
}

export function presetsPage(presets: Presets): Html {
  return html`<p>
      Presets are added with their licence by
      <code>npm run admin -- preset add</code>.
    </p>
    ${table(
      ['Id', 'Name', 'Licence', 'Attribution', 'Picture'],
      presets
        .list()
        .map(({ id, name, licence, attribution, image }) => [
          html`<code>${id}</code>`,
          name,
          licence,
          attribution,
          html`<img src="${image}" alt="${name}" width="64" height="80" loading="lazy" />`,
        ]),
    )}`
}

/** The ledger's audit, made anew for every request. */
export async function booksPage({ database }: Parts): Promise<Html> {
  const report = await auditBooks(database)
  const findings = [...report.findings, ...(await auditOrders(database))]
  const totals = await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readLedgerTotals(transaction))
  return html`<p class="${findings.length === 0 ? '' : 'bad'}">
      ${findings.length === 0 ? 'The ledger adds up.' : `${findings.length} findings.`}
    </p>
    <ul>
      ${findings.map((finding) => html`<li class="bad">${finding}</li>`)}
    </ul>
    <dl>
      <dt>Entries</dt>
      <dd>${report.entries}</dd>
      <dt>Accounts</dt>
      <dd>${report.userAccounts}</dd>
      <dt>Open holds</dt>
      <dd>${report.openHolds}</dd>
      <dt>Sum of all accounts</dt>
      <dd>${report.sum}</dd>
    </dl>
    ${table(
      ['Reason', 'Entries', 'Credits'],
      totals.map(({ reason, entries, amount }) => [reason, entries, amount]),
    )}`
}

type Cell = Html | string | number | null | undefined | false

function table(heads: string[], rows: Cell[][]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`<div class="table">
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

/** A form for one act, with the reason that its record needs; folded, so that rows stay low. */
function act(name: string, fields: Record<string, string>, reasonLabel: string): Html {
  const label = name.replaceAll('-', ' ')
  return html`<details>
    <summary>${label}</summary>
    <form method="post" action="/admin/acts/${name}">
      ${Object.entries(fields).map(
        ([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`,
      )}
      <input
        name="reason"
        aria-label="${reasonLabel}"
        placeholder="${reasonLabel}"
        required
        maxlength="500"
      />
      <button>${label}</button>
    </form>
  </details>`
}

function time(date: Date | null): string {
  return date === null ? '' : date.toISOString().slice(0, 16).replace('T', ' ')
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
