import { releaseDecoded, releaseMemory } from '../../release-memory.ts'
import { estimateForeground } from './foreground-colour.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import type { ReadSubject } from '../read-subject.ts'
import { refineMatte, refineShrink } from './refine-matte.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { joinCrops } from './join-crops.ts'
import { splitNeighbours } from './split-neighbours.ts'
import { placePart } from '../frame-part.ts'
import type { Frame } from '../shared-frames.ts'
import { affineOf, applySimilarity, invertSimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { warpPhoto } from '../../image/warp-photo.ts'

/**
 * Cuts out one subject, once only, as its pixels are given back when they are in the picture's size.
 * @returns the person as large as the layer, in memory of this thread alone, which is faster than what all share
 */
export async function cutOutPerson(
  subject: ReadSubject,
  toLayer: Similarity,
  size: { width: number; height: number },
): Promise<Frame> {
  const photo = subject.photo.levels[0]!
  const part = partOfPerson(subject, toLayer, size)
  const toPart = { ...toLayer, tx: toLayer.tx - part.x, ty: toLayer.ty - part.y }
  releaseMemory(...subject.photo.levels.slice(1).map((level) => level.data))
  const warping = warpPhoto(photo, subject.matte, toPart, part.width, part.height)
  const toPhoto = invertSimilarity(toPart)
  // While libvips warps.
  const coarse = subject.matte ? undefined : coarseMatte(subject, toPhoto, part.width, part.height)
  const { image, matte } = await warping
  await releaseDecoded(photo.data, subject.matte?.data)
  if (!coarse) return placePart({ image, alpha: matte! }, part, size)
  const headSize = subject.head.size * similarityScale(toLayer)
  const alpha = refineMatte(image, coarse, headSize)
  releaseMemory(coarse.data)
  estimateForeground(image, alpha, headSize)
  return placePart({ image, alpha }, part, size)
}

/** The rectangle of the layer that the person fills, with a margin for loose hair. */
function partOfPerson(
  subject: ReadSubject,
  toLayer: Similarity,
  { width, height }: { width: number; height: number },
): Rect {
  const { mask, maskScale } = subject.silhouette
  let left = Infinity
  let right = -Infinity
  let top = Infinity
  let bottom = -Infinity
  for (let y = 0; y < mask.height; y++) {
    const row = mask.data.subarray(y * mask.width, (y + 1) * mask.width)
    const first = row.findIndex(isPerson)
    if (first < 0) continue
    // All between both ends of a row lies between where both ends come to lie.
    for (const column of [first, row.findLastIndex(isPerson)]) {
      const { x, y: outY } = applySimilarity(toLayer, {
        x: (column + 0.5) * maskScale,
        y: (y + 0.5) * maskScale,
      })
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, outY)
      bottom = Math.max(bottom, outY)
    }
  }
  const margin = (looseHair * subject.head.size + maskScale) * similarityScale(toLayer)
  const x = clamp(Math.floor(left - margin), 0, width - 8)
  const y = clamp(Math.floor(top - margin), 0, height - 8)
  return {
    x,
    y,
    width: clamp(Math.ceil(right + margin), x + 8, width) - x,
    height: clamp(Math.ceil(bottom + margin), y + 8, height) - y,
  }
}

/** How far loose hair may reach beyond the small matte of a person, in head sizes. */
export const looseHair = 0.12
/** Whether a value of the small matte, 0…255, is of the person. */
export const isPerson = (value: number): boolean => value >= 8

function coarseMatte(
  subject: ReadSubject,
  toPhoto: Similarity,
  width: number,
  height: number,
): Plane {
  const map = {
    a: toPhoto.a * refineShrink,
    b: toPhoto.b * refineShrink,
    tx: toPhoto.tx,
    ty: toPhoto.ty,
  }
  const coarse = joinCrops(
    subject.crops,
    subject.photo.levels[0]!,
    affineOf(map),
    Math.floor(width / refineShrink),
    Math.floor(height / refineShrink),
  )
  splitNeighbours(coarse, map, subject.heads, subject.neighbours)
  const { silhouette, person } = subject
  const near = nearPerson(person)
  for (let y = 0; y < coarse.height; y++) keepNear(coarse, y, near, map, silhouette.maskScale)
  return coarse
}

/** Multiplies one row of a matte by a small plane over the photo. */
function keepNear(coarse: Plane, y: number, near: Plane, map: Similarity, scale: number): void {
  const toSmall = 1 / scale
  for (let x = 0, i = y * coarse.width; x < coarse.width; x++, i++) {
    if (coarse.data[i] === 0) continue
    const px = map.a * (x + 0.5) - map.b * (y + 0.5) + map.tx
    const py = map.b * (x + 0.5) + map.a * (y + 0.5) + map.ty
    coarse.data[i]! *= samplePlane(near, px * toSmall, py * toSmall)
  }
}

/** 1 where the small matte of the one person has anything, and softly to 0 within two cells, without stairs. */
export function nearPerson(person: Plane): Plane {
  const near = createPlane(person.width, person.height)
  for (let i = 0; i < near.data.length; i++) near.data[i] = person.data[i]! > 0 ? 1 : 0
  const soft = gaussianBlur(near, 1.5)
  for (let i = 0; i < near.data.length; i++) {
    near.data[i] = Math.max(near.data[i]!, Math.min(1, 2 * soft.data[i]!))
  }
  releaseMemory(soft.data)
  return near
}
