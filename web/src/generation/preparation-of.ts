import type { PrepareInput } from '@starside/contract/generation.ts'
import type { ChosenStar, StudioChoices } from './gather-request.ts'
import { chosenFaces } from './toggle-face.ts'
import type { ChosenPhoto } from './use-photo.ts'

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
export function digestOf(photo: ChosenPhoto | null): string | undefined {
  return photo?.check?.state === 'answered' ? photo.check.answer.photoDigest : undefined
}
