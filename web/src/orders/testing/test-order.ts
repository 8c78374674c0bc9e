import type { PastOrder } from '@starside/contract/orders.ts'
import type { StoredOrder } from '../order-store.ts'

/** An order of today that waits for its payment, for tests. */
export const testOrder: StoredOrder = {
  orderId: 'order_m1abc_x7k2p9',
  userId: 'u1',
  amount: 10,
  credits: 100,
  packageType: 'basic',
  status: 'pending',
  paymentUrl: 'http://pay/1',
  nowpaymentsId: '1',
  createdAt: new Date().toISOString(),
  metadata: { package: 'basic', previousCredits: 0, previousTotalBought: 0 },
}

const { orderId, userId, amount, credits, packageType, paymentUrl, nowpaymentsId, createdAt } =
  testOrder

/** The same order as the server tells of it, for tests. */
export const testAnswer: PastOrder = {
  orderId,
  userId,
  amount,
  credits,
  packageType,
  paymentUrl,
  nowpaymentsId,
  createdAt,
  status: 'pending',
  providerPaymentId: '1',
  completedAt: null,
  receivedAmount: null,
  underpaid: null,
  paidLate: false,
  testMoney: false,
  payments: [],
  refundedAt: null,
}

/** What came of its price, and what is missing, for tests. */
export const partPaid: NonNullable<StoredOrder['underpaid']> = {
  paidAmount: '6',
  missingAmount: '4',
  currency: 'USDC',
  payUrl: '',
  worthCredits: 60,
}
