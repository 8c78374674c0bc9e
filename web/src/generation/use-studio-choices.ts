import { useEffect, useState } from 'react'
import { usualLook, type WishedLook } from '@starside/contract/arrangement-limits.ts'
import { customCelebrity, joinCelebrities } from '@starside/contract/limits.ts'
import type { DemoPerson } from '@starside/contract/presets.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'
import { forgetTriedStar, triedStar } from './carry-star.ts'
import { gatherRequest, type StudioChoices } from './gather-request.ts'
import { missingText } from './missing-text.ts'
import { tightForStory } from './photo-fitness.ts'
import { draftOf, useDraft } from './selfie-draft.ts'
import type { GenerationRequest } from './start-generation.ts'
import { usePhoto } from './use-photo.ts'
import { usePreparation } from './use-preparation.ts'
import { ownFacesMax } from './toggle-face.ts'
import { useSecondStar } from './use-second-star.ts'
import { usePresets } from './use-presets.ts'

/** A borrowed photo stands in for one's own: which star was suggested with it. */
export interface BorrowedFace {
  suggestedId: string | null
}

/** What is wished for besides the two photos. */
export interface Wishes {
  /** `photo` for a background of one's own. */
  scene: SceneName | 'photo'
  aspect: SelfieAspect
  look: WishedLook
  prompt: string
  consent: boolean
}

const noWishes: Wishes = {
  scene: 'own',
  aspect: '4:5',
  look: usualLook,
  prompt: '',
  consent: false,
}

/** What has been chosen in the studio so far, and the ways to change it. */
export function useStudioChoices() {
  'use memo'
  const m = useMessages('dashboard')
  const { mine, custom, background, presets, stars, second, ...kept } = useKeptChoices()
  const { presetId, borrowed, wishes, isRestored, setPresetId, setBorrowed, setWishes } = kept
  const preset = stars.find((candidate) => candidate.id === presetId)

  const chooseMine = (file: File): void => {
    setBorrowed(null)
    void mine.choose(file)
  }
  /**
   * Takes the photo of somebody who does not exist as one's own, and the first star with it where
   * none is chosen, so that nothing but the main button is left to press. Throws when the photo
   * does not load.
   */
  const borrow = async (person: DemoPerson): Promise<void> => {
    const file = await fetchPhoto(person)
    const suggestedId = custom.photo || preset ? null : (stars[0]?.id ?? null)
    if (suggestedId !== null) setPresetId(suggestedId)
    setBorrowed({ suggestedId })
    void mine.choose(file)
  }

  const hasUploadedStar = custom.photo !== null || (second.chosen?.custom ?? null) !== null
  const choices: StudioChoices = {
    mine: mine.photo,
    custom: custom.photo,
    presetId,
    preset,
    second: second.chosen,
    background: background.photo,
    wishes,
  }
  usePreparation(choices)
  return {
    /** False until it is known what an earlier visit left. */
    isRestored,
    mine,
    chooseMine,
    borrowed,
    borrow,
    custom,
    second,
    hasUploadedStar,
    /** Faces of the own photo that fit beside the stars. */
    ownFacesMax: ownFacesMax(second.chosen ? 2 : 1),
    background,
    presets,
    presetId,
    choosePreset: setPresetId,
    preset,
    wishes,
    change: (change: Partial<Wishes>) => setWishes((old) => ({ ...old, ...change })),
    /** The sentence that names what is missing; null when all is there. */
    missing: missingText(choices, m),
    /** Whose photos end too soon below the chin for a 9:16 picture. */
    tightForStory: tightForStory(choices, m),
    /** The stars' names as the credit history and the picture will say them. */
    celebrity: joinCelebrities(
      [{ custom: custom.photo, preset }, ...(second.chosen ? [second.chosen] : [])].map((star) =>
        star.custom ? customCelebrity : (star.preset?.name ?? ''),
      ),
    ),
    /** Puts a photo that was given without saying which person it shows where one is missing. */
    takePhoto: (file: File): void => {
      if (mine.photo && !custom.photo && !preset) void custom.choose(file)
      else chooseMine(file)
    },
    prepare: (): Promise<GenerationRequest> => gatherRequest(choices, m, fetchPhoto),
  }
}

/** What is chosen, as it was left by an earlier visit and as it changes; kept for the next one. */
function useKeptChoices() {
  'use memo'
  const presets = usePresets()
  const userId = useAuth().user?.userId ?? ''
  const [kept] = useState(() => draftOf(userId))
  const mine = usePhoto(kept?.mine)
  const custom = usePhoto(kept?.custom)
  const background = usePhoto(kept?.background, 'background')
  const stars = presets.state === 'ready' ? presets.list : []
  const second = useSecondStar(kept, stars)
  const [presetId, setPresetId] = useState(() => triedStar() ?? kept?.presetId ?? null)
  const [borrowed, setBorrowed] = useState(kept?.borrowed ?? null)
  const [wishes, setWishes] = useState<Wishes>({ ...noWishes, ...kept?.wishes })
  const isRestored = useDraft(
    {
      userId,
      mine: mine.photo,
      custom: custom.photo,
      background: background.photo,
      presetId,
      ...second.draft,
      borrowed,
      wishes,
    },
    { isKept: kept !== null },
    (earlier) => {
      if (earlier.mine) mine.restore(earlier.mine)
      if (earlier.custom) custom.restore(earlier.custom)
      if (earlier.background) background.restore(earlier.background)
      setPresetId((chosen) => chosen ?? earlier.presetId)
      second.restore(earlier)
      setBorrowed(earlier.borrowed)
      setWishes({ ...noWishes, ...earlier.wishes })
    },
  )
  useEffect(forgetTriedStar, [])
  const photos = { mine, custom, background }
  const changes = { setPresetId, setBorrowed, setWishes }
  return { ...photos, presets, stars, second, presetId, borrowed, wishes, isRestored, ...changes }
}

/**
 * A picture that the server offers, a preset star's or a person's to borrow, as a file like any that
 * somebody chooses. Throws when it does not load.
 */
async function fetchPhoto({ id, image }: { id: string; image: string }): Promise<File> {
  const response = await fetch(image)
  if (!response.ok) throw new Error(`Picture ${id}: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], `${id}.${blob.type.split('/')[1] ?? 'jpg'}`, { type: blob.type })
}
