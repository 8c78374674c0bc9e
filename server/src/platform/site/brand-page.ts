import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { languageNames, languages } from '@starside/contract/languages.ts'
import { brandNameSize } from '@starside/contract/brand-name.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { AppError } from '../errors/app-error.ts'
import { escapeHtml } from '../http/html.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { pictureUrl } from './present-brand.ts'
import type { SiteValues } from './site-settings.ts'
import type { Site } from './site.ts'
import { themes } from './brand-settings.ts'

/**
 * Puts the brand into a page of the build, so that no browser ever shows another name first: the
 * name in the places of `{brand}`, the line in that of `{line:…}`, logo, icon and colours, and the public
 * settings that the page's program begins with.
 */
export function brandPage(
  page: string,
  { values, settings }: { values: SiteValues; settings: PublicSettingsAnswer },
): string {
  const name = escapeHtml(values['brand.name'])
  const tag = /<html lang="([^"]*)"/.exec(page)?.[1]
  const language = languages.find((each) => languageNames[each].tag === tag) ?? 'en'
  const line = escapeHtml(values['brand.line'][language])
  const { logo } = settings.brand
  const named = page
    .replaceAll(/(<span[^>]*data-wordmark[^>]*>)\{brand\}<\/span>/g, (whole, start: string) =>
      logo === null
        ? whole.replace('=""', () => `="${brandNameSize(values['brand.name'])}"`)
        : `${start}<img src="${logo.url}" alt="${name}" width="${logo.widthPx}" height="${logo.heightPx}"/></span>`,
    )
    .replaceAll(/\{line:([^}]*)\}/g, (_whole, own: string) => (line === '' ? own : line))
    .replaceAll('{brand}', () => name)
  const icon = values['brand.icon']
  const withIcon =
    icon === ''
      ? named
      : named.replace(
          /<link rel="icon"[^>]*>\s*(?:<link rel="apple-touch-icon"[^>]*>)?/,
          () =>
            `<link rel="icon" href="${pictureUrl(icon.sizes?.any192 ?? icon.file)}" type="image/png">` +
            `<link rel="apple-touch-icon" href="${pictureUrl(icon.sizes?.appleTouch ?? icon.file)}">`,
        )
  return withIcon.replace('</head>', () => `${headOf(values, settings)}</head>`)
}

function headOf(values: SiteValues, settings: PublicSettingsAnswer): string {
  const styles = accentStylesOf(values)
  const link =
    styles === undefined ? '' : `<link rel="stylesheet" href="/brand/${accentFile(styles)}">`
  // No script: a data block, which no policy has to allow. Only its own end could end it.
  const data = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)
  return `${link}<script type="application/json" id="settings">${data}</script>`
}

/** The stylesheet of the colours; undefined while both are the themes' own. */
export function accentStylesOf(values: SiteValues): string | undefined {
  const { 'brand.accentLight': light, 'brand.accentDark': dark } = values
  if (light === themes.light.accent && dark === themes.dark.accent) return undefined
  return `:root{--accent-light:${light};--accent-dark:${dark}}`
}

/** The name of that stylesheet, by its content. */
export function accentFile(styles: string): string {
  return `accent-${createHash('sha256').update(styles).digest('hex').slice(0, 16)}.css`
}

const forAYear = 'public, max-age=31536000, immutable'

/** Where a picture of the brand lies in the object store. */
export function brandObjectKey(file: string): string {
  return `brand/${file}`
}

/** The brand's pictures and colours, by addresses that change with them. */
export async function brandRoutes(
  app: FastifyInstance,
  { site, store }: { site: Site; store: ObjectStore },
): Promise<void> {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const { file } = request.params
    if (/^accent-[\da-f]{16}\.css$/.test(file)) {
      const styles = accentStylesOf(site.values()) ?? ''
      // A page of another node may be a moment ahead, and one in a browser behind.
      const isCurrent = accentFile(styles) === file
      return reply
        .type('text/css; charset=utf-8')
        .header('cache-control', isCurrent ? forAYear : 'no-cache')
        .send(styles)
    }
    const bytes = /^[\da-f]{32}\.png$/.test(file)
      ? await store.get(brandObjectKey(file))
      : undefined
    if (bytes === undefined) throw new AppError('not_found')
    return reply.type('image/png').header('cache-control', forAYear).send(bytes)
  })
}
