import { isOpen, orderStatuses } from '@starside/contract/order-statuses.ts'
import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import { html } from '../../platform/http/html.ts'
import { readCounters } from '../../platform/metrics/counters.ts'
import type { CounterSubject } from '../../platform/metrics/counters.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { showWeek } from './figures-page.ts'
import { readFirstSteps, showOpenSteps } from './first-steps-page.ts'
import { listTable, time } from '../tables.ts'

export const overviewPage: PageBody = {
  async show(call) {
    const steps = call.may('see first steps') ? await readFirstSteps(call.context) : []
    const open = showOpenSteps(call, steps)
    // What is merely recommended waits below the figures.
    const isNeeded = steps.some(({ level }) => level === 'problem')
    const week =
      call.may('see figures') &&
      html`<h2>Last seven days</h2>
        ${await showWeek(call)}`
    return html`${isNeeded && open}
      <h2>Now</h2>
      ${await showOverview(call)} ${week} ${!isNeeded && open}`
  },
}

async function showOverview(call: OperatorCall) {
  const { database, payments, clock } = call.context
  const now = clock()
  const countIn = async (subject: CounterSubject, states: string[]) => {
    const counters = await readCounters(database, subject)
    return counters.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
  }
  const { rows: figures } = await sql<{ what: string; value: string; late: boolean }>`
    select 'Selfies, last 24 h' as what, count(*)::text as value, false as late
      from generations where finished_at > ${now}::timestamptz - interval '1 day' and state = 'done'
    union all select 'Failed, last 24 h', count(*)::text, false
      from generations where finished_at > ${now}::timestamptz - interval '1 day' and state = 'failed'
    union all select 'Selfies in progress', count(*)::text, false
      from generations where state = 'running'
    union all select 'Jobs waiting', count(*)::text,
        coalesce(min(start_after) < now() - interval '5 minutes', false)
      from pgboss.job where state in ('created', 'retry') and start_after <= now()
    union all select 'Payments to review', count(*)::text, count(*) > 0
      from order_flags where resolved_at is null
    union all select 'Open reports', count(*)::text, coalesce(min(due_at) < ${now}, false)
      from reports where resolved_at is null
  `.execute(database)
  const providers = await findRows(database, 'image_providers', sql`true order by name`)
  const accounts = await countIn('users', ['active', 'suspended'])
  const openOrders = await countIn('orders', orderStatuses.filter(isOpen))
  const tiles = [
    { what: 'Accounts', value: accounts, late: false },
    { what: 'Open orders', value: openOrders, late: false },
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
    <h3>Image providers</h3>
    ${listTable(providers, 'No hosted provider was used yet; the embedded compositor needs none.', {
      Provider: ({ name }) => name,
      Health: ({ open_until: until }) =>
        until !== null && until > now
          ? html`<span class="bad">paused until ${time(until)}</span>`
          : 'in use',
      'Failures in a row': ({ failures_in_row }) => failures_in_row,
      'Last success': ({ last_success_at }) => time(last_success_at),
      'Last error': ({ last_error_kind: kind, last_error_at: at }) =>
        kind === null ? '' : `${kind} ${time(at)}`,
    })}`
}
