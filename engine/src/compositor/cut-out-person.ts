import { estimateForeground } from './foreground-colour.ts'
import { createPlane } from './raster.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'
import type { ReadSubject } from './read-subject.ts'
import { refineMatte } from './refine-matte.ts'
import { samplePlane } from './sample-plane.ts'
import { affineOf, joinRegions } from './segment-person.ts'
import { splitNeighbours } from './split-neighbours.ts'
import { invertSimilarity, similarityScale } from './warp.ts'
import type { Similarity } from './warp.ts'
import { warpPhoto } from './warp-photo.ts'

/** The coarse matte is made at this fraction of the picture's size. */
const coarseShrink = 2

/** Cuts one person out of their photo, in the picture's frame. */
export async function cutOutPerson(
  subject: ReadSubject,
  toPicture: Similarity,
  width: number,
  height: number,
): Promise<{ image: RgbImage; alpha: BytePlane }> {
  const warped = await warpPhoto(subject.photo.levels[0]!, subject.matte, toPicture, width, height)
  if (warped.matte) return { image: warped.image, alpha: warped.matte }
  const toPhoto = invertSimilarity(toPicture)
  const headSize = subject.face.head.size * similarityScale(toPicture)
  const coarse = coarseMatte(subject, toPhoto, width, height)
  const alpha = refineMatte(warped.image, coarse, headSize)
  dropOutside(alpha, subject, toPhoto)
  estimateForeground(warped.image, alpha, headSize)
  return { image: warped.image, alpha }
}

function coarseMatte(
  subject: ReadSubject,
  toPhoto: Similarity,
  width: number,
  height: number,
): Plane {
  const map = {
    a: toPhoto.a * coarseShrink,
    b: toPhoto.b * coarseShrink,
    tx: toPhoto.tx,
    ty: toPhoto.ty,
  }
  const coarse = joinRegions(
    subject.regions,
    subject.photo.levels[0]!,
    affineOf(map),
    Math.ceil(width / coarseShrink),
    Math.ceil(height / coarseShrink),
  )
  splitNeighbours(coarse, map, subject.face.head, subject.others)
  const { silhouette, person } = subject
  const toSmall = 1 / silhouette.maskScale
  const near = nearPerson(person)
  for (let y = 0, i = 0; y < coarse.height; y++) {
    for (let x = 0; x < coarse.width; x++, i++) {
      if (coarse.data[i] === 0) continue
      const px = map.a * (x + 0.5) - map.b * (y + 0.5) + map.tx
      const py = map.b * (x + 0.5) + map.a * (y + 0.5) + map.ty
      coarse.data[i]! *= samplePlane(near, px * toSmall, py * toSmall)
    }
  }
  return coarse
}

/** 1 where the small matte of the one person has anything, 0 elsewhere. */
function nearPerson(person: Plane): Plane {
  const near = createPlane(person.width, person.height)
  for (let i = 0; i < near.data.length; i++) near.data[i] = person.data[i]! > 0 ? 1 : 0
  return near
}

/** The filter must not bring colour where the photo doesn't reach. */
function dropOutside(alpha: BytePlane, subject: ReadSubject, toPhoto: Similarity): void {
  const { width, height } = subject.photo.levels[0]!
  for (let y = 0, i = 0; y < alpha.height; y++) {
    for (let x = 0; x < alpha.width; x++, i++) {
      if (alpha.data[i] === 0) continue
      const px = toPhoto.a * (x + 0.5) - toPhoto.b * (y + 0.5) + toPhoto.tx
      const py = toPhoto.b * (x + 0.5) + toPhoto.a * (y + 0.5) + toPhoto.ty
      if (px < 0 || py < 0 || px >= width || py >= height) alpha.data[i] = 0
    }
  }
}
