import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { readShareTags } from './brand-settings.ts'
import type { SiteValues } from './site-settings.ts'

/** The brand as browsers get it. */
export function presentBrand(values: SiteValues): PublicSettingsAnswer['brand'] {
  const logo = values['brand.logo']
  const name = values['brand.name']
  return {
    name,
    line: values['brand.line'],
    logo:
      logo === ''
        ? null
        : { url: pictureUrl(logo.file), widthPx: logo.widthPx, heightPx: logo.heightPx },
    shareText: values['brand.shareText'],
    shareTags: readShareTags(values['brand.shareTags'], name),
  }
}

/** Where a stored picture of the brand is served. */
export function pictureUrl(file: string): string {
  return `/brand/${file}`
}
