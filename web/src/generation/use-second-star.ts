import { useState } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { ChosenStar } from './gather-request.ts'
import type { SelfieDraft } from './selfie-draft.ts'
import { usePhoto } from './use-photo.ts'

type KeptSecondStar = Pick<SelfieDraft, 'hasSecond' | 'secondCustom' | 'secondPresetId'>

/** The second star, once one was added: a photo of one's own or one of the presets. */
export function useSecondStar(kept: KeptSecondStar | null, stars: readonly CelebrityPreset[]) {
  const custom = usePhoto(kept?.secondCustom)
  const [isAdded, setAdded] = useState(kept?.hasSecond ?? false)
  const [presetId, setPresetId] = useState(kept?.secondPresetId ?? null)
  const preset = stars.find((candidate) => candidate.id === presetId)
  const chosen: ChosenStar | null = isAdded ? { custom: custom.photo, preset } : null
  return {
    /** Null until a second star was added. */
    chosen,
    custom,
    presetId,
    choosePreset: setPresetId,
    /** What is kept for a reload. */
    draft: { hasSecond: isAdded, secondCustom: custom.photo, secondPresetId: presetId },
    add: () => setAdded(true),
    remove: () => {
      setAdded(false)
      setPresetId(null)
      custom.clear()
    },
    restore: (earlier: KeptSecondStar): void => {
      setAdded(earlier.hasSecond)
      setPresetId(earlier.secondPresetId)
      if (earlier.secondCustom) custom.restore(earlier.secondCustom)
    },
  }
}
