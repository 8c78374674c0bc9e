import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import { similarity } from '@starside/engine/image/warp.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'

/** Pixels of a head in a composed photo. */
const headPixels = 230
/** Height of the chosen person's face below the upper border, in head sizes. */
const faceDown = 1.35
/** How much higher every second person stands, in head sizes. */
const raise = 0.08
/** How far below the faces such a photo goes at most, in head sizes. */
const belowFaceMax = 2.65
/** What is left out at the lower border of a portrait, in head sizes. */
const rim = 0.02

/** A composed photo's size, and where each portrait comes to stand in it. */
export interface GroupPlaces {
  width: number
  height: number
  toGroup: readonly Similarity[]
}

/**
 * Places portraits side by side with heads of one size, the first one between the others. Nobody is
 * turned, as a head is tilted and not the photo: a turned portrait's lower border would be a slant
 * that ends a body in the air, which no photo of a group has.
 * @param portraits with the heights of their photos
 * @param spread distance of two faces, in head sizes
 */
export function placeInGroup(
  portraits: readonly { head: Pick<HeadMeasure, 'centre' | 'size'>; height: number }[],
  spread: number,
): GroupPlaces {
  const downOf = (n: number): number => faceDown - (n % 2) * raise
  const ends = portraits.map(
    ({ head, height }, n) => downOf(n) + (height - head.centre.y) / head.size - rim,
  )
  const width = Math.round((portraits.length * spread + 1.6) * headPixels)
  const height = Math.floor(Math.min(faceDown + belowFaceMax, ...ends) * headPixels)
  const shift = portraits.length === 2 ? -spread / 2 : 0
  const toGroup = portraits.map(({ head }, n) => {
    const aside = n === 0 ? 0 : n % 2 === 1 ? spread : -spread
    return similarity(headPixels / head.size, 0, head.centre, {
      x: width / 2 + (aside + shift) * headPixels,
      y: downOf(n) * headPixels,
    })
  })
  return { width, height, toGroup }
}
