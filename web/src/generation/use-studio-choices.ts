import { useState } from 'react'
import { customCelebrity } from '@starside/contract/limits.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { useMessages } from '../ui/language.tsx'
import { fetchPresetPhoto } from './fetch-preset-photo.ts'
import { gatherRequest } from './gather-request.ts'
import type { GenerationRequest } from './start-generation.ts'
import { usePhoto } from './use-photo.ts'
import { usePresets } from './use-presets.ts'

/** What is wished for besides the two photos. */
export interface Wishes {
  scene: SceneName
  aspect: SelfieAspect
  prompt: string
  consent: boolean
}

/** What has been chosen in the studio so far, and the ways to change it. */
export function useStudioChoices() {
  'use memo'
  const m = useMessages('dashboard')
  const presets = usePresets()
  const mine = usePhoto()
  const custom = usePhoto()
  const [presetId, setPresetId] = useState<string | null>(null)
  const [wishes, setWishes] = useState<Wishes>({
    scene: 'own',
    aspect: '4:5',
    prompt: '',
    consent: false,
  })
  const preset =
    presets.state === 'ready'
      ? presets.list.find((candidate) => candidate.id === presetId)
      : undefined
  const haveMine = mine.photo !== null && mine.photo.prepared !== null
  const haveStar = (custom.photo !== null && custom.photo.prepared !== null) || preset !== undefined

  /** The sentence that names what is missing; null when all is there. */
  const missing = (() => {
    if (!haveMine) return haveStar ? m.needYourPhoto : m.needBothPhotos
    if (!haveStar) return m.needCelebrity
    return custom.photo !== null && !wishes.consent ? m.needConsent : null
  })()
  return {
    mine,
    custom,
    presets,
    presetId,
    choosePreset: setPresetId,
    preset,
    wishes,
    change: (change: Partial<Wishes>) => setWishes((old) => ({ ...old, ...change })),
    missing,
    /** The star's name as the credit history and the picture will say it. */
    celebrity: custom.photo ? customCelebrity : (preset?.name ?? ''),
    /** Puts a photo that was given without saying which person it shows where one is missing. */
    takePhoto: (file: File): void => {
      if (mine.photo && !custom.photo && !preset) void custom.choose(file)
      else void mine.choose(file)
    },
    prepare: (): Promise<GenerationRequest> => {
      const chosen = { mine: mine.photo, custom: custom.photo, presetId, preset, wishes }
      return gatherRequest(chosen, m, fetchPresetPhoto)
    },
  }
}
