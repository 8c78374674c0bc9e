import type { HeadMeasure } from './measure-head.ts'
import { smoothstep } from './raster.ts'
import type { Plane } from './raster.ts'
import type { Similarity } from './warp.ts'

/**
 * Takes away what belongs to other people in the photo: every pixel goes to the nearest head,
 * measured in that head's own size, with bodies hanging down below them; heads lie before bodies.
 * The seam is soft.
 * Works in place.
 * @param toPhoto maps pixels of the matte to pixels of the photo
 */
export function splitNeighbours(
  matte: Plane,
  toPhoto: Similarity,
  own: HeadMeasure,
  others: readonly HeadMeasure[],
): void {
  if (others.length === 0) return
  for (let y = 0, i = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++, i++) {
      if (matte.data[i] === 0) continue
      const px = toPhoto.a * (x + 0.5) - toPhoto.b * (y + 0.5) + toPhoto.tx
      const py = toPhoto.b * (x + 0.5) + toPhoto.a * (y + 0.5) + toPhoto.ty
      const mine = bodyDistance(own, px, py)
      let theirs = Infinity
      for (const other of others) theirs = Math.min(theirs, bodyDistance(other, px, py))
      matte.data[i]! *= smoothstep(-0.06, 0.06, theirs - mine)
    }
  }
}

/** Half axes of a head with its hair, in head sizes, about the middle of the face. */
const headAcross = 0.55
const headUp = 0.8
const headDown = 0.62
/** Half the width of a neck; nothing of a body is nearer to it than a head's own inside. */
const neckHalf = 0.4

/**
 * Distance from a person drawn as a head on a vertical stroke, in head sizes; negative inside of
 * the head. So a head before another's body keeps its hair: those behind stand higher in a
 * photo, and their bodies hang down over the heads in front.
 */
function bodyDistance(head: HeadMeasure, x: number, y: number): number {
  const across = (x - head.centre.x) / head.size
  const down = (y - head.centre.y) / head.size
  const toHead = Math.hypot(across / headAcross, down / (down < 0 ? headUp : headDown)) - 1
  const toBody = Math.max(0, Math.hypot(across, Math.max(0, down) * 0.3) - neckHalf)
  return Math.min(toHead * headAcross, down > 0 ? toBody : Infinity)
}
