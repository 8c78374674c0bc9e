import type { NormalisedPhoto } from '../../image-provider.ts'
import { buildPyramid } from '../../image/pyramid.ts'
import type { RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { cropFace } from '../faces/crop-face.ts'
import type { CroppedFace } from '../faces/crop-face.ts'
import { readPhoto } from '../read-subject.ts'
import type { Networks } from '../read-subject.ts'
import { blendFaces } from './blend-faces.ts'
import { matchFaces } from './match-faces.ts'

/**
 * Puts the faces of a composite back into a picture that was made of it.
 * @returns undefined where somebody is missing, stands elsewhere or holds their head otherwise
 */
export async function putFacesBack(
  networks: Networks,
  request: { photo: NormalisedPhoto; composite: NormalisedPhoto },
): Promise<{ picture: RgbImage; faces: CroppedFace[] } | undefined> {
  const { photo, faces } = await readPhoto(networks, request.photo)
  const composite = await readPhoto(networks, request.composite)
  const pairs = matchFaces(composite.faces, faces)
  if (pairs === undefined) return undefined
  const picture = photo.levels[0]!
  blendFaces(picture, composite.photo.levels[0]!, pairs)
  releaseMemory(...composite.photo.levels.map((level) => level.data))
  // They lie where the picture's own were found.
  const lit = buildPyramid(picture)
  return { picture, faces: faces.map((face) => cropFace(lit, face)) }
}
