import { appIcons, installedApp } from '@starside/contract/installed-app.ts'
import { languageNames } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import { pages } from '@starside/contract/pages.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { iconKinds } from '../../platform/site/brand-settings.ts'
import { pictureUrl } from '../../platform/site/present-brand.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'

/** Colours of the light theme's paper, as in `web/index.html`. */
const paper = '#f4efe4'

/**
 * The manifest of the installed app (W3C, Web Application Manifest; Web Share Target): a photo that a
 * phone's gallery shares is posted to the service worker.
 * @param values what the operator has set: the name that the app goes by on the device, line and icon
 */
export function appManifest(values: SiteValues, language: Language): Record<string, unknown> {
  const brand = values['brand.name']
  return {
    id: '/',
    name: brand,
    short_name: brand,
    description: values['brand.line'][language] || serverMessages[language].appDescription,
    lang: languageNames[language].tag,
    dir: 'ltr',
    start_url: pages.dashboard.path,
    scope: '/',
    display: 'standalone',
    orientation: 'any',
    background_color: paper,
    theme_color: paper,
    categories: ['photo', 'entertainment'],
    icons: iconsOf(values['brand.icon']),
    share_target: {
      action: installedApp.shareTarget,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: installedApp.sharedPhotoField, accept: ['image/*'] }] },
    },
  }
}

/** The operator's icon in the sizes that platforms ask for, or the program's own. */
function iconsOf(icon: SiteValues['brand.icon']): readonly object[] {
  if (icon === '') return appIcons
  const { file, widthPx, heightPx, sizes } = icon
  const type = 'image/png'
  if (sizes === undefined) {
    return [{ src: pictureUrl(file), sizes: `${widthPx}x${heightPx}`, type, purpose: 'any' }]
  }
  return (['any192', 'any512', 'maskable192', 'maskable512'] as const).map((kind) => ({
    src: pictureUrl(sizes[kind]),
    sizes: `${iconKinds[kind].sidePx}x${iconKinds[kind].sidePx}`,
    type,
    purpose: kind.startsWith('any') ? 'any' : 'maskable',
  }))
}
