import { findLanguage } from '@starside/contract/languages.ts'
import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { fill } from '@starside/contract/fill.ts'
import { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { mailMessages } from '../platform/messages/texts.ts'
import { writeMail } from '../platform/messages/write-mail.ts'
import type { PaymentParts } from './parts.ts'
import { expireOrders } from './cancel-order.ts'
import { receiptQueue } from './payments.ts'
import { resolveOwedFlags } from './order-records.ts'
import { reconcileOrders } from './reconcile-orders.ts'

const receiptJob = z.object({ orderId: z.string() })

/** The background work of orders: receipts, expiry, and the search for lost callbacks. */
export async function workOnOrders(context: PaymentParts): Promise<void> {
  const { database, clock, jobs, mailer, config, site } = context
  await jobs.work({
    ...receiptQueue,
    concurrency: 1,
    run: async ({ data }) => {
      const { orderId } = receiptJob.parse(data)
      await sendReceipt(
        { database, mailer, publicUrl: config.publicUrl, siteName: site.values()['brand.name'] },
        orderId,
      )
    },
  })
  await jobs.schedule('orders-expire', '* * * * *', async () => {
    await expireOrders(database, { now: clock() })
    await resolveOwedFlags(database, { now: clock() })
  })
  await jobs.schedule('orders-reconcile', '* * * * *', (signal) => reconcileOrders(context, signal))
}

/** Mails the buyer of the credits, perhaps twice; after a late payment nothing else tells them. */
export async function sendReceipt(
  parts: { database: Database; mailer: Mailer; publicUrl: string; siteName: string },
  orderId: string,
): Promise<void> {
  const row = await parts.database
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .select(['users.email', 'users.language', 'orders.price_cents', 'orders.paid_late'])
    .select(({ fn }) => fn.coalesce('orders.credits_granted', 'orders.credits').as('credits'))
    .select(['orders.credits_granted', 'orders.credits as ordered', 'orders.provider'])
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (row === undefined) return
  const texts = mailMessages[findLanguage([row.language])].receipt
  const sum = `$${(row.price_cents / 100).toFixed(2)}`
  const money = isTestMoney(row.provider) ? fill(texts.testMoney, { price: sum }) : sum
  const isWhole = row.credits_granted === null || row.credits_granted === row.ordered
  await parts.mailer.send({
    to: row.email,
    ...writeMail(row.language, 'receipt', {
      credits: String(row.credits),
      paid: fill(isWhole ? texts.whole : texts.part, { price: money }),
      late: row.paid_late ? texts.late : '',
      link: `${parts.publicUrl}/dashboard`,
      order: orderId,
      site: parts.siteName,
    }),
  })
}
