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
