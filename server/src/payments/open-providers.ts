import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { OpenedProvider, PaymentModuleParts } from './payment-module.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'

/** The providers that are set up. */
export interface OpenProviders {
  /** Takes new orders. */
  active: PaymentProvider
  all: readonly PaymentProvider[]
  find: (name: ProviderName) => PaymentProvider | undefined
  /** Pages and calls of those that this program is itself. */
  routes: NonNullable<OpenedProvider['routes']>[]
  close(): Promise<void>
}

export interface OpenProvidersOptions extends Omit<
  PaymentModuleParts,
  'callbackUrl' | 'localCallbackUrl'
> {
  settings: PaymentSettings
}

/** Opens the providers that are set up. */
export async function openProviders(options: OpenProvidersOptions): Promise<OpenProviders> {
  const { settings, ...parts } = options
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
    active,
    all,
    find,
    routes: opened.flatMap(({ routes = [] }) => routes),
    close: async () => {
      for (const { close } of opened) await close?.()
    },
  }
}
