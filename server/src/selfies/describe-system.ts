import type { SelfieParts } from './parts.ts'
import { systemVersion } from '../platform/settings/system-version.ts'

/** What the pictures say of the installation that made them. */
export function describeSystem({ config, site }: Pick<SelfieParts, 'config' | 'site'>) {
  const values = site.values()
  return {
    watermarkText: values['brand.markText'] || config.publicHost,
    systemName: values['brand.name'],
    systemVersion,
    aiLabel: config.aiLabel,
  }
}
