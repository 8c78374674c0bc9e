import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { CelebrityPreset, PresetsAnswer } from '@starside/contract/presets.ts'
import { call } from '../api/call.ts'
import { usePages } from '../ui/query-state.tsx'
import { wait } from '../ui/wait.ts'
import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import { defaultLanguage, type Language } from '@starside/contract/languages.ts'

const presetsKey = ['presets']
/** How long typing has to pause before the server is asked. */
const typingPauseMs = 250

/** The preset stars as far as they are known, page by page, and those that were searched. */
export function usePresets() {
  const query = usePages(
    presetsKey,
    (cursor, signal) => call('GET /api/ai?action=presets', { query: { cursor }, signal }),
    { staleTime: Infinity },
  )
  const known = query.data?.pages.flatMap(({ presets }) => presets) ?? []
  // A search brings stars of pages that come later.
  return { query, presets: [...new Map(known.map((star) => [star.id, star])).values()] }
}

/** Asks the server for what is searched once typing pauses, where it has more stars than are known. */
export function useStarSearch({ query: text, category }: StarFilter, isPart: boolean) {
  const queryClient = useQueryClient()
  const q = text.trim().slice(0, 100)
  return useQuery({
    queryKey: ['preset-search', q, category],
    enabled: isPart && (q !== '' || category !== null),
    queryFn: async ({ signal }) => {
      await wait(typingPauseMs, signal)
      const query = { q: q || undefined, category: category ?? undefined }
      const found = await call('GET /api/ai?action=presets', { query, signal })
      queryClient.setQueryData<InfiniteData<PresetsAnswer>>(presetsKey, (known) => {
        if (!known) return known
        // Where the list goes on at the server is as before.
        const { nextCursor } = known.pages.at(-1)!
        return { ...known, pages: [...known.pages, { ...found, nextCursor }] }
      })
      return found.presets.length
    },
  })
}

/** From this many stars on they can be searched and narrowed to a category. */
export const starsToSearchMin = 20

/** What the stars are narrowed to; an empty query and a null category keep all. */
export type StarFilter = { query: string; category: PresetCategory | null }

/** The stars of a category with every word of the query in name or line, whatever case and accents. */
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
