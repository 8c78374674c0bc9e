import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ModelCatalogue } from '../../vendors/models/model-catalogue.ts'
import { vendorNames } from '../../vendors/vendor-names.ts'
import type { VendorName } from '../../vendors/vendor-names.ts'

/** One provider of the chain. */
export interface ChainStep {
  provider: VendorName | 'compositor'
  /** Empty for the compositor, which names its own. */
  model: string
  /** As in the settings: `fal:google/nano-banana-2.1/edit`. */
  name: string
}

/** What IMAGE_PROVIDERS may name. */
export const acceptedProviders = ['compositor', ...vendorNames.map((name) => `${name}:MODEL`)]

/**
 * Reads the chain of providers from the text of IMAGE_PROVIDERS. Throws `SettingsError` for a name that
 * isn't accepted, for none, and for one that comes twice.
 */
export function readChain(text: string): ChainStep[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const steps = names.map((name): ChainStep => {
    if (name === 'compositor') return { provider: name, model: '', name }
    const provider = vendorNames.find((vendor) => name.startsWith(`${vendor}:`))
    const model = provider === undefined ? '' : name.slice(provider.length + 1)
    if (provider !== undefined && model !== '') return { provider, model, name }
    throw new SettingsError(
      `IMAGE_PROVIDERS has '${name}'. Accepted are ${acceptedProviders.join(', ')}, with commas between`,
    )
  })
  if (steps.length === 0) throw new SettingsError('IMAGE_PROVIDERS names no provider of pictures')
  if (new Set(names).size < names.length) {
    throw new SettingsError('IMAGE_PROVIDERS names a provider twice, which could charge twice')
  }
  return steps
}

/** A model whose name nobody has seen at its vendor's is used only when an operator vouches for it. */
export function refuseUnverified(chain: readonly ChainStep[], models: ModelCatalogue): void {
  for (const { provider, model, name } of chain) {
    if (provider === 'compositor' || !models.isUnverified(provider, model)) continue
    throw new SettingsError(
      `IMAGE_PROVIDERS names ${name}, which was not verified. Read its page at the vendor’s, and say so in IMAGE_MODELS_FILE: [{"provider": "${provider}", "model": "${model}", "seen": {"on": "2026-01-31", "source": "https://…"}}]`,
    )
  }
}
