import { describeFaces, joinJudgements } from '../photo/inspect-photo.ts'
import { judgeGroup } from '../photo/judge-group.ts'
import type { FaceJudgement } from '../photo/inspect-photo.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { releaseMemory } from '../release-memory.ts'
import { cropFace } from './faces/crop-face.ts'
import type { CroppedFace } from './faces/crop-face.ts'
import { measureLight } from './harmonise/measure-light.ts'
import { measureSharpness, sharpnessHeadPixels } from './harmonise/measure-sharpness.ts'
import { judgeFace, readPhoto } from './read-subject.ts'
import type { Networks } from './read-subject.ts'
import type { InspectResult, PhotoRequest } from './thread-messages.ts'

/** Describes and judges every face of a photo, and the photo by those that are meant. */
export async function inspectFaces(
  networks: Networks,
  { photo: normalised, faceIndexes }: Pick<PhotoRequest, 'photo' | 'faceIndexes'>,
): Promise<InspectResult> {
  const read = await readPhoto(networks, normalised)
  const { photo, faces } = read
  const judge = (faceIndex: number, shrunkBy = 1): FaceJudgement => {
    const face = faces[faceIndex]
    // The upload's own pixels may show a face sharper that has fewer here than are measured.
    const isOpen = face && shrunkBy > 1 && face.head.size < sharpnessHeadPixels
    const sharpness = face && !isOpen ? measureSharpness(photo, face.head) : undefined
    const { overhead = 0, skin } = face ? measureLight(photo, face.mesh, face.head) : {}
    return judgeFace(read, face, { shrunkBy, sharpness: sharpness ?? Infinity, overhead, skin })
  }
  // Who isn't meant yet would be cut from the upload anew.
  const judged = faces.map((_, faceIndex) =>
    judge(faceIndex, faceIndexes.includes(faceIndex) ? 1 : normalised.shrunkBy),
  )
  const asked = faceIndexes.map((faceIndex) => judged[faceIndex] ?? judge(faceIndex))
  const result = {
    faces: describeFaces(faces, photo.levels[0]!).map((face, n) => ({ ...face, ...judged[n]! })),
    ...joinJudgements([...asked, judgeGroup(faces, faceIndexes)]),
  }
  releaseMemory(...photo.levels.map((level) => level.data))
  return result
}

/** Cuts every face out of a photo, in the order of the inspection's. */
export async function cropFaces(
  networks: Networks,
  normalised: NormalisedPhoto,
): Promise<CroppedFace[]> {
  const { photo, faces } = await readPhoto(networks, normalised)
  const cropped = faces.map((face) => cropFace(photo, face))
  releaseMemory(...photo.levels.map((level) => level.data))
  return cropped
}
