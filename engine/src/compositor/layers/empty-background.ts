import { removePeople } from '../background/background.ts'
import type { Gain } from '../blend/blend.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import { levelFor } from '../../image/pyramid.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane, Rect, RgbImage } from '../../image/raster.ts'
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

/** The little of a photo that its empty background is made of, for another thread. */
export function seeBehind({ photo, people, head }: BehindPeople): BehindPeople {
  const { region, width } = backgroundRegion(head, photo.levels[0]!)
  const needed = levelFor(photo, region.width / width)
  const levels = photo.levels.map((level, n) =>
    n === needed ? level : { ...level, data: new Uint8Array() },
  )
  return { photo: { levels }, people, head }
}

/** Takes everybody out of what surrounds the user. */
export function emptyBackground({ photo, people, head }: BehindPeople): EmptyBackground {
  return keepWithoutPeople(photo, people, backgroundRegion(head, photo.levels[0]!))
}

/** Takes everybody out of a photo of a place; `gainOf` is what the place does to people. */
export function emptyPlace(
  photo: Pyramid,
  people: Plane,
  gainOf: (planes: ColourPlanes) => Gain,
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
  gainOf?: (planes: ColourPlanes) => Gain,
): EmptyBackground {
  const { planes, known } = removePeople(photo, people, { window: region, width, height })
  const bytes = new Uint8Array(width * height * 3)
  for (const [channel, { data }] of planes.entries()) fillChannel(bytes, channel, data)
  const seen = new Uint8Array(width * height)
  for (let i = 0; i < seen.length; i++) seen[i] = known.data[i]! * 255
  const gain = gainOf?.(planes)
  releaseMemory(...planes.map(({ data }) => data), known.data)
  return {
    image: { data: bytes, width, height },
    known: { data: seen, width, height },
    region,
    gain,
  }
}

function fillChannel(bytes: Uint8Array, channel: number, values: Float32Array): void {
  for (let i = 0; i < values.length; i++) bytes[i * 3 + channel] = clamp(values[i]! + 0.5, 0, 255)
}

/** What a window (pixels of the photo) shows of the kept background, at a small size. */
export function seeBackground(
  { image, region }: EmptyBackground,
  window: Rect,
  width: number,
  height: number,
): ColourPlanes {
  const planes: [Plane, Plane, Plane] = [
    createPlane(width, height),
    createPlane(width, height),
    createPlane(width, height),
  ]
  const columns = placesIn(width, [window.x, window.width], [region.x, region.width], image.width)
  const rows = placesIn(height, [window.y, window.height], [region.y, region.height], image.height)
  for (const [channel, plane] of planes.entries())
    sampleGrid(image, channel, { columns, rows }, plane)
  return planes
}

/** Samples one channel bilinearly where the rows and columns of a grid cross. */
function sampleGrid(
  { data, width, height }: RgbImage,
  channel: number,
  { columns, rows }: { columns: Float64Array; rows: Float64Array },
  { data: sampled }: Plane,
): void {
  for (let y = 0, i = 0; y < rows.length; y++) {
    const upper = Math.floor(rows[y]!)
    const down = rows[y]! - upper
    const above = upper * width
    const below = Math.min(upper + 1, height - 1) * width
    for (let x = 0; x < columns.length; x++, i++) {
      const left = Math.floor(columns[x]!)
      const right = Math.min(left + 1, width - 1)
      const across = columns[x]! - left
      const top =
        data[(above + left) * 3 + channel]! * (1 - across) +
        data[(above + right) * 3 + channel]! * across
      const bottom =
        data[(below + left) * 3 + channel]! * (1 - across) +
        data[(below + right) * 3 + channel]! * across
      sampled[i] = top * (1 - down) + bottom * down
    }
  }
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
