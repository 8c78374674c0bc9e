import { removePeople } from '../background/background.ts'
import type { Gain } from '../blend/blend.ts'
import type { ColourVectors } from '../../image/colour-vectors.ts'
import { levelFor } from '../../image/pyramid.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'
import type { BytePlane, Plane, Rect, RgbImage } from '../../image/raster.ts'
import { sampleColours } from '../../image/sample-region.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { ReadSubject } from '../read-subject.ts'

/** The surroundings of the user, or a photo of a place, without people, as sharp as so small a picture can be. */
export interface EmptyBackground {
  /** 0…255 sRGB. */
  image: RgbImage
  /** 255 where the photo shows it, 0 where it was guessed. */
  known: BytePlane
  /** The part of the photo that it covers. */
  region: Rect
  /** Of a photo of a place: what it does to the people. Undefined: the user was in the photo. */
  gain: Gain | undefined
}

/** A head has so many pixels; all is a little out of focus, so more wouldn't be seen. */
const headPixels = 192
const pixelsMax = 400_000
/** How far the kept background reaches about the head, in head sizes. */
const reach = { aside: 5, above: 4, below: 6 }

/** The part of a photo that any arrangement may show behind the user, and its size when kept. */
export function backgroundRegion(
  { centre, size }: Pick<HeadMeasure, 'centre' | 'size'>,
  photo: { width: number; height: number },
): { region: Rect; width: number; height: number } {
  const x = clamp(centre.x - reach.aside * size, 0, photo.width - 1)
  const y = clamp(centre.y - reach.above * size, 0, photo.height - 1)
  const region = {
    x,
    y,
    width: clamp(centre.x + reach.aside * size, x + 1, photo.width) - x,
    height: clamp(centre.y + reach.below * size, y + 1, photo.height) - y,
  }
  const area = region.width * region.height
  const scale = Math.min(1, headPixels / size, Math.sqrt(pixelsMax / area))
  return {
    region,
    width: Math.max(2, Math.round(region.width * scale)),
    height: Math.max(2, Math.round(region.height * scale)),
  }
}

/** What an empty background is made of. */
export interface BehindPeople extends Pick<ReadSubject, 'people'> {
  /** Holds the pixels of the one level that is needed. */
  photo: Pyramid
  head: Pick<HeadMeasure, 'centre' | 'size'>
}

/** The little of a photo that its empty background is made of, for another thread, which takes its memory. */
export function seeBehind({ photo, people, head }: BehindPeople): BehindPeople {
  const { region, width } = backgroundRegion(head, photo.levels[0]!)
  const needed = levelFor(photo, region.width / width)
  const levels = photo.levels.map((level, n) => {
    if (n !== needed) return { ...level, data: new Uint8Array() }
    // The whole photo is still to be cut out of; its halvings aren't.
    return n === 0 ? { ...level, data: new Uint8Array(level.data) } : level
  })
  return { photo: { levels }, people, head }
}

/** The memory that moves to another thread, instead of being copied. */
export function movedWith({ photo }: BehindPeople): ArrayBuffer[] {
  return photo.levels.flatMap(({ data: { buffer } }) =>
    buffer instanceof ArrayBuffer ? buffer : [],
  )
}

/** Takes everybody out of what surrounds the user. */
export function emptyBackground({ photo, people, head }: BehindPeople): EmptyBackground {
  return keepWithoutPeople(photo, people, backgroundRegion(head, photo.levels[0]!))
}

/** Takes everybody out of a photo of a place; `gainOf` is what the place does to people. */
export function emptyPlace(
  photo: Pyramid,
  people: Plane,
  gainOf: (colours: ColourVectors) => Gain,
): EmptyBackground {
  const { width, height } = photo.levels[0]!
  const scale = Math.min(1, Math.sqrt(pixelsMax / (width * height)))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return keepWithoutPeople(
    photo,
    people,
    { region: { x: 0, y: 0, width, height }, ...size },
    gainOf,
  )
}

function keepWithoutPeople(
  photo: Pyramid,
  people: Plane,
  { region, width, height }: ReturnType<typeof backgroundRegion>,
  gainOf?: (colours: ColourVectors) => Gain,
): EmptyBackground {
  const { colours, known } = removePeople(photo, people, { window: region, width, height })
  const bytes = new Uint8ClampedArray(width * height * 3)
  const seen = new Uint8Array(width * height)
  for (let i = 0, from = 0, to = 0; i < seen.length; i++, from += 4, to += 3) {
    seen[i] = known.data[i]! * 255
    bytes[to] = colours.data[from]!
    bytes[to + 1] = colours.data[from + 1]!
    bytes[to + 2] = colours.data[from + 2]!
  }
  const gain = gainOf?.(colours)
  releaseMemory(colours.data, known.data)
  return {
    image: { data: new Uint8Array(bytes.buffer), width, height },
    known: { data: seen, width, height },
    region,
    gain,
  }
}

/** What a window (pixels of the photo) shows of the kept background, at a small size. */
export function seeBackground(
  { image, region }: EmptyBackground,
  window: Rect,
  width: number,
  height: number,
): ColourVectors {
  const [across, down] = [image.width / region.width, image.height / region.height]
  const seen = {
    x: (window.x - region.x) * across,
    y: (window.y - region.y) * down,
    width: window.width * across,
    height: window.height * down,
  }
  return sampleColours(image, seen, [width, height])
}

/** A part of a window is looked at in so many rows and columns. */
const guessGrid = 24

/** How much of a part of the window was guessed, 0…1. */
export function guessedShare({ known, region }: EmptyBackground, window: Rect): number {
  const columns = placesIn(
    guessGrid,
    [window.x, window.width],
    [region.x, region.width],
    known.width,
  )
  const rows = placesIn(
    guessGrid,
    [window.y, window.height],
    [region.y, region.height],
    known.height,
  )
  let guessed = 0
  for (const row of rows) {
    for (const column of columns) {
      if (known.data[Math.round(row) * known.width + Math.round(column)] === 0) guessed++
    }
  }
  return guessed / (rows.length * columns.length)
}

/**
 * Where evenly spaced samples of a window lie in the kept picture, from the middle of its first pixel.
 * @param window where it starts in the photo, and how long it is; likewise the region that was kept
 */
function placesIn(
  count: number,
  [start, length]: readonly [number, number],
  [regionStart, regionLength]: readonly [number, number],
  pixels: number,
): Float64Array {
  return Float64Array.from({ length: count }, (_, n) => {
    const inPhoto = start + ((n + 0.5) / count) * length
    return clamp(((inPhoto - regionStart) / regionLength) * pixels - 0.5, 0, pixels - 1)
  })
}
