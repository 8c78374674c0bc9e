import { defaultLanguage } from './languages.ts'
import type { Language } from './languages.ts'

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

/** One more network, chat or mail program that a link can be passed on with, each by its documented address. */
interface ShareDestination {
  id: string
  name: string
  /** The address that opens it with the text and the link filled in. */
  address: (text: string, link: string) => string
}

const inAddress = encodeURIComponent

/** Where links are passed on beside {@link shareNetwork}; plain links, which no browser blocks. */
export const shareDestinations: readonly ShareDestination[] = [
  {
    id: 'whatsapp',
    name: 'WhatsApp',
    // faq.whatsapp.com, "How to use click to chat"
    address: (text, link) => `https://wa.me/?text=${inAddress(`${text} ${link}`)}`,
  },
  {
    id: 'telegram',
    name: 'Telegram',
    // core.telegram.org/widgets/share
    address: (text, link) =>
      `https://t.me/share/url?url=${inAddress(link)}&text=${inAddress(text)}`,
  },
  {
    id: 'facebook',
    name: 'Facebook',
    // It takes the words from the page's own tags.
    address: (_text, link) => `https://www.facebook.com/sharer/sharer.php?u=${inAddress(link)}`,
  },
  {
    id: 'bluesky',
    name: 'Bluesky',
    // docs.bsky.app, "Action intent links"
    address: (text, link) => `https://bsky.app/intent/compose?text=${inAddress(`${text} ${link}`)}`,
  },
  {
    id: 'line',
    name: 'LINE',
    // developers.line.biz, "Using LINE Share"
    address: (text, link) =>
      `https://social-plugins.line.me/lineit/share?url=${inAddress(link)}&text=${inAddress(text)}`,
  },
  {
    id: 'weibo',
    name: 'Weibo',
    // open.weibo.com/sharebutton
    address: (text, link) =>
      `https://service.weibo.com/share/share.php?url=${inAddress(link)}&title=${inAddress(text)}`,
  },
  {
    id: 'mail',
    name: 'E-mail',
    // RFC 6068
    address: (text, link) =>
      `mailto:?subject=${inAddress(text)}&body=${inAddress(`${text}\n\n${link}`)}`,
  },
]

/**
 * A public link whose card speaks the language of whoever passes it on.
 * @param link has a query
 */
export function linkInLanguage(link: string, language: Language): string {
  return language === defaultLanguage ? link : `${link}&lang=${language}`
}
