import type { PaymentFacts } from '../payments/provider.ts'

/** A payment as its provider reports it when the price of the basic package came in full. */
export function finishedPayment(more: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    paymentId: '1',
    parentPaymentId: null,
    invoiceId: null,
    orderId: null,
    state: 'finished',
    providerStatus: 'finished',
    price: { minorUnits: 1000, currency: 'usd' },
    payCurrency: 'btc',
    payAmount: 1,
    paidAmount: 1,
    settledAmount: more.paidAmount === undefined ? 1 : more.paidAmount,
    isLate: false,
    isOverpaid: false,
    isMarkedPaid: false,
    updatedAtMs: null,
    ...more,
  }
}
