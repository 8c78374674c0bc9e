import { headsMax } from '@starside/contract/limits.ts'
import type { ChosenPhoto } from './use-photo.ts'

/** Faces of the own photo at most beside so many stars. */
export function ownFacesMax(starCount: number): number {
  return headsMax - starCount
}

/** The faces that are meant in a photo of several, in the order of the photo check. */
export function chosenFaces({ faceIndex, companions = [] }: ChosenPhoto): number[] {
  if (faceIndex === null) return []
  return [faceIndex, ...companions].toSorted((one, other) => one - other)
}

/** Takes a face into the picture or out of it; the last one stays, and so does a full picture. */
export function toggleFace(photo: ChosenPhoto, index: number, most: number): ChosenPhoto {
  const before = chosenFaces(photo)
  const isChosen = before.includes(index)
  if (isChosen ? before.length === 1 : before.length >= most) return photo
  const after = isChosen ? before.filter((face) => face !== index) : [...before, index]
  const [faceIndex = index, ...companions] = after.toSorted((one, other) => one - other)
  return { ...photo, faceIndex, companions }
}

/**
 * Everybody of a photo who can be in a picture, in the order of the photo check; none where that is
 * one person, or more than fit.
 */
export function everybodyIn({ check }: ChosenPhoto, most: number): number[] {
  if (check?.state !== 'answered') return []
  const usable = check.answer.faces.flatMap(({ refusals }, index) =>
    refusals.length === 0 ? [index] : [],
  )
  return usable.length > 1 && usable.length <= most ? usable : []
}

/** Takes all of `faces` into the picture; where they are in it already, the first one alone. */
export function toggleFaces(photo: ChosenPhoto, faces: readonly number[]): ChosenPhoto {
  const [faceIndex = 0, ...companions] = faces
  return { ...photo, faceIndex, companions: areChosen(photo, faces) ? [] : companions }
}

/** Whether exactly these faces are in the picture. */
export function areChosen(photo: ChosenPhoto, faces: readonly number[]): boolean {
  return chosenFaces(photo).join() === faces.join()
}
