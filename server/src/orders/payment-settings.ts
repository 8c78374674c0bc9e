import { z } from 'zod'
import { optionalText, optionalUrl } from '../settings/fields.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { providerNames } from './provider.ts'
import type { ProviderName } from './provider.ts'

/** What the environment says about payments. */
export interface PaymentSettings {
  /** Takes new orders; the others that are set up still settle theirs. */
  active: ProviderName
  /** Where providers reach us, without a slash at the end. */
  callbackBaseUrl: string | undefined
  nowpayments:
    | {
        baseUrl: string
        apiKey: string
        ipnSecret: string
        merchant: { email: string; password: string } | undefined
        outcomeCoin: string | undefined
      }
    | undefined
  btcpay: { url: string; apiKey: string; storeId: string; webhookSecret: string } | undefined
  sandbox: { port: number; publicUrl: string | undefined } | undefined
}

/** The variables about payments; part of the environment's schema. */
export const paymentVariables = {
  PAYMENT_PROVIDER: z
    .enum(providerNames)
    .optional()
    .meta({ description: '`nowpayments`, `btcpay`, or `sandbox` for test money.' }),
  PAYMENT_CALLBACK_URL: optionalUrl.meta({
    description: 'Where payment providers reach us when not at PUBLIC_URL.',
  }),
  NOWPAYMENTS_API_KEY: optionalText.meta({ description: 'Key of NOWPayments.' }),
  NOWPAYMENTS_IPN_SECRET: optionalText.meta({ description: 'Secret of its notifications.' }),
  NOWPAYMENTS_BASE_URL: optionalUrl.meta({ description: 'Another address of its API.' }),
  NOWPAYMENTS_EMAIL: optionalText.meta({
    description: 'Account whose payments may be listed, to find what a lost notification told.',
  }),
  NOWPAYMENTS_PASSWORD: optionalText.meta({ description: 'Its password.' }),
  NOWPAYMENTS_OUTCOME_COIN: optionalText.meta({
    description: 'Coin that the money arrives in, to warn of prices below its minimum.',
  }),
  BTCPAY_URL: optionalUrl.meta({ description: 'Address of a BTCPay Server.' }),
  BTCPAY_API_KEY: optionalText.meta({ description: 'Its key.' }),
  BTCPAY_STORE_ID: optionalText.meta({ description: 'Its store.' }),
  BTCPAY_WEBHOOK_SECRET: optionalText.meta({ description: 'Secret of its notifications.' }),
  PAYMENT_SANDBOX_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .meta({ description: 'Port of the gateway for test money; by default PORT + 1.' }),
  PAYMENT_SANDBOX_PUBLIC_URL: optionalUrl.meta({ description: 'Where people reach that gateway.' }),
}

type Variables = z.output<z.ZodObject<typeof paymentVariables>>

/**
 * Turns the variables into settings. Throws when half a provider is set up, when a named one isn't,
 * and when nothing is set up in production: test money there has to be asked for by name.
 */
export function readPaymentSettings(
  env: Variables,
  program: { isProduction: boolean; port: number },
): PaymentSettings {
  const nowpayments = readNowpayments(env)
  const btcpay = readBtcpay(env)
  const active = env.PAYMENT_PROVIDER ?? defaultProvider({ nowpayments, btcpay }, program)
  const isMissing =
    (active === 'nowpayments' && nowpayments === undefined) ||
    (active === 'btcpay' && btcpay === undefined)
  if (isMissing)
    throw new SettingsError(`PAYMENT_PROVIDER is '${active}', but its settings are missing`)
  return {
    active,
    callbackBaseUrl: trimSlash(env.PAYMENT_CALLBACK_URL),
    nowpayments,
    btcpay,
    sandbox:
      active === 'sandbox'
        ? {
            port: env.PAYMENT_SANDBOX_PORT ?? (program.port === 0 ? 0 : program.port + 1),
            publicUrl: trimSlash(env.PAYMENT_SANDBOX_PUBLIC_URL),
          }
        : undefined,
  }
}

function defaultProvider(
  set: Pick<PaymentSettings, 'nowpayments' | 'btcpay'>,
  program: { isProduction: boolean },
): ProviderName {
  if (set.nowpayments !== undefined) return 'nowpayments'
  if (set.btcpay !== undefined) return 'btcpay'
  if (program.isProduction) {
    throw new SettingsError(
      'No payment provider is set up. Set NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET, or the ' +
        'BTCPAY_… settings; or set PAYMENT_PROVIDER=sandbox to take test money on purpose',
    )
  }
  return 'sandbox'
}

function readNowpayments(env: Variables): PaymentSettings['nowpayments'] {
  const apiKey = env.NOWPAYMENTS_API_KEY
  const ipnSecret = env.NOWPAYMENTS_IPN_SECRET
  if (apiKey === undefined && ipnSecret === undefined) return undefined
  if (apiKey === undefined || ipnSecret === undefined) {
    throw new SettingsError('NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET must be set together')
  }
  const { NOWPAYMENTS_EMAIL: email, NOWPAYMENTS_PASSWORD: password } = env
  if ((email === undefined) !== (password === undefined)) {
    throw new SettingsError('NOWPAYMENTS_EMAIL and NOWPAYMENTS_PASSWORD must be set together')
  }
  return {
    baseUrl: trimSlash(env.NOWPAYMENTS_BASE_URL) ?? 'https://api.nowpayments.io/v1',
    apiKey,
    ipnSecret,
    merchant: email === undefined || password === undefined ? undefined : { email, password },
    outcomeCoin: env.NOWPAYMENTS_OUTCOME_COIN?.toLowerCase(),
  }
}

function readBtcpay(env: Variables): PaymentSettings['btcpay'] {
  const url = trimSlash(env.BTCPAY_URL)
  const { BTCPAY_API_KEY: apiKey, BTCPAY_STORE_ID: storeId } = env
  const webhookSecret = env.BTCPAY_WEBHOOK_SECRET
  const given = [url, apiKey, storeId, webhookSecret].filter((value) => value !== undefined)
  if (given.length === 0) return undefined
  const isWhole =
    url !== undefined &&
    apiKey !== undefined &&
    storeId !== undefined &&
    webhookSecret !== undefined
  if (!isWhole) {
    throw new SettingsError(
      'BTCPAY_URL, BTCPAY_API_KEY, BTCPAY_STORE_ID and BTCPAY_WEBHOOK_SECRET must be set together',
    )
  }
  return { url, apiKey, storeId, webhookSecret }
}

function trimSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
