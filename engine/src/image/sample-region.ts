import type { ColourVectors } from './colour-vectors.ts'
import { kernels, openArena } from './kernels.ts'
import { clamp } from './raster.ts'
import type { Plane, Rect, RgbImage } from './raster.ts'

type Size = readonly [width: number, height: number]

/** A region at another size, bilinear, edge repeated, times `factor`; interleaved channels. */
export function sampleRegion(
  image: RgbImage | Plane,
  region: Rect,
  size: Size,
  factor = 1,
): Float32Array {
  return sample(image, region, size, factor, image.data instanceof Uint8Array ? 3 : 1)
}

/** As `sampleRegion`, as vectors. */
export function sampleColours(image: RgbImage, region: Rect, size: Size): ColourVectors {
  const [width, height] = size
  return { data: sample(image, region, size, 1, 4), width, height }
}

/** @param floats of each sample */
function sample(
  image: RgbImage | Plane,
  region: Rect,
  [width, height]: Size,
  factor: number,
  floats: 1 | 3 | 4,
): Float32Array {
  const { buffer, byteOffset, byteLength } = image.data
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  const pixelBytes = floats === 1 ? 4 : 3
  const columns = placesOnAxis(region.x, region.width / width, width, image.width, pixelBytes)
  const stride = columns.span * pixelBytes
  const rows = placesOnAxis(region.y, region.height / height, height, image.height, stride)
  const arena = openArena()
  const rowsAt = arena.copyIn(rows.places)
  const columnsAt = arena.copyIn(columns.places)
  const source = arena.allocate(rows.span * stride)
  const count = width * height * floats
  const target = arena.allocate(count * 4)
  const all = arena.bytes(source, rows.span * stride)
  for (let y = 0; y < rows.span; y++) {
    const from = ((rows.from + y) * image.width + columns.from) * pixelBytes
    all.set(bytes.subarray(from, from + stride), y * stride)
  }
  kernels.sampleGrid(source, floats * 4, target, width, height, rowsAt, columnsAt, factor)
  return arena.floats(target, count).slice()
}

/**
 * Where evenly spaced samples of an axis lie: for each the two pixels about it, times `bytes`, and the
 * share of the second. Counted from the first pixel that is needed, of so many.
 */
function placesOnAxis(start: number, step: number, count: number, length: number, bytes: number) {
  const places = new Int32Array(3 * count)
  const shares = new Float32Array(places.buffer)
  const placeOf = (n: number): number => clamp(start + (n + 0.5) * step - 0.5, 0, length - 1)
  const from = Math.floor(placeOf(0))
  for (let n = 0; n < count; n++) {
    const first = Math.floor(placeOf(n))
    places[3 * n] = (first - from) * bytes
    places[3 * n + 1] = (Math.min(first + 1, length - 1) - from) * bytes
    shares[3 * n + 2] = placeOf(n) - first
  }
  return { places, from, span: places[3 * count - 2]! / bytes + 1 }
}
