import type { Plane } from '../../compositor/raster.ts'
import type { RawPicture } from '../raw-picture.ts'
import { tileSide } from './mark-pattern.ts'

/**
 * Adds the tile, repeated over the whole picture, to the brightness of a copy of it.
 * @param room how much may be added at each place of the canonical grid, in levels (root mean
 *   square)
 * @param strength factor on all of it
 */
export function addTile(
  picture: RawPicture,
  tile: Float64Array,
  room: Plane,
  strength: number,
): RawPicture {
  const { pixels, widthPx, heightPx } = picture
  const columns = cubicTaps(widthPx, room.width)
  const rows = cubicTaps(heightPx, room.height)
  const wide = stretchRows(tile, columns)
  const marked = new Uint8Array(pixels.length)
  const random = dither()
  const added = new Float32Array(widthPx)
  for (let y = 0; y < heightPx; y++) {
    stretchRow(wide, rows[y]!, added)
    for (let x = 0; x < widthPx; x++) {
      const level = strength * added[x]! * sampleLinear(room, columns[x]!.place, rows[y]!.place)
      const change = level + random()
      const at = 3 * (y * widthPx + x)
      // The same in all channels changes the brightness alone.
      for (let i = at; i < at + 3; i++) {
        marked[i] = Math.max(0, Math.min(255, Math.round(pixels[i]! + change)))
      }
    }
  }
  return { pixels: marked, widthPx, heightPx }
}

/** Four neighbouring places of the tile and their weights (Keys 1981, a = -1/2). */
interface Taps {
  /** Where the pixel's centre lies on the canonical grid, its cells' centres at whole numbers. */
  place: number
  cells: [number, number, number, number]
  weights: [number, number, number, number]
}

function cubicTaps(sizePx: number, size: number): Taps[] {
  return Array.from({ length: sizePx }, (_, pixel) => {
    const place = ((pixel + 0.5) * size) / sizePx - 0.5
    const first = Math.floor(place) - 1
    const t = place - Math.floor(place)
    const cell = (i: number): number => (first + i + tileSide) % tileSide
    return {
      place,
      cells: [cell(0), cell(1), cell(2), cell(3)],
      weights: [
        -0.5 * t ** 3 + t ** 2 - 0.5 * t,
        1.5 * t ** 3 - 2.5 * t ** 2 + 1,
        -1.5 * t ** 3 + 2 * t ** 2 + 0.5 * t,
        0.5 * t ** 3 - 0.5 * t ** 2,
      ],
    }
  })
}

/** The tile's rows at every column of the picture. */
function stretchRows(tile: Float64Array, columns: readonly Taps[]): Float32Array {
  const wide = new Float32Array(tileSide * columns.length)
  for (let row = 0; row < tileSide; row++) {
    for (const [x, { cells, weights }] of columns.entries()) {
      let sum = 0
      for (let i = 0; i < 4; i++) sum += weights[i]! * tile[row * tileSide + cells[i]!]!
      wide[row * columns.length + x] = sum
    }
  }
  return wide
}

function stretchRow(wide: Float32Array, { cells, weights }: Taps, target: Float32Array): void {
  const [a, b, c, d] = cells.map((cell) => cell * target.length) as Taps['cells']
  const [p, q, r, s] = weights
  for (let x = 0; x < target.length; x++) {
    target[x] = p * wide[a + x]! + q * wide[b + x]! + r * wide[c + x]! + s * wide[d + x]!
  }
}

function sampleLinear({ data, width, height }: Plane, x: number, y: number): number {
  const left = Math.max(0, Math.min(width - 2, Math.floor(x)))
  const top = Math.max(0, Math.min(height - 2, Math.floor(y)))
  const across = Math.max(0, Math.min(1, x - left))
  const down = Math.max(0, Math.min(1, y - top))
  const at = top * width + left
  const upper = data[at]! + (data[at + 1]! - data[at]!) * across
  const lower = data[at + width]! + (data[at + width + 1]! - data[at + width]!) * across
  return upper + (lower - upper) * down
}

/**
 * Noise of ±1/2 level before rounding: without it, what is weaker than half a level would vanish
 * in smooth places. The same for every picture, as a result should be repeatable.
 */
function dither(): () => number {
  let state = 0x9e3779b9
  return () => {
    // Numerical Recipes' linear congruential generator; its upper bits are random enough here.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}
