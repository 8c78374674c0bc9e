import { isOpen, orderStatuses } from '@starside/contract/order-statuses.ts'
import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import { html } from '../../platform/http/html.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { showWeek } from './figures-page.ts'
import { readFirstSteps, showOpenSteps } from './first-steps-page.ts'
import { counted, listTable, providerTitle, time } from '../tables.ts'

export const overviewPage: PageBody = {
  async show(call) {
    const steps = call.may('see first steps') ? await readFirstSteps(call.context) : []
    const { rows: uses } = await sql`
      select from generations where state = 'done' union all
      select from orders where status = 'completed' limit 1`.execute(call.context.database)
    // What is merely recommended waits below the figures, in one line once it is used.
    const isNeeded = steps.some(({ level }) => level === 'problem')
    const open = showOpenSteps(call, steps, !isNeeded && uses.length > 0)
    const week =
      call.may('see figures') &&
      html`<h2>Last seven days</h2>
        ${await showWeek(call)}
        <p><a href="/admin/figures?days=7">All figures</a></p>`
    return html`${isNeeded && open}
      <h2>Now</h2>
      ${await showOverview(call)} ${week} ${!isNeeded && open}`
  },
}

/** Those that list what is counted. */
type Page = 'users' | 'orders' | 'selfies' | 'reports'

async function showOverview(call: OperatorCall) {
  const { database, payments, clock } = call.context
  const now = clock()
  const open = orderStatuses.filter(isOpen)
  const { rows: tiles } = await sql<
    Record<'what' | 'value' | 'query', string> & { late: boolean; page: Page | null }
  >`
    with counted as (
      select subject, state, count from tallies
      union all select subject, state, change from tally_changes
    )
    select '{count, plural, one {User} other {Users}}' as what, coalesce(sum(count), 0)::text as value, false as late,
        'users' as page, '' as query
      from counted where subject = 'users' and state in ('active', 'suspended')
    union all select '{count, plural, one {Open order} other {Open orders}}', coalesce(sum(count), 0)::text, false, 'orders', ''
      from counted where subject = 'orders' and state = any(${open})
    union all select '{count, plural, one {Selfie} other {Selfies}}, last 24 hours', count(*)::text, false, 'selfies', '?q=done'
      from generations where finished_at > ${now}::timestamptz - interval '1 day' and state = 'done'
    union all select 'Failed, last 24 hours', count(*)::text, false, 'selfies', '?q=failed'
      from generations where finished_at > ${now}::timestamptz - interval '1 day' and state = 'failed'
    union all select '{count, plural, one {Selfie} other {Selfies}} in progress', count(*)::text, false, 'selfies', '?q=running'
      from generations where state = 'running'
    union all select '{count, plural, one {Payment} other {Payments}} to review', count(*)::text, count(*) > 0, 'orders', ''
      from order_flags where resolved_at is null
    union all select '{count, plural, one {Open report} other {Open reports}}', count(*)::text, coalesce(min(due_at) < ${now}, false), 'reports', ''
      from reports where resolved_at is null
    union all select '{count, plural, one {Job has} other {Jobs have}} waited over five minutes. Is a worker running?', count(*)::text, true, null, ''
      from pgboss.job where state in ('created', 'retry')
        and start_after < now() - interval '5 minutes' having count(*) > 0
  `.execute(database)
  const providers = await findRows(database, 'image_providers', sql`true order by name`)
  return html`<ul class="figures">
      ${tiles.map(({ what, value, late, page, query }) => {
        const shown = html`<strong>${value}</strong> ${counted(what, Number(value))}`
        const isLink = page !== null && call.may(`see ${page}`)
        return html`<li class="${late && 'bad'}">
          ${isLink ? html`<a href="/admin/${page}${query}">${shown}</a>` : shown}
        </li>`
      })}
    </ul>
    <p>Payments: ${providerTitle(payments.active.name)}.</p>
    <h3>Image providers</h3>
    ${listTable(providers, 'No outside service is used: this server makes the pictures.', {
      Provider: ({ name }) => name,
      Health: ({ open_until: until }) =>
        until !== null && until > now
          ? html`<span class="bad">paused until ${time(until)}</span>`
          : 'in use',
      'Failures in a row': ({ failures_in_row }) => failures_in_row,
      'Last success': ({ last_success_at }) => time(last_success_at),
      'Last error': ({ last_error_kind: kind, last_error_at: at }) =>
        kind !== null && html`${kind} ${time(at)}`,
    })}`
}
