import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import { btcpayModule } from './btcpay/btcpay-module.ts'
import { nowpaymentsModule } from './nowpayments/nowpayments-module.ts'
import { sandboxModule } from './sandbox/sandbox-module.ts'

/** The module of each provider; the first whose settings are there takes new orders by default. */
export const paymentModules = {
  nowpayments: nowpaymentsModule,
  btcpay: btcpayModule,
  sandbox: sandboxModule,
} satisfies Record<PaymentProviderName, object>
