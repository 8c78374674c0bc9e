/** Who collects money. Each has a module in `server/src/payments/payment-modules.ts`. */
export const paymentProviders = {
  nowpayments: { title: 'NOWPayments', callbackPath: '/api/payments/nowpayments/ipn' },
  btcpay: { title: 'BTCPay Server', callbackPath: '/api/payments/btcpay/webhook' },
  /** Comes with the program, speaks NOWPayments' protocol and moves no real money. */
  sandbox: { title: 'NOWPayments', callbackPath: '/api/payments/nowpayments/ipn' },
} as const satisfies Record<string, { title: string; callbackPath: `/api/payments/${string}` }>

/** Under which orders and payments are stored. */
export type PaymentProviderName = keyof typeof paymentProviders
export type PaymentCallbackPath = (typeof paymentProviders)[PaymentProviderName]['callbackPath']

/** True when no real money moves. */
export function isTestMoney(provider: PaymentProviderName): boolean {
  return provider === 'sandbox'
}
