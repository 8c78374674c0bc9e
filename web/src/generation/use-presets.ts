import { useQuery } from '@tanstack/react-query'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { call } from '../api/call.ts'

/** The presets as far as they are known. */
export type Presets =
  | { state: 'loading' }
  | { state: 'failed'; retry: () => void }
  | { state: 'ready'; list: readonly CelebrityPreset[] }

/** Loads the preset stars, once. */
export function usePresets(): Presets {
  const query = useQuery({
    queryKey: ['presets'],
    queryFn: ({ signal }) => call('GET /api/ai?action=presets', { signal }),
    staleTime: Infinity,
  })
  if (query.data) return { state: 'ready', list: query.data.presets }
  return query.isError
    ? { state: 'failed', retry: () => void query.refetch() }
    : { state: 'loading' }
}
