import { z } from 'zod'
import type { PaymentParts } from './parts.ts'
import { expireOrders } from './cancel-order.ts'
import { receiptQueue } from './payments.ts'
import { resolveOwedFlags } from './raise-flag.ts'
import { reconcileOrders } from './reconcile-orders.ts'
import { sendReceipt } from './send-receipt.ts'

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
