import { fill } from '@starside/contract/fill.ts'
import { joinStars } from '../ui/join-stars.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** What is said about one selfie, without a star where none is known; `ownTweet` is the operator's. */
export function starTexts(
  celebrities: readonly string[] | undefined,
  m: DashboardMessages,
  ownTweet = '',
) {
  const celebrity = joinStars(celebrities ?? [], m)
  const told = joinStars(celebrities ?? [], { ...m, ownStar: m.someStar })
  const withName = (text: string, plain: string, name = celebrity): string =>
    name === '' ? plain : fill(text, { celebrity: name })
  return {
    name: celebrity,
    alt: withName(m.resultAlt, m.resultAltPlain),
    title: withName(m.frameTitle, m.frameTitlePlain),
    tweet: withName(ownTweet || m.tweetText, m.tweetTextPlain, told),
  }
}
