import { join } from 'node:path'
import { createBtcpayProvider } from './btcpay/btcpay-provider.ts'
import { createNowpaymentsProvider } from './nowpayments/nowpayments-provider.ts'
import type { PaymentSettings } from './payment-settings.ts'
import { callbackPaths } from './callback-paths.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'
import type { Keys } from '../secrets/keys.ts'

/** The providers that are set up. */
export interface OpenProviders {
  active: PaymentProvider
  find: (name: ProviderName) => PaymentProvider | undefined
  close(): Promise<void>
}

export interface OpenProvidersOptions {
  settings: PaymentSettings
  publicUrl: string
  dataFolder: string
  listenAddress: string
  /** The address this program listens on, for callbacks on the same machine. */
  localUrl: () => string
  /** Keys of the sandbox gateway follow from it, so that they outlive a restart. */
  keys: Pick<Keys, 'paymentSandboxApi' | 'paymentSandboxIpn'>
  /** False for a program that only reads: the sandbox gateway of another one is used. */
  startsGateway: boolean
  fetch: typeof fetch
  now: () => number
}

/** Builds the providers; starts the sandbox gateway when that is the one in use. */
export async function openProviders(options: OpenProvidersOptions): Promise<OpenProviders> {
  const { settings, fetch, now } = options
  const providers: PaymentProvider[] = []
  let closeGateway: (() => Promise<void>) | undefined
  const callbackUrl = () =>
    (settings.callbackBaseUrl ?? options.publicUrl) + callbackPaths.nowpayments
  if (settings.nowpayments !== undefined) {
    providers.push(
      createNowpaymentsProvider({
        ...settings.nowpayments,
        name: 'nowpayments',
        callbackUrl,
        fetch,
        now,
      }),
    )
  }
  if (settings.btcpay !== undefined) {
    providers.push(createBtcpayProvider({ ...settings.btcpay, fetch }))
  }
  if (settings.sandbox !== undefined) {
    const sandbox = await openSandbox(options, settings.sandbox)
    providers.push(sandbox.provider)
    closeGateway = sandbox.close
  }
  const find = (name: ProviderName) => providers.find((provider) => provider.name === name)
  const active = find(settings.active)
  if (active === undefined) throw new Error(`the payment provider ${settings.active} is not set up`)
  return { active, find, close: async () => closeGateway?.() }
}

async function openSandbox(
  options: OpenProvidersOptions,
  sandbox: { port: number; publicUrl: string | undefined },
): Promise<{ provider: PaymentProvider; close: () => Promise<void> }> {
  const { keys, settings } = options
  const apiKey = keys.paymentSandboxApi.toString('hex')
  const ipnSecret = keys.paymentSandboxIpn.toString('hex')
  // Only loaded when it is needed: an installation with a real provider has no use for it.
  const { startSandboxGateway } = await import('./start-sandbox-gateway.ts')
  const gateway = await startSandboxGateway({
    ...sandbox,
    appUrl: options.publicUrl,
    host: options.listenAddress,
    apiKey,
    ipnSecret,
    dataFile: join(options.dataFolder, 'payment-sandbox.jsonl'),
    startsGateway: options.startsGateway,
  })
  const provider = createNowpaymentsProvider({
    name: 'sandbox',
    baseUrl: `${gateway.url}/v1`,
    apiKey,
    ipnSecret,
    merchant: gateway.merchant,
    outcomeCoin: undefined,
    callbackUrl: () => (settings.callbackBaseUrl ?? options.localUrl()) + callbackPaths.sandbox,
    fetch: options.fetch,
    now: options.now,
  })
  return { provider, close: gateway.close }
}
