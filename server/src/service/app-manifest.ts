import { appIcons, installedApp } from '@starside/contract/installed-app.ts'
import { languageNames } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import { pages } from '@starside/contract/pages.ts'
import { serverMessages } from '../messages/server-messages.ts'
import { pictureUrl } from '../site/present-brand.ts'
import type { SiteValues } from '../site/site-settings.ts'

/** Colours of the light theme's paper, as in `web/index.html`. */
const paper = '#f4efe4'

/**
 * The manifest of the installed app (W3C, Web Application Manifest; Web Share Target): a photo that a
 * phone's gallery shares is posted to the service worker.
 * @param values what the operator has set: the name that the app goes by on the device, line and icon
 */
export function appManifest(values: SiteValues, language: Language): Record<string, unknown> {
  const brand = values['brand.name']
  const icon = values['brand.icon']
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
    icons:
      icon === ''
        ? appIcons
        : [
            {
              src: pictureUrl(icon.file),
              sizes: `${icon.widthPx}x${icon.heightPx}`,
              type: 'image/png',
              purpose: 'any',
            },
          ],
    share_target: {
      action: installedApp.shareTarget,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: installedApp.sharedPhotoField, accept: ['image/*'] }] },
    },
  }
}
