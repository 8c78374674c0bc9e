import photoLimits from './photo-limits.json' with { type: 'json' }
import type { InspectedFace } from './inspection.ts'
import type { FoundFace } from '../compositor/faces/find-faces.ts'
import { doTouch } from './judge-group.ts'
import { measurePose } from '../compositor/faces/measure-pose.ts'
import { aboveCut } from '../compositor/layout/layout-subject.ts'
import { strengthOf } from '../compositor/harmonise/match-skin.ts'
import type { SkinLight } from '../compositor/harmonise/measure-light.ts'
import type { PhotoHint, PhotoRefusal } from './photo-error.ts'

/** What the judgement of a photo rests on; pixels of the photo as given. */
export interface InspectionInput {
  width: number
  height: number
  faces: readonly FoundFace[]
  /** Index of the face that the picture is to be made of. */
  faceIndex: number
  /** Pixels of the upload for each of the photo's that a picture of this face would be made of. */
  shrunkBy?: number
  /** Sharpness of that face, see `measureSharpness`. */
  sharpness: number
  /** How hard the light comes from above, in stops, see `measureOverhead`. */
  overhead: number
  /** How bright the skin of that face is, and its colour. */
  skin: SkinLight | undefined
  /** How much of what is seen around the head is blown, 0…1, see `measureBackdrop`. */
  blownBackdrop: number
}

/**
 * Where a measure of a face refuses its photo, and where it gives a hint (`photo-limits.json`), found by photos of which
 * people had said whether they would do:
 * - `faceSizePx`: height, about forehead to chin, in the upload's pixels; `belowChin`, `aboveForehead`: what the photo
 *   has there, in head sizes; `beyondSide`: of the face outside of the photo, in its widths
 * - `yawDegrees`; `backDegrees`, `downDegrees`: pitch; `eyesOpen`: an opening's height by its width
 * - `sharpness`: see `measureSharpness`; `ofSmallFace` refuses a face that is small enough for its hint
 * - `overheadStops`: see `measureOverhead`; `blownBackdrop`: see `measureBackdrop`
 * - `skinColour`: see `strengthOf`; `darkSkin`: the 95th percentile of its linear light; `brightSkin`: the median refuses, the 95th percentile is a hint
 */
const limits = photoLimits

/** Light from above this hard (stops) is the sun's, and looks strange in a scene without one. */
export const overheadHard = limits.overheadStops.hint

export interface FaceJudgement {
  refusals: PhotoRefusal[]
  hints: PhotoHint[]
}

/** Judges a photo: what would refuse it, and what would make a better picture. */
export function judgePhoto(input: InspectionInput): FaceJudgement {
  const refusals: PhotoRefusal[] = []
  const hints: PhotoHint[] = []
  const face = input.faces[input.faceIndex]
  if (!face) return { refusals: ['face_missing'], hints }
  const { head } = face
  const below = (input.height - head.chin.y) / head.size
  const beside = Math.min(
    head.centre.x - head.faceWidth / 2,
    input.width - head.centre.x - head.faceWidth / 2,
  )
  const { yaw, pitch, eyesOpen } = measurePose(face.detection, face.mesh)
  const size = head.size * (input.shrunkBy ?? 1)
  const isSmall = size < limits.faceSizePx.hint
  const isSoft = input.sharpness < limits.sharpness.ofSmallFace
  const isTooSmall = size < limits.faceSizePx.refusal || (isSmall && isSoft)
  if (isTooSmall) refusals.push('face_too_small')
  // Beside a star a head that ends at both edges would show one of them.
  const foreheadMin = below < limits.belowChin.hint ? aboveCut * head.size : 0
  const isTopCut = head.foreheadTop.y < foreheadMin
  const isSideCut = beside < -limits.beyondSide.refusal * head.faceWidth
  if (below < limits.belowChin.refusal || isTopCut || isSideCut) refusals.push('face_cut')
  if (yaw > radians(limits.yawDegrees.refusal)) refusals.push('face_profile')
  if (pitch > radians(limits.backDegrees.refusal) || -pitch > radians(limits.downDegrees.refusal)) {
    refusals.push('face_tilted')
  }
  const exposure = input.skin ? judgeExposure(input.skin) : { refusals: [], hints: [] }
  refusals.push(...exposure.refusals)
  // What is nearly black or burnt out looks blurred too.
  if (input.sharpness < limits.sharpness.refusal && exposure.refusals.length === 0)
    refusals.push('photo_blurred')
  hints.push(...exposure.hints)
  if (input.skin && strengthOf(input.skin.tint) < limits.skinColour.hint) hints.push('no_colour')
  if (input.faces.length > 1) hints.push('several_faces')
  if (isSmall && !isTooSmall) hints.push('small_face')
  if (below >= limits.belowChin.refusal && below < limits.belowChin.hint) hints.push('tight_crop')
  if (head.foreheadTop.y < limits.aboveForehead.hint * head.size) hints.push('hair_cut')
  if (eyesOpen < limits.eyesOpen.hint) hints.push('eyes_closed')
  if (yaw > radians(limits.yawDegrees.hint)) hints.push('turned')
  if (input.overhead > overheadHard) hints.push('hard_sun')
  if (input.blownBackdrop > limits.blownBackdrop.hint) hints.push('bright_background')
  return { refusals, hints }
}

/** Whether a face is too dark or too bright for a good picture, or for any. */
export function judgeExposure({ median, brightest }: Omit<SkinLight, 'tint'>): FaceJudgement {
  if (brightest < limits.darkSkin.refusal) return { refusals: ['face_too_dark'], hints: [] }
  if (median > limits.brightSkin.refusal) return { refusals: ['face_too_bright'], hints: [] }
  if (brightest < limits.darkSkin.hint) return { refusals: [], hints: ['dark_face'] }
  return { refusals: [], hints: brightest > limits.brightSkin.hint ? ['bright_face'] : [] }
}

/** What would refuse a photo because of any of these faces, and what would make a better picture. */
export function joinJudgements(judged: readonly FaceJudgement[]): FaceJudgement {
  return {
    refusals: [...new Set(judged.flatMap(({ refusals }) => refusals))],
    hints: [...new Set(judged.flatMap(({ hints }) => hints))],
  }
}

/** The faces as fractions of the photo. */
export function describeFaces(
  faces: readonly FoundFace[],
  { width, height }: { width: number; height: number },
): Omit<InspectedFace, 'refusals' | 'hints'>[] {
  return faces.map((face, index) => ({
    x: face.detection.box.x / width,
    y: face.detection.box.y / height,
    width: face.detection.box.width / width,
    height: face.detection.box.height / height,
    isMain: index === 0,
    touches: faces.flatMap(({ head }, other) =>
      other !== index && doTouch(head, face.head) ? other : [],
    ),
  }))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
