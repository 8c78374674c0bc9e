import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { listOrders } from '../../orders/operator-queries.ts'
import { resolveFlag } from '../../orders/raise-flag.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { dollars, firstRow, pageLinks, pageRowsMax, table, time } from '../tables.ts'

export const ordersPage: AdminPage = {
  path: '/admin/orders',
  title: 'Orders',
  act: 'see orders',
  group: 'People',
  show: showOrders,
  forms: {
    'resolve-flag': defineForm({
      act: 'resolve flags',
      fields: z.object({ flagId: z.string().regex(/^\d{1,18}$/), reason: reasonField }),
      async submit({ context: { database, clock } }, { flagId, reason }) {
        const isDone = await resolveFlag(database, { flagId, resolution: reason, now: clock() })
        return isDone
          ? { done: 'Resolved.', log: { subject: `flag ${flagId}`, reason } }
          : { refused: 'There is no such open flag.' }
      },
    }),
  },
}

async function showOrders(call: AdminCall): Promise<Html> {
  const { database } = call.context
  const flags = await database
    .selectFrom('order_flags')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('created_at')
    .limit(pageRowsMax)
    .execute()
  const orders = await listOrders(database, {
    onlyFlagged: false,
    limit: pageRowsMax + 1,
    offset: firstRow(call),
  })
  return html`<h2>Payments to review</h2>
    ${table(
      ['Flag', 'Order', 'Payment', 'What happened', 'Since', ''],
      flags.map((flag) => [
        html`<span class="bad">${flag.kind}</span>`,
        flag.order_id !== null &&
          html`<a href="/admin/orders/${flag.order_id}">${flag.order_id}</a>`,
        html`<code>${flag.payment_id}</code>`,
        flag.note,
        time(flag.created_at),
        foldedForm(
          call,
          'resolve-flag',
          (fields) =>
            html`${fields.hidden('flagId', flag.id)}
            ${fields.text({ name: 'reason', label: 'What was done', isRequired: true, lengthMax: 500 })}`,
          { button: 'Resolve', row: flag.id },
        ),
      ]),
    )}
    <h2>Orders</h2>
    ${table(
      ['Order', 'Buyer', 'Price', 'Credits', 'Provider', 'Status', 'Since', 'Flags'],
      orders
        .slice(0, pageRowsMax)
        .map((order) => [
          html`<a href="/admin/orders/${order.id}">${order.id}</a>`,
          order.email ?? 'deleted',
          dollars(order.price_cents),
          order.credits,
          order.provider,
          order.status,
          time(order.created_at),
          html`<span class="bad">${order.flags.join(', ')}</span>`,
        ]),
    )}
    ${pageLinks(call, { rowsMax: pageRowsMax, hasMore: orders.length > pageRowsMax })}`
}
