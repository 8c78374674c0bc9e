import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { GenerationRequest, RequestedStar } from './start-generation.ts'
import { chosenFaces, type ChosenPhoto } from './use-photo.ts'
import { useQuery } from '@tanstack/react-query'
import { wait } from '../ui/wait.ts'
import type { FormatRefusal, PrepareInput } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'

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
  /** `automatic` leaves it to the server, which looks at the photo. */
  look: WishedLook | 'automatic'
  prompt: string
  consent: boolean
}

/** What stands in the studio when its button is pressed. */
export interface StudioChoices {
  mine: ChosenPhoto | null
  star: ChosenStar
  second: ChosenStar | null
  /** The place that the picture is to be set in, where that is wished for. */
  background: ChosenPhoto | null
  wishes: Wishes
}

/** Puts a request together. Throws an error with the sentence that names what is missing. */
export async function gatherRequest(
  { mine, star, second, background, wishes }: StudioChoices,
  m: DashboardMessages,
  fetchPhoto: (preset: CelebrityPreset) => Promise<File>,
  isRepeat = false,
): Promise<GenerationRequest> {
  const userPhoto = mine?.prepared?.file
  if (!userPhoto || (!star.custom && star.presetId === null)) throw new Error(m.photosRequired)
  const { scene } = wishes
  const place = scene === 'photo' ? background?.prepared?.file : null
  if (place === undefined) throw new Error(m.needBackground)
  const added = second ? [await requestedStar(second, m.needSecondStar, m.needSecondStar)] : []
  const offered = (preset: CelebrityPreset): Promise<File> =>
    fetchPhoto(preset).catch(() => {
      throw new Error(m.noCelebrityPhoto)
    })
  const first = await requestedStar(star, m.noCelebrityPhoto, m.celebrityNotFound, offered)
  const stars = [first, ...added]
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
    isRepeat,
  }
}

function digestEntry(photo: ChosenPhoto | null): [File, string][] {
  const digest = digestOf(photo)
  return photo?.prepared && digest !== undefined ? [[photo.prepared.file, digest]] : []
}

/** Throws `unready` for a photo of one's own that isn't, `gone` where there is no star. */
async function requestedStar(
  { custom, preset }: ChosenStar,
  unready: string,
  gone: string,
  photoOf?: (preset: CelebrityPreset) => Promise<File>,
): Promise<RequestedStar> {
  if (custom?.prepared) {
    return { presetId: null, photo: custom.prepared.file, faceIndex: custom.faceIndex }
  }
  if (custom || !preset) throw new Error(custom ? unready : gone)
  return { presetId: preset.id, photo: (await photoOf?.(preset)) ?? null, faceIndex: null }
}

/** So long a choice stands before it is taken for what will be asked for. */
const settledMs = 500

/** Tells the server early what is chosen; gives why no picture can be made of it, null where one can or before that is known. */
export function usePreparation(choices: StudioChoices): FormatRefusal | null {
  const body = preparationOf(choices)
  const { data } = useQuery({
    queryKey: ['prepare', body],
    enabled: body !== null,
    queryFn: async ({ signal }) => {
      await wait(settledMs, signal)
      return body && (await call('POST /api/ai?action=prepare', { body, signal }))
    },
    // Asked anew whenever it is chosen again.
    gcTime: 0,
  })
  return data?.refusal ?? null
}

/** What the server can prepare for what is chosen; null where something is missing or would not pay. */
export function preparationOf({ mine, star, second, wishes }: StudioChoices): PrepareInput | null {
  const userPhoto = digestOf(mine)
  const chosen = [star, ...(second ? [second] : [])].map(starOf)
  const stars = chosen.filter((one) => one !== null)
  // In front of a photo of a place everybody is cut out otherwise.
  if (!mine || !userPhoto || stars.length < chosen.length || wishes.scene === 'photo') return null
  const faces = chosenFaces(mine)
  const userFaces = faces.length > 0 ? { userFaces: faces } : {}
  return { userPhoto, ...userFaces, stars, aspect: wishes.aspect }
}

function starOf({ custom, preset }: ChosenStar): PrepareInput['stars'][number] | null {
  if (!custom) return preset ? { presetId: preset.id } : null
  const photo = digestOf(custom)
  if (!photo) return null
  return custom.faceIndex === null ? { photo } : { photo, faceIndex: custom.faceIndex }
}

/** By which the server knows the photo; undefined until it was checked. */
function digestOf(photo: ChosenPhoto | null): string | undefined {
  return photo?.check?.state === 'answered' ? photo.check.answer.photoDigest : undefined
}
