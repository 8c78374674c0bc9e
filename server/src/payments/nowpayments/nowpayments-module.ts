import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { definePaymentModule } from '../payment-module.ts'
import { createNowpaymentsProvider } from './nowpayments-provider.ts'

export const nowpaymentsModule = definePaymentModule({
  variables: {
    NOWPAYMENTS_API_KEY: optionalText.meta({ description: 'Key of NOWPayments.' }),
    NOWPAYMENTS_IPN_SECRET: optionalText.meta({ description: 'Secret of its notifications.' }),
    NOWPAYMENTS_BASE_URL: optionalUrl.meta({ description: 'Another address of its API.' }),
    NOWPAYMENTS_EMAIL: optionalText.meta({
      description:
        'Account whose payments may be listed, to find what a lost notification reported.',
    }),
    NOWPAYMENTS_PASSWORD: optionalText.meta({ description: 'Its password.' }),
    NOWPAYMENTS_OUTCOME_COIN: optionalText.meta({
      description: 'Coin that the money arrives in, to warn of prices below its minimum.',
    }),
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
