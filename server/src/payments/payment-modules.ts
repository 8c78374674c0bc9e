import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import type { FastifyInstance } from 'fastify'
import { optionalText, optionalUrl, trimSlash } from '../platform/settings/fields.ts'
import { SettingsError } from '../platform/settings/settings-error.ts'
import { createBtcpayProvider } from './btcpay/btcpay-provider.ts'
import { createNowpaymentsProvider } from './nowpayments/nowpayments-provider.ts'
import { definePaymentModule } from './payment-module.ts'

const nowpayments = definePaymentModule({
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

const btcpay = definePaymentModule({
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

/** Where the gateway for test money lies on this program's own address. */
const sandboxPath = '/sandbox'

/** Test money: the gateway that comes with the program, through the code that NOWPayments uses. */
const sandbox = definePaymentModule({
  variables: {},
  required: [],
  read: () => async (parts) => {
    const apiKey = parts.keys.paymentSandboxApi.toString('hex')
    const ipnSecret = parts.keys.paymentSandboxIpn.toString('hex')
    // Only loaded when it is needed: an installation with a real provider has no use for it.
    const { openNowpaymentsGateway } = await import('@starside/sandbox/nowpayments/gateway.ts')
    const publicUrl = () => parts.publicUrl + sandboxPath
    const gateway = openNowpaymentsGateway({ apiKey, ipnSecret, publicUrl })
    const provider = createNowpaymentsProvider({
      name: 'sandbox',
      baseUrl: () => `${parts.localUrl()}${sandboxPath}/v1`,
      apiKey,
      ipnSecret,
      merchant: { email: 'test', password: 'money' },
      outcomeCoin: undefined,
      callbackUrl: parts.localCallbackUrl,
      fetch: parts.fetch,
      now: parts.now,
    })
    const routes = async (app: FastifyInstance) => {
      await app.register(gateway.routes, { prefix: sandboxPath })
    }
    return { provider, routes, close: gateway.close }
  },
})

/** The module of each provider; the first whose settings are there takes new orders by default. */
export const paymentModules = {
  nowpayments,
  btcpay,
  sandbox,
} satisfies Record<PaymentProviderName, object>

/** The variables of all of them; part of the environment's schema. */
export const moduleVariables = { ...nowpayments.variables, ...btcpay.variables }
