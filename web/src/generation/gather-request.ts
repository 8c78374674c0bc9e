import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { GenerationRequest } from './start-generation.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { digestOf } from './preparation-of.ts'
import { chosenFaces } from './toggle-face.ts'
import type { Wishes } from './use-studio-choices.ts'

/** One star as they were chosen: a photo of one's own goes before a preset. */
export interface ChosenStar {
  custom: ChosenPhoto | null
  presetId: string | null
  /** The preset of that id, unless it is gone. */
  preset: CelebrityPreset | undefined
}

/** What stands in the studio when its button is pressed. */
export interface StudioChoices {
  mine: ChosenPhoto | null
  star: ChosenStar
  /** A second star, where one was added. */
  second: ChosenStar | null
  /** The place that the picture is to be set in, where that is wished for. */
  background: ChosenPhoto | null
  wishes: Wishes
}

/**
 * Puts one generation's request together; a preset's picture is fetched as a file by
 * `fetchPhoto`. Throws an error with the sentence that names what is missing.
 */
export async function gatherRequest(
  { mine, star: { custom, presetId, preset }, second, background, wishes }: StudioChoices,
  sentences: DashboardMessages,
  fetchPhoto: (preset: CelebrityPreset) => Promise<File>,
): Promise<GenerationRequest> {
  const userPhoto = mine?.prepared?.file
  if (!userPhoto || (!custom && presetId === null)) throw new Error(sentences.photosRequired)
  const place =
    wishes.scene === 'photo'
      ? { scene: null, background: backgroundOf(background, sentences) }
      : { scene: wishes.scene, background: null }
  const common = {
    ...wishes,
    ...place,
    ...secondStarOf(second, sentences),
    photoDigests: digestsOf([mine, custom, second?.custom ?? null, background]),
    userPhoto,
    userFaces: chosenFaces(mine),
  }
  if (custom) {
    if (!custom.prepared) throw new Error(sentences.noCelebrityPhoto)
    return {
      ...common,
      celebrityPhoto: custom.prepared.file,
      presetId: null,
      starFaceIndex: custom.faceIndex,
    }
  }
  if (!preset) throw new Error(sentences.celebrityNotFound)
  let celebrityPhoto: File
  try {
    celebrityPhoto = await fetchPhoto(preset)
  } catch {
    throw new Error(sentences.noCelebrityPhoto)
  }
  const consent = common.secondPhoto !== null && common.consent
  return { ...common, celebrityPhoto, presetId: preset.id, starFaceIndex: null, consent }
}

function digestsOf(photos: readonly (ChosenPhoto | null)[]): Map<File, string> {
  const digests = new Map<File, string>()
  for (const photo of photos) {
    const digest = digestOf(photo)
    if (photo?.prepared && digest !== undefined) digests.set(photo.prepared.file, digest)
  }
  return digests
}

function backgroundOf(background: ChosenPhoto | null, { needBackground }: DashboardMessages): File {
  const file = background?.prepared?.file
  if (!file) throw new Error(needBackground)
  return file
}

type SecondStar = Pick<GenerationRequest, 'secondPresetId' | 'secondPhoto' | 'secondFaceIndex'>

function secondStarOf(
  second: ChosenStar | null,
  { needSecondStar }: DashboardMessages,
): SecondStar {
  const none = { secondPresetId: null, secondPhoto: null, secondFaceIndex: null }
  if (!second) return none
  const { custom, preset } = second
  if (custom?.prepared) {
    return { ...none, secondPhoto: custom.prepared.file, secondFaceIndex: custom.faceIndex }
  }
  if (custom || !preset) throw new Error(needSecondStar)
  return { ...none, secondPresetId: preset.id }
}
