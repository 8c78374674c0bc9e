import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { GenerationRequest } from './start-generation.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { chosenFaces } from './toggle-face.ts'
import type { Wishes } from './use-studio-choices.ts'

/** What stands in the studio when its button is pressed. */
export interface StudioChoices {
  mine: ChosenPhoto | null
  /** A photo of one's own of the celebrity, which goes before any preset. */
  custom: ChosenPhoto | null
  presetId: string | null
  /** The preset of that id, unless it is gone. */
  preset: CelebrityPreset | undefined
  /** The place that the picture is to be set in, where that is wished for. */
  background: ChosenPhoto | null
  wishes: Wishes
}

/** The sentences of the specification's sections 5 and 8, in the reader's language. */
interface Sentences {
  photosRequired: string
  celebrityNotFound: string
  noCelebrityPhoto: string
  needBackground: string
}

/**
 * Puts one generation's request together; a preset's picture is fetched as a file by
 * `fetchPhoto`. Throws an error with the sentence that names what is missing.
 */
export async function gatherRequest(
  { mine, custom, presetId, preset, background, wishes }: StudioChoices,
  sentences: Sentences,
  fetchPhoto: (preset: CelebrityPreset) => Promise<File>,
): Promise<GenerationRequest> {
  const userPhoto = mine?.prepared?.file
  if (!userPhoto || (!custom && presetId === null)) throw new Error(sentences.photosRequired)
  const place =
    wishes.scene === 'photo'
      ? { scene: null, background: backgroundOf(background, sentences) }
      : { scene: wishes.scene, background: null }
  const common = { ...wishes, ...place, userPhoto, userFaces: chosenFaces(mine) }
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
  return { ...common, celebrityPhoto, presetId: preset.id, starFaceIndex: null, consent: false }
}

function backgroundOf(background: ChosenPhoto | null, { needBackground }: Sentences): File {
  const file = background?.prepared?.file
  if (!file) throw new Error(needBackground)
  return file
}
