import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { GuestAnswer, EventItem } from '@starside/contract/events.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { call, ApiError } from '../api/call.ts'
import { eventPollIntervalMs, forgetFragment, readFragment } from './event-page.tsx'
import { useState } from 'react'
import type { SceneName } from '@starside/contract/scenes.ts'
import { gatherRequest, usePreparation, type StudioChoices } from '../generation/gather-request.ts'
import { missingOf } from '../generation/photo-fitness.ts'
import { useGenerator } from '../generation/use-generator.ts'
import { usePhoto, usePhotoAddress } from '../generation/use-photo.ts'
import { useMessages } from '../ui/language.tsx'

/** A guest with their selfies, as the server last said. */
export type Guest = Pick<GuestAnswer, 'selfiesLeft' | 'selfies'>

/** The guest of this browser, or of an address with `#take=`; null where nobody has joined. */
export function useGuest(event: string, { isEnabled = true } = {}) {
  const queryClient = useQueryClient()
  const queryKey = ['guest', event]
  const params = { event }
  const query = useQuery<Guest | null>({
    queryKey,
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      if (readFragment('take') !== null) return takeOver(event, false)
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
    /** Whether selfies of this phone have to give way to those of an address first. */
    isReplacing: codeOf(query.error) === hasSelfies,
    /** Lets them give way, or leaves those be. */
    replace: async (replaces: boolean): Promise<void> => {
      if (replaces) return take(await takeOver(event, true))
      forgetFragment()
      await query.refetch()
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

const hasSelfies = 'guest_has_selfies'
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined)

async function takeOver(event: string, replaces: boolean): Promise<Guest> {
  let isSettled = true
  try {
    const body = { code: readFragment('take') ?? '', replaces }
    return await call('POST /api/events/:event/take-over', { params: { event }, body })
  } catch (error) {
    // One that did not get through, or is asked about first, is sent again.
    isSettled = error instanceof ApiError && error.status > 0 && error.code !== hasSelfies
    throw error
  } finally {
    if (isSettled) forgetFragment()
  }
}

/** What a guest who has joined an event makes selfies with. */
export type BoothProps = { event: EventItem; known: Guest; guest: ReturnType<typeof useGuest> }

/** `photo` for the event's own background. */
type EventScene = SceneName | 'photo'

/** A guest's choices, and the making of their selfie. */
export type GuestBooth = ReturnType<typeof useBooth>

/** A guest's choices and selfie; `onEnd` gets its id, or null, and how to clear the photo. */
export function useBooth(
  event: EventItem,
  guest: ReturnType<typeof useGuest>,
  onEnd: (generationId: string | null, clearPhoto: () => void) => void,
) {
  const m = useMessages('dashboard')
  const mine = usePhoto()
  const scenes: EventScene[] = event.backgroundUrl ? ['photo', ...event.scenes] : event.scenes
  const [starId, setStarId] = useState(event.stars.length === 1 ? event.stars[0]!.id : null)
  const [scene, setScene] = useState<EventScene>(scenes[0] ?? 'own')
  const star = event.stars.find(({ id }) => id === starId)
  const choicesAt = (place: EventScene): StudioChoices => ({
    mine: mine.photo,
    star: { custom: null, presetId: starId, preset: star },
    second: null,
    background: null,
    wishes: { scene: place, aspect: '4:5', look: 'automatic', prompt: '', consent: false },
  })
  const choices = choicesAt(scene === 'photo' ? 'own' : scene)
  usePreparation(choicesAt(scene))
  const generator = useGenerator({
    verifyCredits: () => Promise.resolve(true),
    onComplete: (isMade) => {
      const item = isMade ? generator.picture?.item : null
      if (item) guest.changeSelfie(item)
      onEnd(item?.generationId ?? null, mine.clear)
      void guest.query.refetch()
    },
  })
  return {
    ...generator,
    event,
    mine,
    starId,
    scene,
    scenes,
    setStarId,
    setScene,
    previews: [usePhotoAddress(mine.photo), star?.image ?? null],
    /** The sentence that names what is missing; null when all is there. */
    missing: missingOf(choices, m)?.sentence ?? null,
    /** Makes it; `isRepeat` also where the same selfie was made before. */
    make: (isRepeat: boolean) =>
      void generator.generate(star?.name ?? '', async () => ({
        ...(await gatherRequest(choices, m, ({ id }) => Promise.resolve(new File([], id)))),
        ...(scene === 'photo' ? { scene: null } : {}),
        isRepeat,
      })),
  }
}
