import { paymentProviders, isTestMoney } from '@starside/contract/payment-providers.ts'
import type { PlatformParts } from '../platform/parts.ts'
import { isThisMachine } from '../platform/http/network-address.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { PaymentSettings, PaymentModuleParts } from './payment-modules.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { createPaymentWatcher } from './watch-payments.ts'
import type { ProviderName, PaymentProvider } from './provider.ts'

/** Queue of mails about credits, tried for some nine hours: a mail server may be away so long. */
export const receiptQueue = {
  name: 'order-receipt',
  retryLimit: 14,
  backsOff: true,
  expireInSeconds: 60,
}

/** Everything long-lived about payments, built once. */
export type Payments = Awaited<ReturnType<typeof openPayments>>

/** Opens the providers of the settings, with the watcher that reads and settles their payments. */
export async function openPayments(
  parts: Pick<PlatformParts, 'clock' | 'database' | 'jobs' | 'keys' | 'log'> & {
    config: {
      readonly payments: PaymentSettings
      readonly publicUrl: string
      readonly port: number
      readonly role: 'api' | 'worker' | 'all'
    }
    fetch: typeof fetch
  },
) {
  const { config, clock, keys, fetch } = parts
  // A worker serves no API: the sandbox is where the public address leads.
  let localUrl = config.role === 'worker' ? config.publicUrl : `http://127.0.0.1:${config.port}`
  const providers = await openProviders({
    settings: config.payments,
    publicUrl: config.publicUrl,
    localUrl: () => localUrl,
    keys,
    fetch,
    now: () => clock().getTime(),
  })
  const enqueueReceipt: EnqueueReceipt = (transaction, orderId) =>
    parts.jobs.enqueue(transaction, receiptQueue.name, { orderId })
  const findProvider = providers.find
  const watcher = createPaymentWatcher({ ...parts, findProvider, enqueueReceipt })
  return {
    ...providers,
    watcher,
    enqueueReceipt,
    /** Tells where this program listens, so that it and the sandbox can call each other. */
    listensAt: (url: string) => {
      localUrl = url
    },
    close: async () => {
      await watcher.close()
      await providers.close()
    },
  }
}

/** Opens the providers that are set up. */
export async function openProviders({
  settings,
  ...parts
}: Omit<PaymentModuleParts, 'callbackUrl' | 'localCallbackUrl'> & { settings: PaymentSettings }) {
  const { callbackBaseUrl } = settings
  const opened = await Promise.all(
    [...settings.providers].map(([name, open]) => {
      const { callbackPath } = paymentProviders[name]
      return open({
        ...parts,
        callbackUrl: () => (callbackBaseUrl ?? parts.publicUrl) + callbackPath,
        localCallbackUrl: () => (callbackBaseUrl ?? parts.localUrl()) + callbackPath,
      })
    }),
  )
  const all = opened.map(({ provider }) => provider)
  const find = (name: ProviderName) => all.find((provider) => provider.name === name)
  const active = find(settings.active)
  if (active === undefined) throw new Error(`the payment provider ${settings.active} is not set up`)
  return {
    /** Takes new orders. */
    active,
    all,
    find,
    /** Pages and calls of those that this program is itself. */
    routes: opened.flatMap(({ routes = [] }) => routes),
    close: async () => {
      for (const { close } of opened) await close?.()
    },
  }
}

const checkTimeoutMs = 30_000

/** Warns of callbacks that can't arrive, prices below minimums, or no answer. Never throws. */
export async function warnAboutPayments(
  provider: PaymentProvider,
  config: { readonly publicUrl: string; readonly payments: PaymentSettings },
  { pricesCents, log }: { pricesCents: readonly number[]; log: Logger },
): Promise<void> {
  if (isTestMoney(provider.name)) return
  const callbackHost = new URL(config.payments.callbackBaseUrl ?? config.publicUrl).hostname
  if (isThisMachine(callbackHost)) {
    log.warn(
      {},
      `Payment callbacks can't reach '${callbackHost}': set PUBLIC_URL or PAYMENT_CALLBACK_URL to ` +
        'an address on the internet. Until then payments are found only by asking the provider.',
    )
  }
  try {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    for (const sentence of await provider.checkPrices([...pricesCents], signal))
      log.warn({}, sentence)
  } catch (error) {
    log.warn({ err: error }, 'the payment provider could not be asked for its minimum amounts')
  }
}
