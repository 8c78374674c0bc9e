import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'

type JoiningTexts = Record<'customPhoto' | 'twoStars', string>

/** What a star is called in the reader's language: a photo of one's own has no name. */
export function starName(name: string, m: Pick<JoiningTexts, 'customPhoto'>): string {
  return name === customCelebrity ? m.customPhoto : name
}

/** The names of a picture's one or two stars in one text of the reader's language. */
export function joinStars(names: readonly string[], m: JoiningTexts): string {
  const [first = '', second] = names.map((name) => starName(name, m))
  return second === undefined ? first : fill(m.twoStars, { first, second })
}
