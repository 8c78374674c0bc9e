import { fill } from './fill.ts'
import { defaultLanguage } from './languages.ts'
import type { Language } from './languages.ts'
import destinations from './share-destinations.json' with { type: 'json' }

/** The social network that results are shared on, in one place. */
export const shareNetwork = {
  name: 'X',
  /** Documented at docs.x.com, "Web Intent"; takes `text`, `url` and `hashtags`. */
  intentUrl: 'https://x.com/intent/tweet',
} as const

/**
 * The intent address with its prefilled text.
 * @param link carries the referral code where there is one
 * @param hashtags without the number sign
 */
export function shareIntentUrl(text: string, link: string, hashtags: readonly string[]): string {
  const url = new URL(shareNetwork.intentUrl)
  url.searchParams.set('text', text)
  url.searchParams.set('url', link)
  url.searchParams.set('hashtags', hashtags.join(','))
  return url.href
}

/**
 * Where links are passed on beside {@link shareNetwork}, each by its documented address with the text and the
 * link filled in: plain links, which no browser blocks.
 */
export const shareDestinations = destinations.map(({ id, name, address }) => ({
  id,
  name,
  address: (text: string, link: string) =>
    fill(address, { text: encodeURIComponent(text), link: encodeURIComponent(link) }),
}))

/**
 * A public link whose card speaks the language of whoever passes it on.
 * @param link has a query
 */
export function linkInLanguage(link: string, language: Language): string {
  return language === defaultLanguage ? link : `${link}&lang=${language}`
}
