import { kernels, openArena } from '@starside/engine/image/kernels.ts'
import type { Plane } from '@starside/engine/image/raster.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'
import { tileSide } from './mark-pattern.ts'

/** So many rows are marked at once; all of them would need much memory a second time. */
const rowsAtOnce = 64

/**
 * Adds the tile, repeated over the whole picture, to the brightness of a copy of it. Noise of ±1/2 level
 * comes before rounding: without it, what is weaker than half a level would vanish in smooth places. It
 * is the same for every picture, as a result should be repeatable.
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
  const arena = openArena()
  const wide = arena.copyIn(stretchRows(tile, columns))
  const rowsAt = arena.copyIn(lieOnGrid(heightPx, mask.height).whole)
  const columnsAt = arena.copyIn(columns.whole)
  const maskAt = arena.copyIn(mask.data)
  const maskRow = arena.allocate(mask.width * 4)
  const source = arena.allocate(rowsAtOnce * widthPx * 3)
  const target = arena.allocate(rowsAtOnce * widthPx * 3)
  const marked = new Uint8Array(pixels.length)
  let dither = 0x9e3779b9
  for (let y = 0; y < heightPx; y += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, heightPx - y)
    const part = pixels.subarray(y * widthPx * 3, (y + count) * widthPx * 3)
    arena.bytes(source, part.length).set(part)
    const rowsOfPart = rowsAt + y * wordsPerPlace * 4
    const at = [wide, rowsOfPart, columnsAt, maskAt, mask.width, maskRow] as const
    dither = kernels.addTile(source, target, widthPx, count, ...at, strength, dither)
    marked.set(arena.bytes(target, part.length), y * widthPx * 3)
  }
  return { ...picture, pixels: marked }
}

/**
 * Where the pixels of one axis lie on the canonical grid, in the same memory as whole numbers and as
 * floats: for each four cells of the tile around it, their weights (Keys 1981, a = -1/2), the first of
 * the two cells of the mask around it, and the share of the second.
 */
interface GridPlaces {
  whole: Int32Array
  real: Float32Array
}

const wordsPerPlace = 10

function lieOnGrid(sizePx: number, size: number): GridPlaces {
  const whole = new Int32Array(wordsPerPlace * sizePx)
  const real = new Float32Array(whole.buffer)
  for (let pixel = 0, at = 0; pixel < sizePx; pixel++, at += wordsPerPlace) {
    const place = ((pixel + 0.5) * size) / sizePx - 0.5
    const cell = Math.floor(place)
    for (let i = 0; i < 4; i++) whole[at + i] = (cell - 1 + i + tileSide) % tileSide
    real.set(cubicWeights(place - cell), at + 4)
    const first = Math.max(0, Math.min(size - 2, cell))
    whole[at + 8] = first
    real[at + 9] = Math.max(0, Math.min(1, place - first))
  }
  return { whole, real }
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
function stretchRows(tile: Float64Array, { whole, real }: GridPlaces): Float32Array {
  const widthPx = whole.length / wordsPerPlace
  const wide = new Float32Array(tileSide * widthPx)
  for (let row = 0; row < tileSide; row++) {
    const start = row * tileSide
    for (let x = 0, i = 0; x < widthPx; x++, i += wordsPerPlace) {
      wide[row * widthPx + x] =
        real[i + 4]! * tile[start + whole[i]!]! +
        real[i + 5]! * tile[start + whole[i + 1]!]! +
        real[i + 6]! * tile[start + whole[i + 2]!]! +
        real[i + 7]! * tile[start + whole[i + 3]!]!
    }
  }
  return wide
}
