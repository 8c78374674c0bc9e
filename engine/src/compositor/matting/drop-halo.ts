import { gaussianBlur } from '../../image/box-blur.ts'
import { greyOf } from '../../image/grey-of.ts'
import { createBytePlane, createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { floodGaps, keepDeepGaps } from './flood-gaps.ts'
import type { HairRegion, Part } from './hair-colours.ts'
import { refineShrink } from './refine-matte.ts'

/** How far detail is averaged, in head sizes: strands lie nearer to each other. */
const detailReach = 0.012
/**
 * Hair has at least this much detail where a halo about it is looked for, and more counts as this much:
 * the edge of a hat about grey curls has less than the curls.
 */
const hairDetailRange = [0.1, 0.2] as const
/** A halo has less than these parts of the hair's detail: surely, and at all. */
const plainShares = [0.25, 0.35] as const
/** How far from the matte's outside a halo reaches, and how deep it is somewhere, in head sizes. */
const haloReach = 0.25
const haloDepth = 0.04
/** Smaller ones are left, in squares of a head size: the edge of any hair is a little soft. */
const haloArea = 0.04
/** Darker places (8-bit) show no detail, whatever they are. */
const darkest = 40
/** In the dark noise isn't to count as detail. */
const darkDetail = 72
/** A halo goes no farther down than this from the middle of the face, where shoulders begin. */
const lowest = 0.4
/** Ears lie within this, beside the face and below this height; all in head sizes. */
const earReach = 0.52
const earTop = -0.3
/** A colour this near to the skin's, in any light, may be an ear (8-bit). */
const skinReach = 30

/**
 * Drops a halo about hair: where a telephone drew the background soft, it drew a band about the hair soft
 * too, hair and background mixed, and a network takes the band for hair. Its colour tells nothing; but
 * the hair is in focus, so a band without detail between it and the background isn't hair. Bald heads,
 * cloth and smooth hair keep theirs: an edge in focus has detail itself, and nothing is dropped behind it.
 * Works in place.
 * @param image the photo, `refineShrink` times larger than `small` and `matte`
 * @param matte 0…1
 */
export function dropHalo(image: RgbImage, small: RgbImage, matte: Plane, region: HairRegion): void {
  const { centre, headSize } = region
  const left = Math.max(1, Math.floor(centre.x - 1.4 * headSize))
  const right = Math.min(matte.width - 1, Math.ceil(centre.x + 1.4 * headSize))
  const top = Math.max(1, Math.floor(centre.y - 1.5 * headSize))
  const bottom = Math.min(matte.height - 1, Math.ceil(centre.y + lowest * headSize))
  if (right - left < 8 || bottom - top < 8) return
  const part = { left, top, width: right - left, height: bottom - top }
  const own = measureDetail(image, part)
  const detail = gaussianBlur(own, detailReach * headSize)
  const usual = hairDetail(detail, matte, region, part)
  if (usual >= hairDetailRange[0]) {
    const bounded = Math.min(usual, hairDetailRange[1])
    const plain = plainShareOf(detail, bounded, small, region, part)
    dropFrom(matte, plain, region, part)
    releaseMemory(plain.data)
  }
  releaseMemory(own.data, detail.data)
}

/** Second differences of brightness over the brightness, in the large image, as means of small pixels. */
function measureDetail({ data, width }: RgbImage, part: Part): Plane {
  const detail = createPlane(part.width, part.height)
  const row = width * 3
  for (let y = 0, i = 0; y < part.height; y++) {
    // The middle one of the rows tells enough.
    let at = (((y + part.top) * refineShrink + 1) * width + part.left * refineShrink) * 3 + 1
    for (let x = 0; x < part.width; x++, i++) {
      let sum = 0
      let light = darkDetail
      for (const end = at + refineShrink * 3; at < end; at += 3) {
        const twice = 2 * data[at]!
        sum += Math.abs(twice - data[at - 3]! - data[at + 3]!)
        sum += Math.abs(twice - data[at - row]! - data[at + row]!)
        light += data[at]!
      }
      detail.data[i] = sum / light
    }
  }
  return detail
}

/** The median over what surely is of the head and not of the face; 0 where nothing is. */
function hairDetail(detail: Plane, matte: Plane, { face }: HairRegion, part: Part): number {
  const values: number[] = []
  for (let y = 0, i = 0; y < part.height; y++, i += part.width) {
    const row = (y + part.top) * matte.width + part.left
    // A third of them tells the median as well, and is sorted sooner.
    for (let x = y % 3; x < part.width; x += 3) {
      if (matte.data[row + x]! > 0.96 && face.data[row + x] === 0) values.push(detail.data[i + x]!)
    }
  }
  return Float64Array.from(values).toSorted()[values.length >> 1] ?? 0
}

/** How surely each pixel is without the hair's detail, 0…1; 0 in the face, in the dark and on ears. */
function plainShareOf(
  detail: Plane,
  usual: number,
  { data, width }: RgbImage,
  { centre, face, headSize, skin }: HairRegion,
  part: Part,
): Plane {
  const plain = createPlane(part.width, part.height)
  const skinLight = greyOf(skin[0], skin[1], skin[2])
  for (let y = 0, i = 0; y < part.height; y++) {
    const row = (y + part.top) * width + part.left
    const isBelowEars = y + part.top - centre.y > earTop * headSize
    for (let x = 0; x < part.width; x++, i++) {
      const share = detail.data[i]! / usual
      if (share > plainShares[1] || face.data[row + x] !== 0) continue
      const at = (row + x) * 3
      if (greyOf(data[at]!, data[at + 1]!, data[at + 2]!) < darkest) continue
      const isBeside = Math.abs(x + part.left - centre.x) < earReach * headSize
      if (isBelowEars && isBeside && isSkin(data, at, skin, skinLight)) continue
      plain.data[i] = 1 - smoothstep(plainShares[0], plainShares[1], share)
    }
  }
  return plain
}

function isSkin(
  data: Uint8Array,
  at: number,
  skin: HairRegion['skin'],
  skinLight: number,
): boolean {
  const shade = Math.min(
    1.7,
    Math.max(0.5, greyOf(data[at]!, data[at + 1]!, data[at + 2]!) / skinLight),
  )
  const [red, green, blue] = skin
  return (
    Math.hypot(
      data[at]! - shade * red,
      data[at + 1]! - shade * green,
      data[at + 2]! - shade * blue,
    ) < skinReach
  )
}

/** Opens what is plain from the outside on, where it is wide and large enough. */
function dropFrom(matte: Plane, plain: Plane, { headSize }: HairRegion, part: Part): void {
  const none = createBytePlane(part.width, part.height)
  const gapDepth = haloDepth * headSize
  const depths = floodGaps(matte, plain, none, { part, gapDepth, reach: haloReach * headSize })
  keepDeepGaps(depths, part.width, gapDepth)
  releaseMemory(none.data)
  let area = 0
  for (let i = 0; i < depths.length; i++) if (depths[i]! > 1) area += plain.data[i]!
  if (area < haloArea * headSize ** 2) return
  for (let i = 0; i < depths.length; i++) {
    if (depths[i]! < 2) continue
    const at = (Math.floor(i / part.width) + part.top) * matte.width + (i % part.width) + part.left
    matte.data[at]! *= 1 - plain.data[i]!
  }
}
