import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { listOpenFlags, listOrders } from '../../payments/operator-queries.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { resolveFlagAct } from '../acts/order-acts.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { dollars, listPage, listTable, pageRowsMax, time } from '../tables.ts'

export const ordersPage: OperatorPage = {
  path: '/admin/orders',
  title: 'Orders',
  right: 'see orders',
  group: 'Users',
  show: showOrders,
  forms: actForms(resolveFlagAct),
}

async function showOrders(call: OperatorCall): Promise<Html> {
  const { database } = call.context
  return html`<h2>Payments to review</h2>
    ${listTable(await listOpenFlags(database, pageRowsMax), {
      Flag: ({ kind }) => html`<span class="bad">${kind}</span>`,
      Order: ({ order_id: id }) => id !== null && html`<a href="/admin/orders/${id}">${id}</a>`,
      Payment: ({ payment_id }) => html`<code>${payment_id}</code>`,
      'What happened': ({ note }) => note,
      Since: ({ created_at }) => time(created_at),
      Actions: ({ id }) => actForm(call, resolveFlagAct, { id }, { row: id }),
    })}
    <h2>Orders</h2>
    ${await listPage(call, (page) => listOrders(database, { onlyFlagged: false, ...page }), {
      Order: ({ id }) => html`<a href="/admin/orders/${id}">${id}</a>`,
      Buyer: ({ email }) => email ?? 'deleted',
      Price: ({ price_cents }) => dollars(price_cents),
      Credits: ({ credits }) => credits,
      Provider: ({ provider }) => provider,
      Status: ({ status }) => status,
      Since: ({ created_at }) => time(created_at),
      Flags: ({ flags }) => html`<span class="bad">${flags.join(', ')}</span>`,
    })}`
}
