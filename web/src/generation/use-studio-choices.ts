import { useEffect, useState } from 'react'
import { usualLook } from '@starside/contract/arrangement-limits.ts'
import { customCelebrity, headsMax, joinCelebrities } from '@starside/contract/limits.ts'
import type { DemoPerson, CelebrityPreset } from '@starside/contract/presets.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'
import { gatherRequest, usePreparation } from './gather-request.ts'
import type { ChosenStar, StudioChoices, Wishes } from './gather-request.ts'
import { adviceOf, greyNoteOf, missingOf, usualFormat } from './photo-fitness.ts'
import { draftOf, rememberTriedStar, triedStar, useDraft } from './selfie-draft.ts'
import { usePhoto } from './use-photo.ts'
import { fetchPicture } from './use-picture-sharing.ts'
import { usePresets } from './use-presets.ts'

const noWishes: Omit<Wishes, 'aspect'> = {
  scene: 'own',
  look: 'automatic',
  prompt: '',
  consent: false,
}

/** What has been chosen in the studio so far, and the ways to change it. */
export function useStudioChoices() {
  'use memo'
  const m = useMessages('dashboard')
  const kept = useKeptChoices()
  const { choices, mine, star, second, stars, setBorrowed, setWishes } = kept
  const { custom, preset } = star.chosen

  const chooseMine = (file: File | null): void => {
    setBorrowed(false)
    if (file) void mine.choose(file)
    else mine.clear()
  }
  /** Takes a borrowed face, and the first star where none is chosen. Throws without the photo. */
  const borrow = async (person: DemoPerson): Promise<void> => {
    const file = await fetchPhoto(person)
    if (!custom && !preset && stars[0]) star.choosePreset(stars[0].id)
    setBorrowed(true)
    void mine.choose(file)
  }

  const refusal = usePreparation(choices)
  const greyNote = greyNoteOf(choices, m)
  return {
    ...kept,
    chooseMine,
    borrow,
    /** Faces of the own photo that fit beside the stars. */
    ownFacesMax: headsMax - (second ? 2 : 1),
    change: (change: Partial<Wishes>) => setWishes((old) => ({ ...old, ...change })),
    missing: missingOf(choices, m, refusal),
    advice: refusal ? null : adviceOf(choices, m),
    /** What else there is to say of the own photo, and what keeps its picture in colour where it says so. */
    note: greyNote ?? (kept.borrowed ? m.borrowedNote : null),
    keepColour: greyNote ? () => setWishes((old) => ({ ...old, look: usualLook })) : undefined,
    /** The stars' names as the credit history and the picture will say them. */
    celebrity: joinCelebrities(
      [choices.star, ...(choices.second ? [choices.second] : [])].map((one) =>
        one.custom ? customCelebrity : (one.preset?.name ?? ''),
      ),
    ),
    /** Puts a photo that was given without saying which person it shows where one is missing. */
    takePhoto: (file: File): void => {
      if (mine.photo && !custom && !preset) star.choosePhoto(file)
      else chooseMine(file)
    },
    prepare: (isRepeat: boolean) => gatherRequest(choices, m, fetchPhoto, isRepeat),
  }
}

/** What every part of the studio takes that shows a choice. */
export type ChoicesProps = { choices: ReturnType<typeof useStudioChoices>; disabled: boolean }

/** What is chosen, as it was left by an earlier visit and as it changes; kept for the next one. */
function useKeptChoices() {
  'use memo'
  const { presets: stars } = usePresets()
  const userId = useAuth().user?.userId ?? ''
  const [kept] = useState(() => draftOf(userId))
  const [firstStar] = useState((): ChosenStar => {
    const { custom = null, presetId = null } = kept?.star ?? {}
    return { custom, presetId: triedStar() ?? presetId }
  })
  const mine = usePhoto(kept?.mine, 'own')
  const star = useStarChoice(firstStar, stars)
  const added = useStarChoice(kept?.second ?? null, stars)
  const [hasSecond, setHasSecond] = useState((kept?.second ?? null) !== null)
  const background = usePhoto(kept?.background, 'background')
  const [borrowed, setBorrowed] = useState(kept?.borrowed ?? false)
  const [used, setUsed] = useState(kept?.used ?? null)
  const [wished, setWishes] = useState(kept?.wishes ?? {})
  const photos = { mine: mine.photo, star: star.chosen, background: background.photo }
  const chosen = { ...photos, second: hasSecond ? added.chosen : null }
  const wishes: Wishes = { ...noWishes, aspect: usualFormat(chosen), ...wished }
  const choices: StudioChoices = { ...chosen, wishes }
  const draft = { ...chosen, wishes: wished, userId, borrowed, used }
  const isRestored = useDraft(draft, { isKept: kept !== null }, (earlier) => {
    if (earlier.mine) mine.restore(earlier.mine)
    star.restore(earlier.star)
    setHasSecond(earlier.second !== null)
    if (earlier.second) added.restore(earlier.second)
    if (earlier.background) background.restore(earlier.background)
    setBorrowed(earlier.borrowed)
    setUsed(earlier.used)
    setWishes(earlier.wishes)
  })
  const { presetId: chosenId } = star.chosen
  useEffect(() => rememberTriedStar(chosenId), [chosenId])
  return {
    choices,
    mine,
    star,
    /** Null until a second star was added. */
    second: hasSecond ? added : null,
    addSecond: () => setHasSecond(true),
    removeSecond: () => {
      setHasSecond(false)
      added.clear()
    },
    background,
    stars,
    borrowed,
    used,
    wished,
    wishes,
    /** False until it is known what an earlier visit left. */
    isRestored,
    setBorrowed,
    setUsed,
    setWishes,
  }
}

/** A preset's picture as a file that one chooses. Throws when it does not load. */
async function fetchPhoto({ id, image }: { id: string; image: string }): Promise<File> {
  const blob = await fetchPicture(image)
  return new File([blob], `${id}.${blob.type.split('/')[1] ?? 'jpg'}`, { type: blob.type })
}

/** The choice of one star: a photo of one's own or one of the presets. */
export function useStarChoice(kept: ChosenStar | null, stars: readonly CelebrityPreset[]) {
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
    chooseFace: (index: number) => photo.toggleFace(index, 1),
    clear: (): void => {
      choosePreset(null)
      photo.clear()
    },
    /** What was chosen meanwhile goes before. */
    restore: ({ custom, presetId: earlierId }: ChosenStar): void => {
      choosePreset((now) => now ?? earlierId)
      if (custom && presetId === null) photo.restore(custom)
    },
  }
}
