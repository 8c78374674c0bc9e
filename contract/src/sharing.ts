/** The social network that results are shared on, in one place. */
export const shareNetwork = {
  name: 'X',
  /** Documented at docs.x.com, "Web Intent"; takes `text`, `url` and `hashtags`. */
  intentUrl: 'https://x.com/intent/tweet',
} as const

/** Hashtags of the prefilled text, without the number sign. */
export const shareHashtags = ['Starside', 'CelebritySelfie', 'AI'] as const

/** The intent address with its prefilled text. `link` carries the referral code where there is one. */
export function shareIntentUrl(text: string, link: string): string {
  const url = new URL(shareNetwork.intentUrl)
  url.searchParams.set('text', text)
  url.searchParams.set('url', link)
  url.searchParams.set('hashtags', shareHashtags.join(','))
  return url.href
}
