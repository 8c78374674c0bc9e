import { describeFaces, judgePhoto } from '../photo/inspect-photo.ts'
import type { FaceJudgement } from '../photo/inspect-photo.ts'
import { measureBackdrop } from '../photo/measure-backdrop.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { releaseMemory } from '../release-memory.ts'
import { cropFace } from './faces/crop-face.ts'
import type { CroppedFace } from './faces/crop-face.ts'
import { measureLight } from './harmonise/measure-light.ts'
import { measureSharpness, sharpnessHeadPixels } from './harmonise/measure-sharpness.ts'
import { readPhoto } from './read-subject.ts'
import type { Networks } from './read-subject.ts'
import type { InspectResult, PhotoRequest } from './thread-messages.ts'

/** Describes and judges every face of a photo, and the photo by those that are meant. */
export async function inspectFaces(
  networks: Networks,
  { photo: normalised, faceIndexes }: Pick<PhotoRequest, 'photo' | 'faceIndexes'>,
): Promise<InspectResult> {
  const { photo, faces, matte } = await readPhoto(networks, normalised)
  const image = photo.levels[0]!
  const { width, height } = image
  const judge = (faceIndex: number, shrunkBy = 1): FaceJudgement => {
    const face = faces[faceIndex]
    // The upload's own pixels may show a face sharper that has fewer here than are measured.
    const isOpen = face && shrunkBy > 1 && face.head.size < sharpnessHeadPixels
    const sharpness = face && !isOpen ? measureSharpness(photo, face.head) : undefined
    const light = face && measureLight(photo, face.mesh, face.head)
    return judgePhoto({
      width,
      height,
      faces,
      faceIndex,
      shrunkBy,
      sharpness: sharpness ?? Infinity,
      overhead: light?.overhead ?? 0,
      // A cut-out has no background of its own.
      blownBackdrop: face && !matte ? measureBackdrop(image, face.head) : 0,
    })
  }
  // Who isn't meant yet would be cut from the upload anew.
  const judged = faces.map((_, faceIndex) =>
    judge(faceIndex, faceIndexes.includes(faceIndex) ? 1 : normalised.shrunkBy),
  )
  const asked = faceIndexes.map((faceIndex) => judged[faceIndex] ?? judge(faceIndex))
  const result = {
    faces: describeFaces(faces, image).map((face, n) => ({
      ...face,
      ...judged[n]!,
    })),
    refusals: [...new Set(asked.flatMap(({ refusals }) => refusals))],
    hints: [...new Set(asked.flatMap(({ hints }) => hints))],
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
