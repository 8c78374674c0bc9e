import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { definePaymentModule } from '../payment-module.ts'
import { createBtcpayProvider } from './btcpay-provider.ts'

export const btcpayModule = definePaymentModule({
  variables: {
    BTCPAY_URL: optionalUrl,
    BTCPAY_API_KEY: optionalText,
    BTCPAY_STORE_ID: optionalText,
    BTCPAY_WEBHOOK_SECRET: optionalText,
  },
  required: ['BTCPAY_URL', 'BTCPAY_API_KEY', 'BTCPAY_STORE_ID', 'BTCPAY_WEBHOOK_SECRET'],
  read:
    (variables) =>
    async ({ fetch }) => ({
      provider: createBtcpayProvider({
        url: trimSlash(variables.BTCPAY_URL) ?? '',
        apiKey: variables.BTCPAY_API_KEY ?? '',
        storeId: variables.BTCPAY_STORE_ID ?? '',
        webhookSecret: variables.BTCPAY_WEBHOOK_SECRET ?? '',
        fetch,
      }),
    }),
})
