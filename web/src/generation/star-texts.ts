import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from '../ui/fill.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/**
 * What is said about one selfie: with the star's name, or without one where the star was a photo
 * of the person's own. `celebrity` is what the server calls the star, undefined while unknown.
 * @param ownTweet what the operator has set a picture to be shared with; empty: our own words
 */
export function starTexts(celebrity: string | undefined, m: DashboardMessages, ownTweet = '') {
  const named = celebrity !== undefined && celebrity !== customCelebrity
  const withName = (text: string, plain: string): string =>
    named ? fill(text, { celebrity }) : plain
  return {
    name: named ? celebrity : m.customPhoto,
    alt: withName(m.resultAlt, m.resultAltPlain),
    title: withName(m.frameTitle, m.frameTitlePlain),
    tweet:
      ownTweet === ''
        ? withName(m.tweetText, m.tweetTextPlain)
        : fill(ownTweet, { celebrity: named ? celebrity : m.customPhoto }),
  }
}
