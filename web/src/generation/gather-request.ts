import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { GenerationRequest, RequestedStar } from './start-generation.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { digestOf } from './use-preparation.ts'
import { chosenFaces } from './toggle-face.ts'

/** One star as they were chosen: a photo of one's own goes before a preset. */
export interface ChosenStar {
  custom: ChosenPhoto | null
  presetId: string | null
  /** The preset of that id, unless it is gone. */
  preset?: CelebrityPreset | undefined
}

/** What is wished for besides the photos. */
export interface Wishes {
  /** `photo` for a background of one's own. */
  scene: SceneName | 'photo'
  aspect: SelfieAspect
  look: WishedLook
  prompt: string
  consent: boolean
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
  { mine, star, second, background, wishes }: StudioChoices,
  m: DashboardMessages,
  fetchPhoto: (preset: CelebrityPreset) => Promise<File>,
): Promise<GenerationRequest> {
  const userPhoto = mine?.prepared?.file
  if (!userPhoto || (!star.custom && star.presetId === null)) throw new Error(m.photosRequired)
  const { scene } = wishes
  const place = scene === 'photo' ? background?.prepared?.file : null
  if (place === undefined) throw new Error(m.needBackground)
  const others = second ? [secondStar(second, m)] : []
  const stars = [await firstStar(star, m, fetchPhoto), ...others]
  const photos = [mine, star.custom, second?.custom ?? null, background]
  return {
    ...wishes,
    scene: scene === 'photo' ? null : scene,
    background: place,
    stars,
    // Of presets nobody has to be asked.
    consent: wishes.consent && stars.some(({ presetId }) => presetId === null),
    photoDigests: new Map(photos.flatMap(digestEntry)),
    userPhoto,
    userFaces: chosenFaces(mine),
  }
}

function digestEntry(photo: ChosenPhoto | null): [File, string][] {
  const digest = digestOf(photo)
  return photo?.prepared && digest !== undefined ? [[photo.prepared.file, digest]] : []
}

async function firstStar(
  { custom, preset }: ChosenStar,
  m: DashboardMessages,
  fetchPhoto: (preset: CelebrityPreset) => Promise<File>,
): Promise<RequestedStar> {
  if (custom) {
    if (!custom.prepared) throw new Error(m.noCelebrityPhoto)
    return { presetId: null, photo: custom.prepared.file, faceIndex: custom.faceIndex }
  }
  if (!preset) throw new Error(m.celebrityNotFound)
  const photo = await fetchPhoto(preset).catch(() => {
    throw new Error(m.noCelebrityPhoto)
  })
  return { presetId: preset.id, photo, faceIndex: null }
}

function secondStar({ custom, preset }: ChosenStar, m: DashboardMessages): RequestedStar {
  if (custom?.prepared) {
    return { presetId: null, photo: custom.prepared.file, faceIndex: custom.faceIndex }
  }
  if (custom || !preset) throw new Error(m.needSecondStar)
  return { presetId: preset.id, photo: null, faceIndex: null }
}
