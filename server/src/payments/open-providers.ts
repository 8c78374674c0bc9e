import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { PaymentModuleParts } from './payment-module.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { ProviderName } from './provider.ts'

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
