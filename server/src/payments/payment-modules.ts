import { isTestMoney, paymentProviders } from '@starside/contract/payment-providers.ts'
import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { optionalText, optionalUrl, trimSlash } from '../platform/settings/fields.ts'
import { SettingsError } from '../platform/settings/settings-error.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import { createBtcpayProvider } from './btcpay/btcpay-provider.ts'
import { createNowpaymentsProvider } from './nowpayments/nowpayments-provider.ts'
import type { PaymentProvider } from './provider.ts'

const names = Object.keys(paymentProviders) as [PaymentProviderName, ...PaymentProviderName[]]

/** The variables about payments; part of the environment's schema. */
export const paymentVariables = {
  PAYMENT_PROVIDER: z.enum(names).optional(),
  PAYMENT_CALLBACK_URL: optionalUrl,
  NOWPAYMENTS_API_KEY: optionalText,
  NOWPAYMENTS_IPN_SECRET: optionalText,
  NOWPAYMENTS_BASE_URL: optionalUrl,
  NOWPAYMENTS_EMAIL: optionalText,
  NOWPAYMENTS_PASSWORD: optionalText,
  NOWPAYMENTS_OUTCOME_COIN: optionalText,
  BTCPAY_URL: optionalUrl,
  BTCPAY_API_KEY: optionalText,
  BTCPAY_STORE_ID: optionalText,
  BTCPAY_WEBHOOK_SECRET: optionalText,
}
type Variables = z.output<z.ZodObject<typeof paymentVariables>>

/** What a provider is opened with. */
export interface PaymentModuleParts {
  /** Where it sends its callbacks, unless it runs on this machine. */
  callbackUrl: () => string
  /** The same by the address that this program listens on. */
  localCallbackUrl: () => string
  publicUrl: string
  /** Where this program, or the one that serves the API, is reached from here. */
  localUrl: () => string
  keys: Pick<Keys, 'paymentSandboxApi' | 'paymentSandboxIpn'>
  fetch: typeof fetch
  now: () => number
}

export interface OpenedProvider {
  provider: PaymentProvider
  /** Pages and calls of a provider that this program is itself. */
  routes?: (app: FastifyInstance) => Promise<void>
  close?: () => Promise<void>
}

/** Opens a provider whose settings are there and sound. */
export type OpenPaymentProvider = (parts: PaymentModuleParts) => Promise<OpenedProvider>

/** A payment provider as the program knows it before anything is set up. */
interface PaymentModule {
  /** Variables that must be set, all of them or none; none for one that is only used by name. */
  required: readonly (keyof Variables)[]
  /** Takes the variables once the required ones are there. Throws a SettingsError. */
  read(variables: Variables): OpenPaymentProvider
}

/** Where the sandbox lies on this program's own address. */
const sandboxPath = '/sandbox'

/** The module of each provider; the first whose settings are there takes new orders by default. */
export const paymentModules: Readonly<Record<PaymentProviderName, PaymentModule>> = {
  nowpayments: {
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
  },
  btcpay: {
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
  },
  /** Test money: the sandbox that comes with the program, through the code that NOWPayments uses. */
  sandbox: {
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
      const closeCheckout = gateway.cancelInvoice
      return { provider: { ...provider, closeCheckout }, routes, close: gateway.close }
    },
  },
}

/** What the environment says about payments. */
export interface PaymentSettings {
  /** Takes new orders; the others that are set up still settle theirs. */
  active: PaymentProviderName
  /** Where providers reach us, without a slash at the end. */
  callbackBaseUrl: string | undefined
  /** Those that are set up. */
  providers: ReadonlyMap<PaymentProviderName, OpenPaymentProvider>
}

/**
 * Turns variables into settings. Throws when a provider is set up half, or named and not set up; when production
 * has none, as test money must be named; and for test money beside real, which gives credits for nothing.
 */
export function readPaymentSettings(
  env: Variables,
  program: { isProduction: boolean },
): PaymentSettings {
  const complete = names.filter((name) => !isTestMoney(name) && isComplete(name, env))
  const active = env.PAYMENT_PROVIDER ?? complete[0] ?? defaultProvider(program)
  if (!isTestMoney(active) && !complete.includes(active)) {
    throw new SettingsError(`PAYMENT_PROVIDER is '${active}', but its settings are missing`)
  }
  if (isTestMoney(active) && complete.length > 0) {
    throw new SettingsError(
      `PAYMENT_PROVIDER is '${active}', which takes test money, but ${complete.join(' and ')} is ` +
        'set up for real money. Remove the settings of one of them',
    )
  }
  const used = isTestMoney(active) ? [active] : complete
  return {
    active,
    callbackBaseUrl: trimSlash(env.PAYMENT_CALLBACK_URL),
    providers: new Map(used.map((name) => [name, paymentModules[name].read(env)])),
  }
}

/** Whether what a provider needs is there; throws when it is only there in parts. */
function isComplete(name: PaymentProviderName, env: Variables): boolean {
  const { required } = paymentModules[name]
  const given = required.filter((variable) => env[variable] !== undefined)
  if (given.length !== 0 && given.length !== required.length) {
    throw new SettingsError(`${required.join(', ')} must be set together`)
  }
  return given.length > 0
}

function defaultProvider(program: { isProduction: boolean }): PaymentProviderName {
  const [testMoney] = names.filter(isTestMoney)
  if (!program.isProduction && testMoney !== undefined) return testMoney
  const choices = names
    .map((name) => paymentModules[name].required.join(' and '))
    .filter((text) => text !== '')
  throw new SettingsError(
    `No payment provider is set up. Set ${choices.join(', or ')}; ` +
      `or set PAYMENT_PROVIDER=${testMoney ?? ''} to take test money on purpose`,
  )
}
