import { useEffect, useState } from 'react'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { call } from '../api/call.ts'
import { useSubmission } from '../ui/form.tsx'
import type { PresetCategory } from '@starside/contract/preset-categories.ts'
import { defaultLanguage, type Language } from '@starside/contract/languages.ts'

interface KnownStars {
  presets: readonly CelebrityPreset[]
  /** Where the list goes on at the server; null where this is all. */
  nextCursor: string | null
}

const presetsKey = ['presets']
/** How long typing has to pause before the server is asked. */
const typingPauseMs = 250

/** Loads the first page of preset stars, once; searches and further pages are added to it. */
export function usePresets(): KnownStars & {
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'refetch'>
} {
  const query = useQuery({
    queryKey: presetsKey,
    queryFn: ({ signal }): Promise<KnownStars> => call('GET /api/ai?action=presets', { signal }),
    staleTime: Infinity,
  })
  return { query, ...(query.data ?? noStars) }
}

const noStars: KnownStars = { presets: [], nextCursor: null }

/** Asks the server for what is searched once typing pauses, and for the next page, beyond the stars known. */
export function useMoreStars(nextCursor: string | null, filter: StarFilter) {
  const queryClient = useQueryClient()
  const { busy: isLoading, submit } = useSubmission('')
  const add = (found: readonly CelebrityPreset[], cursor?: string | null): void => {
    queryClient.setQueryData<KnownStars>(presetsKey, (known) => {
      if (!known) return known
      const ids = new Set(known.presets.map(({ id }) => id))
      const news = found.filter(({ id }) => !ids.has(id))
      const next = cursor === undefined ? known.nextCursor : cursor
      return { presets: [...known.presets, ...news], nextCursor: next }
    })
  }
  const isPart = nextCursor !== null
  const q = filter.query.trim().slice(0, 100)
  const { category } = filter
  const isSearched = isPart && (q !== '' || category !== null)
  const [asked, setAsked] = useState({ q, category })
  useEffect(() => {
    if (!isSearched) return undefined
    const timer = setTimeout(() => setAsked({ q, category }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [isSearched, q, category])
  const search = useQuery({
    queryKey: ['preset-search', asked],
    queryFn: async ({ signal }) => {
      const query = { q: asked.q || undefined, category: asked.category ?? undefined }
      const { presets } = await call('GET /api/ai?action=presets', { query, signal })
      add(presets)
      return presets.length
    },
    enabled: isSearched && (asked.q !== '' || asked.category !== null),
  })
  const fetchNextPage = async (): Promise<void> => {
    if (nextCursor === null) return
    // Where it fails, the button stays to be pressed again.
    await submit(async () => {
      const page = await call('GET /api/ai?action=presets', { query: { cursor: nextCursor } })
      add(page.presets, page.nextCursor)
    })
  }
  return { hasNextPage: isPart, isFetchingNextPage: isLoading || search.isFetching, fetchNextPage }
}

/** From this many stars on they can be searched and narrowed to a category. */
export const starsToSearchMin = 12

/** What the stars are narrowed to; an empty query and a null category keep all. */
export interface StarFilter {
  query: string
  category: PresetCategory | null
}

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
