import { nearerBy } from './body-distance.ts'
import type { Ownership } from './find-ownership.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { smoothstep } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import type { Similarity } from '../../image/warp.ts'

/** Who else is in the photo, and whose the pixels between are. */
export interface Neighbours {
  others: readonly HeadMeasure[]
  ownership: Ownership | undefined
}

/** Half the width of a seam between the nearest bodies, in head sizes. */
const seam = 0.06
/** Only where an ownership is nearer to a half than this do both show. */
const undecided = 0.12

/**
 * Takes away what belongs to other people in the photo: near the person what the ownership says,
 * farther away every pixel goes to the nearest body. The seam is soft.
 * Works in place.
 * @param toPhoto maps pixels of the matte to pixels of the photo
 */
export function splitNeighbours(
  matte: Plane,
  toPhoto: Similarity,
  own: readonly HeadMeasure[],
  { others, ownership }: Neighbours,
): void {
  if (others.length === 0) return
  for (let y = 0, i = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++, i++) {
      if (matte.data[i] === 0) continue
      const px = toPhoto.a * (x + 0.5) - toPhoto.b * (y + 0.5) + toPhoto.tx
      const py = toPhoto.b * (x + 0.5) + toPhoto.a * (y + 0.5) + toPhoto.ty
      matte.data[i]! *=
        ownershipAt(ownership, px, py) ?? smoothstep(-seam, seam, nearerBy(own, others, px, py))
    }
  }
}

/** How much of a point of the photo is the person's; undefined outside of the region that was examined. */
export function ownershipAt(
  ownership: Ownership | undefined,
  x: number,
  y: number,
): number | undefined {
  if (!ownership) return undefined
  const { region, plane } = ownership
  const u = ((x - region.x) / region.width) * plane.width
  const v = ((y - region.y) / region.height) * plane.height
  if (u < 0 || v < 0 || u > plane.width || v > plane.height) return undefined
  return smoothstep(0.5 - undecided, 0.5 + undecided, samplePlane(plane, u, v))
}
