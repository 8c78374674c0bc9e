import { useState } from 'react'
import { usualLook } from '@starside/contract/arrangement-limits.ts'
import type { EventItem } from '@starside/contract/events.ts'
import type { SceneName } from '@starside/contract/scenes.ts'
import { gatherRequest, type StudioChoices } from '../generation/gather-request.ts'
import { missingText } from '../generation/missing-text.ts'
import { useGenerator } from '../generation/use-generator.ts'
import { usePhoto, usePhotoAddress } from '../generation/use-photo.ts'
import { usePreparation } from '../generation/use-preparation.ts'
import { useMessages } from '../ui/language.tsx'
import type { useGuest } from './use-guest.ts'

/** One of the event's scenes, or its own background. */
export type EventScene = SceneName | 'event'

/** A guest's choices, and the making of their selfie. */
export interface GuestBooth extends ReturnType<typeof useGenerator> {
  mine: ReturnType<typeof usePhoto>
  starId: string | null
  scene: EventScene
  scenes: readonly EventScene[]
  setStarId: (starId: string | null) => void
  setScene: (scene: EventScene) => void
  /** Pictures of both people, for the progress. */
  previews: readonly (string | null)[]
  /** The sentence that names what is missing; null when all is there. */
  missing: string | null
  /** Makes it; `isRepeat` also where the same selfie was made before. */
  make: (isRepeat: boolean) => void
}

/**
 * What a guest has chosen so far (their photo, one of the event's stars, where it is set) and the
 * selfie that is made of it.
 * @param onEnd called with the id of a selfie that was made; with null where none could be. A device of
 *   many guests clears the photo then
 */
export function useBooth(
  event: EventItem,
  guest: ReturnType<typeof useGuest>,
  onEnd: (generationId: string | null, clearPhoto: () => void) => void,
): GuestBooth {
  const m = useMessages('dashboard')
  const mine = usePhoto()
  const scenes: readonly EventScene[] = [
    ...(event.backgroundUrl ? ['event' as const] : []),
    ...event.scenes,
  ]
  const [starId, setStarId] = useState(event.stars.length === 1 ? event.stars[0]!.id : null)
  const [scene, setScene] = useState<EventScene>(scenes[0] ?? 'own')
  const star = event.stars.find(({ id }) => id === starId)
  const choicesAt = (place: SceneName | 'photo'): StudioChoices => ({
    mine: mine.photo,
    star: { custom: null, presetId: starId, preset: star },
    second: null,
    background: null,
    wishes: { scene: place, aspect: '4:5', look: usualLook, prompt: '', consent: false },
  })
  const choices = choicesAt(scene === 'event' ? 'own' : scene)
  usePreparation(scene === 'event' ? choicesAt('photo') : choices)
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
    mine,
    starId,
    scene,
    scenes,
    setStarId,
    setScene,
    previews: [usePhotoAddress(mine.photo), star?.image ?? null],
    missing: missingText(choices, m),
    make: (isRepeat) =>
      void generator.generate(star?.name ?? '', async () => ({
        ...(await gatherRequest(choices, m, ({ id }) => Promise.resolve(new File([], id)))),
        ...(scene === 'event' ? { scene: null } : {}),
        isRepeat,
      })),
  }
}
