import type { ProviderName } from './provider.ts'

/** Where each provider sends its callbacks. The sandbox speaks NOWPayments' protocol. */
export const callbackPaths: Record<ProviderName, string> = {
  nowpayments: '/api/payments/nowpayments/ipn',
  sandbox: '/api/payments/nowpayments/ipn',
  btcpay: '/api/payments/btcpay/webhook',
}
