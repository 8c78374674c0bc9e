import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { GuestAnswer } from '@starside/contract/events.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { call, ApiError } from '../api/call.ts'
import { eventPollIntervalMs, forgetFragment, readFragment } from './event-page.tsx'

/** A guest with their selfies, as the server last said. */
export type Guest = Pick<GuestAnswer, 'selfiesLeft' | 'selfies'>

/**
 * The guest of this browser; null where nobody has joined. An address with `#take=` makes it the one
 * who handed their selfies over.
 * @param isEnabled false while nobody can have joined
 */
export function useGuest(event: string, { isEnabled = true } = {}) {
  const queryClient = useQueryClient()
  const queryKey = ['guest', event]
  const params = { event }
  const query = useQuery<Guest | null>({
    queryKey,
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const code = readFragment('take')
      if (code !== null) return await takeOver(event, code)
      return (await call('GET /api/events/:event/guest', { params, signal })).guest
    },
    refetchInterval: ({ state }) => (state.data ? eventPollIntervalMs : false),
  })
  /** What is still being asked knows less than what is taken over. */
  const change = (update: (guest: Guest | null) => Guest | null): void => {
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData<Guest | null>(queryKey, (guest) => update(guest ?? null))
  }
  const take = (guest: Guest): void => change(() => guest)
  return {
    query,
    take,
    /** Takes over what became of one selfie, also of one that was just made. */
    changeSelfie: (item: GenerationItem): void => {
      change((guest) => guest && withSelfie(guest, item))
    },
    join: async (consentVersion: string, atKiosk = false): Promise<void> => {
      const body = { consentVersion, atKiosk }
      take(await call('POST /api/events/:event/join', { params, body }))
    },
  }
}

function withSelfie(guest: Guest, item: GenerationItem): Guest {
  const at = guest.selfies.findIndex((one) => one.generation.generationId === item.generationId)
  const known = guest.selfies[at]
  if (known) return { ...guest, selfies: guest.selfies.with(at, { ...known, generation: item }) }
  const added = { generation: item, wall: 'private' as const, prints: [] }
  return { selfiesLeft: Math.max(0, guest.selfiesLeft - 1), selfies: [added, ...guest.selfies] }
}

async function takeOver(event: string, code: string): Promise<Guest> {
  let isSettled = true
  try {
    return await call('POST /api/events/:event/take-over', { params: { event }, body: { code } })
  } catch (error) {
    // One that did not get through is sent again.
    isSettled = error instanceof ApiError && error.status > 0
    throw error
  } finally {
    if (isSettled) forgetFragment()
  }
}
