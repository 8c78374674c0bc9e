import type { InspectedFace } from './inspection.ts'
import type { FoundFace } from '../compositor/faces/find-faces.ts'
import { measurePose } from '../compositor/faces/measure-pose.ts'
import { capHairMin } from '../compositor/layout/layout-subject.ts'
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
  /** How bright the skin of that face is. */
  skin: SkinLight | undefined
  /** How much of what is seen around the head is blown, 0…1, see `measureBackdrop`. */
  blownBackdrop: number
}

/** A face smaller than this (pixels, about forehead to chin) has nothing left to enlarge. */
const faceSizeMin = 80
/** A smaller one than this is seen to be enlarged. */
const faceSizeSmall = 160
/** The photo must go on below the chin by this part of the head size. */
const belowChinMin = 0.1
/** Less than this below the chin gives low or very large heads. */
const belowChinTight = 0.6
/** Hair begins this far above the forehead's upper end, bald heads end there; in head sizes. */
const hairAboveForehead = 0.2

/** Angles (radians) from which on a face can't be used, or would better be another. */
const yawMax = radians(45)
const yawHint = radians(12)
const pitchMax = { back: radians(38), down: radians(45) }
/** Around a head more than this part of the background is blown before a window or a white wall. */
const blownBackdropHint = 0.1
/** Light from above this hard (stops) is the sun's, and looks strange in a scene without one. */
export const overheadHard = 3.8
/** Eyes whose openings are flatter than this are closed. */
const eyesOpenMin = 0.14

/** Skin whose brightest part (linear) is darker than the hint's is of a dark photo, whatever its colour. */
const brightestMin = { refusal: 0.02, hint: 0.17 }
/** Skin of which a twentieth is brighter than this (linear) is burnt out; with such a median most of it is. */
const brightestMax = 0.93
const medianMax = 0.9

const sharpnessMin = 0.45

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
  if (size < faceSizeMin) refusals.push('face_too_small')
  // Beside a star a head that ends at both edges would show one of them.
  const foreheadMin = below < belowChinTight ? capHairMin * head.size : 0
  const isTopCut = head.foreheadTop.y < foreheadMin
  if (below < belowChinMin || isTopCut || beside < -head.faceWidth * 0.08) {
    refusals.push('face_cut')
  }
  if (yaw > yawMax) refusals.push('face_profile')
  if (pitch > pitchMax.back || pitch < -pitchMax.down) refusals.push('face_tilted')
  const exposure = input.skin ? judgeExposure(input.skin) : { refusals: [], hints: [] }
  refusals.push(...exposure.refusals)
  // What is nearly black or burnt out looks blurred too.
  if (input.sharpness < sharpnessMin && exposure.refusals.length === 0)
    refusals.push('photo_blurred')
  hints.push(...exposure.hints)
  if (input.faces.length > 1) hints.push('several_faces')
  if (size >= faceSizeMin && size < faceSizeSmall) hints.push('small_face')
  if (below >= belowChinMin && below < belowChinTight) hints.push('tight_crop')
  if (head.foreheadTop.y < hairAboveForehead * head.size) hints.push('hair_cut')
  if (eyesOpen < eyesOpenMin) hints.push('eyes_closed')
  if (yaw > yawHint) hints.push('turned')
  if (input.overhead > overheadHard) hints.push('hard_sun')
  if (input.blownBackdrop > blownBackdropHint) hints.push('bright_background')
  return { refusals, hints }
}

/** Whether a face is too dark or too bright for a good picture, or for any. */
export function judgeExposure({ median, brightest }: SkinLight): FaceJudgement {
  if (brightest < brightestMin.refusal) return { refusals: ['face_too_dark'], hints: [] }
  if (median > medianMax) return { refusals: ['face_too_bright'], hints: [] }
  if (brightest < brightestMin.hint) return { refusals: [], hints: ['dark_face'] }
  return { refusals: [], hints: brightest > brightestMax ? ['bright_face'] : [] }
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
  }))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
