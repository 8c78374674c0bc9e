import type { Context } from '../context.ts'
import { findSharedPicture } from '../generation/shared-picture.ts'

/**
 * The Open Graph and X card tags (ogp.me; developer.x.com, "summary_large_image") of a shared
 * picture, to stand in the head of the landing page. Undefined when the link was revoked.
 */
export async function shareCardTags(
  context: Pick<Context, 'database' | 'config' | 'site'>,
  options: { shareId: string; path: string },
): Promise<string | undefined> {
  if (!isShareId(options.shareId)) return undefined
  const row = await findSharedPicture(context.database, options.shareId)
  if (row === undefined) return undefined
  const { publicUrl } = context.config
  const title = `A selfie with ${row.celebrity}`
  const siteName = context.site.values()['brand.name']
  const description = `Made with ${siteName}. This picture was made with AI.`
  const image = `${publicUrl}/api/shares/${options.shareId}/picture.jpg`
  const tags: [attribute: string, name: string, content: string][] = [
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', siteName],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:url', publicUrl + options.path],
    ['property', 'og:image', image],
    ['property', 'og:image:type', 'image/jpeg'],
    ['property', 'og:image:width', String(row.width_px)],
    ['property', 'og:image:height', String(row.height_px)],
    ['property', 'og:image:alt', title],
    ['name', 'twitter:card', 'summary_large_image'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', image],
    ['name', 'twitter:image:alt', title],
    ['name', 'robots', 'noindex'],
  ]
  return tags
    .map(
      ([attribute, name, content]) => `<meta ${attribute}="${name}" content="${escape(content)}">`,
    )
    .join('')
}

/** What an id of a public link looks like: 128 bits in base64url. */
export function isShareId(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
