import { customCelebrity } from '@starside/contract/limits.ts'
import { fill } from './fill.ts'

/** The texts that names are joined with. */
interface JoiningTexts {
  customPhoto: string
  twoStars: string
}

/** The names of a picture's one or two stars in one text of the reader's language. */
export function joinStars(names: readonly string[], m: JoiningTexts): string {
  const [first = '', second] = names.map((name) =>
    name === customCelebrity ? m.customPhoto : name,
  )
  return second === undefined ? first : fill(m.twoStars, { first, second })
}
