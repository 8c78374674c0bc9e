import outlines from '../faces/face-outlines.json' with { type: 'json' }
import { meshPoint, pointOf } from '../faces/face-mesh.ts'
import type { FaceMesh } from '../faces/face-mesh.ts'
import { clamp } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { linearOfSrgb, luminance, stopsOf } from '../../image/srgb.ts'

/** Points of the mesh about which both cheeks and the upper lip are measured. */
const { cheeks: cheekPoints, upperLip: lipPoints } = outlines
/** Radii of these places, in widths of the face. */
const cheekRadius = 0.07
const lipRadius = 0.04

/** The whites of eyes that are nearly closed tell no more than this, in stops. */
const eyesMost = 2.5
/** What is taken for eyes whose whites aren't seen, as of people who squint. */
const eyesUnknown = 1
/** A moustache is dark too, so the lip counts less than the eyes. */
const lipShare = 0.7

/**
 * How hard the light comes from above, in stops: how much darker the whites of the eyes are than the skin,
 * and the upper lip than the cheeks. Soft light reaches both; gloss on dark skin changes neither.
 * @param scale from the mesh's pixels to the image's
 * @param eyes the brightness of the whites of the eyes and of the skin, linear
 */
export function measureOverhead(
  image: RgbImage,
  mesh: FaceMesh,
  scale: number,
  eyes: { sclera: number | undefined; face: number },
): number {
  const width =
    Math.abs(pointOf(mesh, meshPoint.rightCheek).x - pointOf(mesh, meshPoint.leftCheek).x) * scale
  const lightAbout = (points: readonly number[], radius: number): number =>
    points.reduce((sum, point) => {
      const { x, y } = pointOf(mesh, point)
      return sum + stopsInDisc(image, x * scale, y * scale, radius * width)
    }, 0) / points.length
  const lip = lightAbout(cheekPoints, cheekRadius) - lightAbout(lipPoints, lipRadius)
  const { sclera, face } = eyes
  const white = sclera === undefined ? eyesUnknown : stopsOf(face) - stopsOf(sclera)
  return clamp(white, 0, eyesMost) + lipShare * lip
}

/** Mean of log2 of the brightness within a disc, in the image's pixels. */
function stopsInDisc(
  { data, width, height }: RgbImage,
  x: number,
  y: number,
  radius: number,
): number {
  let sum = 0
  let count = 0
  for (let row = Math.floor(y - radius); row <= y + radius; row++) {
    for (let column = Math.floor(x - radius); column <= x + radius; column++) {
      const isOutside = row < 0 || column < 0 || row >= height || column >= width
      if (isOutside || Math.hypot(column + 0.5 - x, row + 0.5 - y) > radius) continue
      const at = (row * width + column) * 3
      const light = luminance(
        linearOfSrgb[data[at]!]!,
        linearOfSrgb[data[at + 1]!]!,
        linearOfSrgb[data[at + 2]!]!,
      )
      sum += stopsOf(light)
      count++
    }
  }
  return count === 0 ? 0 : sum / count
}
