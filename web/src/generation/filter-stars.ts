import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import { defaultLanguage, type Language } from '@starside/contract/languages.ts'

/** From this many stars on they can be searched and narrowed to a category. */
export const starsToSearchMin = 12

/** What the stars are narrowed to; an empty query and a null category keep all. */
export interface StarFilter {
  query: string
  category: PresetCategory | null
}

/**
 * The stars of a category whose name or line holds every word of the query, whatever the case and
 * the accents; in their order.
 */
export function filterStars(
  stars: readonly CelebrityPreset[],
  { query, category }: StarFilter,
  language: Language,
): CelebrityPreset[] {
  const words = plain(query).split(/\s+/u)
  return stars.filter((star) => {
    const text = plain(`${star.name} ${lineOf(star, language) ?? ''}`)
    return (
      (category === null || star.category === category) &&
      words.every((word) => text.includes(word))
    )
  })
}

/** What a star is known for, in the reader's language or else in the default one. */
export function lineOf(star: CelebrityPreset, language: Language): string | undefined {
  return star.line?.[language] ?? star.line?.[defaultLanguage]
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim()
}
