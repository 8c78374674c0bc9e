import type { Context } from '../app/context.ts'
import { systemVersion } from '../platform/settings/system-version.ts'

/** What the pictures say of the installation that made them. */
export function describeSystem({ config, site }: Pick<Context, 'config' | 'site'>) {
  const values = site.values()
  return {
    watermarkText: values['brand.markText'] || config.publicHost,
    systemName: values['brand.name'],
    systemVersion,
  }
}
