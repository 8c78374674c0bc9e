import type { Plane } from '@starside/engine/image/raster.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'
import { tileSide } from './mark-pattern.ts'

/**
 * Adds the tile, repeated over the whole picture, to the brightness of a copy of it.
 * @param mask how much may be added at each place of the canonical grid, in levels (root mean
 *   square)
 * @param strength factor on all of it
 */
export function addTile(
  picture: RawPicture,
  tile: Float64Array,
  mask: Plane,
  strength: number,
): RawPicture {
  const { pixels, widthPx, heightPx } = picture
  const columns = lieOnGrid(widthPx, mask.width)
  const rows = lieOnGrid(heightPx, mask.height)
  const wide = stretchRows(tile, columns)
  // Clamps and rounds what is written to it.
  const marked = new Uint8ClampedArray(pixels.length)
  const tileRow = new Float32Array(widthPx)
  const maskRow = new Float32Array(mask.width)
  const random = dither()
  let at = 0
  for (let y = 0; y < heightPx; y++) {
    stretchRow(wide, rows, y, tileRow)
    mixMaskRows(mask, rows, y, strength, maskRow)
    for (let x = 0; x < widthPx; x++) {
      const left = columns.first[x]!
      const near = maskRow[left]!
      const levels = near + (maskRow[left + 1]! - near) * columns.share[x]!
      const change = tileRow[x]! * levels + random()
      // The same in all channels changes the brightness alone.
      marked[at] = pixels[at]! + change
      marked[at + 1] = pixels[at + 1]! + change
      marked[at + 2] = pixels[at + 2]! + change
      at += 3
    }
  }
  return { ...picture, pixels: new Uint8Array(marked.buffer) }
}

/** Where the pixels of one axis lie on the canonical grid. */
interface GridPlaces {
  /** Of the two cells around each pixel the first, and the share of the second. */
  first: Int32Array
  share: Float32Array
  /** Four cells of the tile around each pixel, and their weights (Keys 1981, a = -1/2). */
  cells: Int32Array
  weights: Float32Array
}

function lieOnGrid(sizePx: number, size: number): GridPlaces {
  const places = {
    first: new Int32Array(sizePx),
    share: new Float32Array(sizePx),
    cells: new Int32Array(4 * sizePx),
    weights: new Float32Array(4 * sizePx),
  }
  for (let pixel = 0; pixel < sizePx; pixel++) {
    const place = ((pixel + 0.5) * size) / sizePx - 0.5
    const cell = Math.floor(place)
    places.first[pixel] = Math.max(0, Math.min(size - 2, cell))
    places.share[pixel] = Math.max(0, Math.min(1, place - places.first[pixel]!))
    places.weights.set(cubicWeights(place - cell), 4 * pixel)
    for (let i = 0; i < 4; i++) places.cells[4 * pixel + i] = (cell - 1 + i + tileSide) % tileSide
  }
  return places
}

function cubicWeights(t: number): number[] {
  return [
    -0.5 * t ** 3 + t ** 2 - 0.5 * t,
    1.5 * t ** 3 - 2.5 * t ** 2 + 1,
    -1.5 * t ** 3 + 2 * t ** 2 + 0.5 * t,
    0.5 * t ** 3 - 0.5 * t ** 2,
  ]
}

/** The tile's rows at every column of the picture. */
function stretchRows(tile: Float64Array, { cells, weights }: GridPlaces): Float32Array {
  const widthPx = cells.length / 4
  const wide = new Float32Array(tileSide * widthPx)
  for (let row = 0; row < tileSide; row++) {
    const start = row * tileSide
    for (let x = 0; x < widthPx; x++) {
      const i = 4 * x
      wide[row * widthPx + x] =
        weights[i]! * tile[start + cells[i]!]! +
        weights[i + 1]! * tile[start + cells[i + 1]!]! +
        weights[i + 2]! * tile[start + cells[i + 2]!]! +
        weights[i + 3]! * tile[start + cells[i + 3]!]!
    }
  }
  return wide
}

function stretchRow(
  wide: Float32Array,
  { cells, weights }: GridPlaces,
  y: number,
  target: Float32Array,
): void {
  const width = target.length
  const i = 4 * y
  const [a, b, c, d] = [cells[i]!, cells[i + 1]!, cells[i + 2]!, cells[i + 3]!]
  const [p, q, r, s] = [weights[i]!, weights[i + 1]!, weights[i + 2]!, weights[i + 3]!]
  for (let x = 0; x < width; x++) {
    target[x] =
      p * wide[a * width + x]! +
      q * wide[b * width + x]! +
      r * wide[c * width + x]! +
      s * wide[d * width + x]!
  }
}

function mixMaskRows(
  { data, width }: Plane,
  { first, share }: GridPlaces,
  y: number,
  strength: number,
  target: Float32Array,
): void {
  const upper = first[y]! * width
  const part = share[y]!
  for (let x = 0; x < width; x++) {
    const above = data[upper + x]!
    target[x] = strength * (above + (data[upper + width + x]! - above) * part)
  }
}

/**
 * Noise of ±1/2 level before rounding: without it, what is weaker than half a level would vanish
 * in smooth places. The same for every picture, as a result should be repeatable.
 */
function dither(): () => number {
  let state = 0x9e3779b9
  return () => {
    // Numerical Recipes' linear congruential generator; its upper bits are random enough here.
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 32
  }
}
