import { customCelebrity } from '@starside/contract/limits.ts'
import { languages } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import type { SelfieParts } from '../parts.ts'
import type { GenerationRow } from '../queries.ts'
import { findSharedPicture } from './share-picture.ts'
import { fill } from '@starside/contract/fill.ts'
import { html } from '../../platform/http/html.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { cardSize } from './make-card.ts'

interface CardLink {
  /** The `selfie` of the address; null for a link to the site itself. */
  shareId: string | null
  /** The `ref` of the address; null for a link that invites nobody. */
  referralCode: string | null
  /** The `lang` of the address: what whoever passed the link on speaks. */
  sharedIn: string | null
  /** What whoever asks speaks; holds where the address names no language. */
  language: Language
  /** The network of whoever asks. */
  network: string
}

/**
 * Open Graph and X card tags (ogp.me; developer.x.com, "summary_large_image") of a shared picture,
 * an invitation or the site, for the landing page's head; those of the site for a revoked link.
 */
export async function shareCardTags(
  context: Pick<SelfieParts, 'database' | 'config' | 'pictureReads' | 'site'>,
  link: CardLink,
): Promise<string> {
  const { publicUrl } = context.config
  const brand = context.site.values()['brand.name']
  const sharedIn = languages.find((known) => known === link.sharedIn) ?? null
  const language = sharedIn ?? link.language
  const texts = serverMessages[language].card
  const { shareId, network } = link
  const row =
    shareId === null
      ? undefined
      : await context.pictureReads.run(network, () => findSharedPicture(context.database, shareId))
  const title =
    row === undefined
      ? fill(link.referralCode !== null ? texts.invited : texts.home, { brand })
      : titleOf(row, language)
  const shownId = row === undefined ? null : shareId
  const image = shownId === null ? '/api/card.jpg' : `/api/shares/${shownId}/card.jpg`
  const description = fill(row === undefined ? texts.homeText : texts.sharedText, { brand })
  const tags = {
    'og:type': 'website',
    'og:site_name': brand,
    'og:title': title,
    'og:description': description,
    'og:url': publicUrl + pathOf({ ...link, sharedIn, shareId: shownId }),
    'og:image': `${publicUrl}${image}?lang=${language}`,
    'og:image:type': 'image/jpeg',
    'og:image:width': cardSize.widthPx,
    'og:image:height': cardSize.heightPx,
    'og:image:alt': title,
    'twitter:card': 'summary_large_image',
    ...(row && { robots: 'noindex' }),
  }
  const titleTag = row === undefined ? '' : html`<title>${title} · ${brand}</title>`.text
  const metaTags = Object.entries(tags).map(([name, content]) => {
    const attribute = name.startsWith('og:') ? 'property' : 'name'
    return `<meta ${attribute}="${name}" content="${html`${content}`.text}">`
  })
  return [titleTag, ...metaTags].join('')
}

/** 'A selfie with …'; last comes 'a star' where the star was a photo of one's own. */
export function titleOf(of: Pick<GenerationRow, 'celebrity' | 'star_names'>, language: Language) {
  const { shared, unnamedStar } = serverMessages[language].card
  const names = new Set(of.star_names ?? [of.celebrity])
  if (names.delete(customCelebrity)) names.add(unnamedStar)
  return fill(shared, { celebrity: new Intl.ListFormat(language).format(names) })
}

/** The address without anything that only says where it was passed on. */
function pathOf({ shareId, referralCode, sharedIn }: CardLink): string {
  const query = new URLSearchParams()
  if (referralCode !== null) query.set('ref', referralCode)
  if (shareId !== null) query.set('selfie', shareId)
  if (sharedIn !== null) query.set('lang', sharedIn)
  return query.size === 0 ? '/' : `/?${query}`
}
