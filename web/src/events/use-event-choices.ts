import { useState } from 'react'
import { usualLook } from '@starside/contract/arrangement-limits.ts'
import type { EventItem } from '@starside/contract/events.ts'
import type { SceneName } from '@starside/contract/scenes.ts'
import { gatherRequest, type StudioChoices } from '../generation/gather-request.ts'
import { missingText } from '../generation/missing-text.ts'
import type { GenerationRequest } from '../generation/start-generation.ts'
import { usePhoto } from '../generation/use-photo.ts'
import { usePreparation } from '../generation/use-preparation.ts'
import { useMessages } from '../ui/language.tsx'

/** One of the event's scenes, or its own background. */
export type EventScene = SceneName | 'event'

/** What a guest has chosen so far: their photo, one of the event's stars, and where it is set. */
export function useEventChoices(event: EventItem) {
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
  return {
    mine,
    star,
    starId,
    scene,
    scenes,
    setStarId,
    setScene,
    /** The sentence that names what is missing; null when all is there. */
    missing: missingText(choices, m),
    prepare: async (): Promise<GenerationRequest> => ({
      ...(await gatherRequest(choices, m, ({ id }) => Promise.resolve(new File([], id)))),
      ...(scene === 'event' ? { scene: null } : {}),
    }),
  }
}
