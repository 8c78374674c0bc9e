import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { PaymentModuleParts } from './payment-module.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'

/** The providers that are set up. */
export interface OpenProviders {
  active: PaymentProvider
  all: readonly PaymentProvider[]
  find: (name: ProviderName) => PaymentProvider | undefined
  close(): Promise<void>
}

export interface OpenProvidersOptions extends Omit<
  PaymentModuleParts,
  'callbackUrl' | 'localCallbackUrl'
> {
  settings: PaymentSettings
  /** The address this program listens on, for callbacks on the same machine. */
  localUrl: () => string
}

/** Opens the providers that are set up; the sandbox gateway starts with the provider that uses it. */
export async function openProviders(options: OpenProvidersOptions): Promise<OpenProviders> {
  const { settings, localUrl, ...parts } = options
  const { callbackBaseUrl } = settings
  const opened = await Promise.all(
    [...settings.providers].map(([name, open]) => {
      const { callbackPath } = paymentProviders[name]
      return open({
        ...parts,
        callbackUrl: () => (callbackBaseUrl ?? parts.publicUrl) + callbackPath,
        localCallbackUrl: () => (callbackBaseUrl ?? localUrl()) + callbackPath,
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
    close: async () => {
      for (const { close } of opened) await close?.()
    },
  }
}
