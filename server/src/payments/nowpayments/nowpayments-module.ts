import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { definePaymentModule } from '../payment-module.ts'
import { createNowpaymentsProvider } from './nowpayments-provider.ts'

export const nowpaymentsModule = definePaymentModule({
  variables: {
    NOWPAYMENTS_API_KEY: optionalText,
    NOWPAYMENTS_IPN_SECRET: optionalText,
    NOWPAYMENTS_BASE_URL: optionalUrl,
    NOWPAYMENTS_EMAIL: optionalText,
    NOWPAYMENTS_PASSWORD: optionalText,
    NOWPAYMENTS_OUTCOME_COIN: optionalText,
  },
  required: ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  read(variables) {
    const { NOWPAYMENTS_EMAIL: email, NOWPAYMENTS_PASSWORD: password } = variables
    if ((email === undefined) !== (password === undefined)) {
      throw new SettingsError('NOWPAYMENTS_EMAIL and NOWPAYMENTS_PASSWORD must be set together')
    }
    const baseUrl = trimSlash(variables.NOWPAYMENTS_BASE_URL) ?? 'https://api.nowpayments.io/v1'
    return async ({ callbackUrl, fetch, now }) => ({
      provider: createNowpaymentsProvider({
        name: 'nowpayments',
        baseUrl: () => baseUrl,
        apiKey: variables.NOWPAYMENTS_API_KEY ?? '',
        ipnSecret: variables.NOWPAYMENTS_IPN_SECRET ?? '',
        merchant: email === undefined || password === undefined ? undefined : { email, password },
        outcomeCoin: variables.NOWPAYMENTS_OUTCOME_COIN?.toLowerCase(),
        callbackUrl,
        fetch,
        now,
      }),
    })
  },
})
