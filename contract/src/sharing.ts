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

/** The intent address with its text; `link` may carry a referral code, `hashtags` lack the #. */
export function shareIntentUrl(text: string, link: string, hashtags: readonly string[]): string {
  const url = new URL(shareNetwork.intentUrl)
  url.searchParams.set('text', text)
  url.searchParams.set('url', link)
  url.searchParams.set('hashtags', hashtags.join(','))
  return url.href
}

/** Beside {@link shareNetwork}: each by its documented address, a plain link, never blocked. */
export const shareDestinations = destinations.map(({ id, name, address }) => ({
  id,
  name,
  address: (text: string, link: string) =>
    fill(address, { text: encodeURIComponent(text), link: encodeURIComponent(link) }),
}))

/** A public link (`link` has a query) whose card is in the language of whoever passes it on. */
export function linkInLanguage(link: string, language: Language): string {
  return language === defaultLanguage ? link : `${link}&lang=${language}`
}
