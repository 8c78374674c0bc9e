import { z } from 'zod'
import { orderStatuses } from './order-statuses.ts'
import { successful } from './successful.ts'

/** `priceCents` as the buyer has seen it, so that nobody pays another one unasked. */
export const createOrderInput = z.object({ packageType: z.string(), priceCents: z.int().nullish() })

export const cancelOrderInput = z.object({ orderId: z.string() })

/** An order as its owner sees it. */
export const order = z.object({
  orderId: z.string(),
  userId: z.string(),
  /** US dollars, as the specification's field; the books count cents. */
  amount: z.number(),
  /** What came of it, in US dollars, where its buyer took the credits that this is worth. */
  receivedAmount: z.number().nullable(),
  credits: z.number().int(),
  packageType: z.string(),
  status: z.enum(orderStatuses),
  /** Where to pay; null when the provider gave none. */
  paymentUrl: z.string().nullable(),
  /** The provider's id of what is to be paid: an invoice, or whatever it calls it. */
  providerPaymentId: z.string().nullable(),
  /** The same under the specification's name, whichever provider it is. */
  nowpaymentsId: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  /** Set while a deposit was too small: what came and what is missing, in the coin's own unit; coins by their names. */
  underpaid: z
    .object({
      paidAmount: z.string(),
      missingAmount: z.string(),
      currency: z.string(),
      payUrl: z.string().nullable(),
      /** The credits that what came is worth, and that the buyer can take instead of paying the rest. */
      worthCredits: z.number().int(),
    })
    .nullable(),
  /** True when the payment came after the order had expired or was cancelled. */
  paidLate: z.boolean(),
  /** True for test money. */
  testMoney: z.boolean(),
})
export type Order = z.infer<typeof order>

export const orderAnswer = successful({ data: order })

/** An order with what is told of it afterwards, as on a receipt. */
const pastOrder = order.extend({
  /** What came for it: the coin's own unit, when it was first seen (ISO time), and its provider's id of it. */
  payments: z.array(
    z.object({
      paymentId: z.string(),
      amount: z.string(),
      currency: z.string(),
      arrivedAt: z.string(),
    }),
  ),
  /** When its money went back, and its credits with it. ISO time. */
  refundedAt: z.string().nullable(),
})
export type PastOrder = z.infer<typeof pastOrder>

export const orderListAnswer = successful({ items: z.array(pastOrder) })
