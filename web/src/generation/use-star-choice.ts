import { useState } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { ChosenStar } from './gather-request.ts'
import type { KeptStar } from './selfie-draft.ts'
import { usePhoto } from './use-photo.ts'

/** The choice of one star: a photo of one's own or one of the presets. */
export function useStarChoice(kept: KeptStar | null, stars: readonly CelebrityPreset[]) {
  'use memo'
  const photo = usePhoto(kept?.custom)
  const [presetId, choosePreset] = useState(kept?.presetId ?? null)
  const preset = stars.find((candidate) => candidate.id === presetId)
  const chosen: ChosenStar = { custom: photo.photo, presetId, preset }
  return {
    chosen,
    choosePreset,
    choosePhoto: (file: File): void => {
      choosePreset(null)
      void photo.choose(file)
    },
    chooseFace: photo.chooseFace,
    clear: (): void => {
      choosePreset(null)
      photo.clear()
    },
    /** What was chosen meanwhile goes before. */
    restore: ({ custom, presetId: earlierId }: KeptStar): void => {
      choosePreset((now) => now ?? earlierId)
      if (custom) photo.restore(custom)
    },
  }
}
