import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'

/** What a star is called alone in the reader's language: a photo of one's own has no name. */
export function starName(name: string, m: Record<'customPhoto', string>): string {
  return name === customCelebrity ? m.customPhoto : name
}

/** A picture's stars in one text of the reader's language; whoever comes from a photo of one's own stands last. */
export function joinStars(names: readonly string[], m: Record<'ownStar' | 'twoStars', string>) {
  const named = names.filter((name) => name !== customCelebrity)
  const [first = '', second] = named.length < names.length ? [...named, m.ownStar] : named
  return second === undefined ? first : fill(m.twoStars, { first, second })
}
