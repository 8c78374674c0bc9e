import type { IncomingMessage } from 'node:http'
import {
  installedApp,
  sharedPhotoBytesMax,
  sharedPhotoParameter,
  appIcons,
} from '@starside/contract/installed-app.ts'
import appearance from './app-appearance.json' with { type: 'json' }
import { languageNames } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import { pages } from '@starside/contract/pages.ts'
import type { FastifyInstance } from 'fastify'
import { readLanguage } from '../../platform/http/read-language.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { iconKinds } from '../../platform/site/brand-settings.ts'
import { pictureUrl } from '../../platform/site/present-brand.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'
import type { Site } from '../../platform/site/site.ts'

/** What an installed app needs of the server: its manifest, and an answer to a share. */
export async function installedAppRoutes(
  app: FastifyInstance,
  { site }: { site: Site },
): Promise<void> {
  app.get(installedApp.manifest, async (request, reply) => {
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .send(JSON.stringify(appManifest(site.values(), readLanguage(request))))
  })

  // The service worker answers this one. Where there is none (yet), the photo is read and dropped,
  // and the dashboard says that it has to be chosen there. Whatever else is sent isn't read at all.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    drainBody(payload, done)
  })
  app.post(
    installedApp.shareTarget,
    { bodyLimit: sharedPhotoBytesMax },
    async (_request, reply) =>
      await reply.redirect(`${pages.dashboard.path}?${sharedPhotoParameter}`, 303),
  )
}

/** Reads a body to its end and keeps nothing; one that is too long loses its connection. */
function drainBody(payload: IncomingMessage, done: (error: Error | null) => void): void {
  let sizeBytes = 0
  payload.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > sharedPhotoBytesMax) payload.destroy()
  })
  payload.on('end', () => done(null))
  payload.on('error', done)
}

/** The manifest (W3C, Web Application Manifest; Web Share Target), with the operator's values. */
function appManifest(values: SiteValues, language: Language): Record<string, unknown> {
  const brand = values['brand.name']
  return {
    ...appearance,
    name: brand,
    short_name: brand,
    description: values['brand.line'][language] || serverMessages[language].appDescription,
    lang: languageNames[language].tag,
    start_url: pages.dashboard.path,
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
