import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'
import { joinStars } from '../ui/join-stars.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** What is said about one selfie, without a star's name where it has none; `ownTweet` is the operator's. */
export function starTexts(
  celebrities: readonly string[] | undefined,
  m: DashboardMessages,
  ownTweet = '',
) {
  const named = celebrities?.some((name) => name !== customCelebrity) ?? false
  const celebrity = named && celebrities ? joinStars(celebrities, m) : m.customPhoto
  const withName = (text: string, plain: string): string =>
    named ? fill(text, { celebrity }) : plain
  return {
    name: celebrity,
    alt: withName(m.resultAlt, m.resultAltPlain),
    title: withName(m.frameTitle, m.frameTitlePlain),
    tweet:
      ownTweet === '' ? withName(m.tweetText, m.tweetTextPlain) : fill(ownTweet, { celebrity }),
  }
}
