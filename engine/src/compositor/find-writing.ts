import type { HeadMeasure } from './faces/measure-head.ts'
import type { Pyramid } from '../image/pyramid.ts'
import type { Plane } from '../image/raster.ts'
import { samplePlane } from '../image/sample-plane.ts'

/** The size at which writing is looked for, in pixels of the head. */
const headPixels = 160
/** A step from one pixel to the next but one that may be the edge of a letter (8-bit). */
const edgeMin = 36
/** Letters side by side: so many edges of alternating direction in a part of a head size. */
const edgesMin = 6
const runWidth = 0.45
/** A line of writing is so high at least, in head sizes. */
const lineHeight = 0.04

/**
 * Whether a person's clothes may carry writing, which would be reversed in a mirror: rows in
 * which strong edges from dark to light and back follow each other closely, several such rows above
 * each other. Stripes, checks and embroidery count too: what is in doubt is not mirrored.
 * @param person small matte of the person over the whole photo, 0…1
 */
export function mayCarryWriting(photo: Pyramid, person: Plane, head: HeadMeasure): boolean {
  const wanted = Math.round(Math.log2(head.size / headPixels))
  const level = Math.min(Math.max(0, wanted), photo.levels.length - 1)
  const { data, width, height } = photo.levels[level]!
  const scale = width / photo.levels[0]!.width
  const size = head.size * scale
  const reach = Math.max(8, Math.round(runWidth * size))
  const rowsMin = Math.max(3, Math.round(lineHeight * size))
  const toPerson = person.width / width
  // How many rows above each other have had letters' edges in each column of windows.
  const rows = new Uint16Array(Math.ceil(width / reach) + 1)
  for (let y = Math.max(0, Math.floor((head.chin.y + 0.1 * head.size) * scale)); y < height; y++) {
    const edges = new Uint16Array(rows.length)
    let last = 0
    for (let x = 1; x < width - 1; x++) {
      if (samplePlane(person, (x + 0.5) * toPerson, (y + 0.5) * toPerson) < 0.9) continue
      const at = (y * width + x) * 3 + 1
      const step = data[at + 3]! - data[at - 3]!
      const side = step > edgeMin ? 1 : step < -edgeMin ? -1 : 0
      if (side === 0 || side === last) continue
      last = side
      edges[Math.floor(x / reach)]!++
    }
    for (let n = 0; n < rows.length; n++) {
      rows[n] = edges[n]! >= edgesMin ? rows[n]! + 1 : 0
      if (rows[n]! >= rowsMin) return true
    }
  }
  return false
}
