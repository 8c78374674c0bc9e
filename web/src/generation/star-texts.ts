import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from '../ui/fill.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/**
 * What is said about one selfie: with the star's name, or without one where the star was a photo
 * of the person's own. `celebrity` is what the server calls the star, undefined while unknown.
 */
export function starTexts(celebrity: string | undefined, m: DashboardMessages) {
  const named = celebrity !== undefined && celebrity !== customCelebrity
  const withName = (text: string, plain: string): string =>
    named ? fill(text, { celebrity }) : plain
  return {
    name: named ? celebrity : m.customPhoto,
    alt: withName(m.resultAlt, m.resultAltPlain),
    title: withName(m.frameTitle, m.frameTitlePlain),
    tweet: withName(m.tweetText, m.tweetTextPlain),
  }
}
