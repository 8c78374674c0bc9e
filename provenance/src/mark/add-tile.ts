import { cubicWeights } from '@starside/engine/image/cubic-weights.ts'
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
  const arena = openArena()
  const tileAt = arena.copyIn(Float32Array.from(tile))
  const rows = arena.copyIn(lieOnGrid(heightPx, mask.height))
  const columns = arena.copyIn(lieOnGrid(widthPx, mask.width))
  const maskAt = arena.copyIn(mask.data)
  const lines = arena.allocate((tileSide + mask.width) * 4)
  const source = arena.allocate(rowsAtOnce * widthPx * 3)
  const target = arena.allocate(rowsAtOnce * widthPx * 3)
  const marked = new Uint8Array(pixels.length)
  let dither = 0x9e3779b9
  for (let y = 0; y < heightPx; y += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, heightPx - y)
    const part = pixels.subarray(y * widthPx * 3, (y + count) * widthPx * 3)
    arena.bytes(source, part.length).set(part)
    const places = [rows + y * bytesPerPlace, columns, maskAt, mask.width, lines] as const
    const what = [source, target, widthPx, count, tileAt, tileSide, ...places] as const
    dither = kernels.addTile(...what, strength, dither)
    marked.set(arena.bytes(target, part.length), y * widthPx * 3)
  }
  return { ...picture, pixels: marked }
}

const bytesPerPlace = 40

/**
 * Where the pixels of one axis lie on the canonical grid, in words of whole numbers and of floats: for
 * each four cells of the tile around it, their weights (Keys 1981, a = -1/2), the first of the two
 * cells of the mask around it, and the share of the second.
 */
function lieOnGrid(sizePx: number, size: number): Int32Array {
  const whole = new Int32Array((bytesPerPlace / 4) * sizePx)
  const real = new Float32Array(whole.buffer)
  for (let pixel = 0, at = 0; pixel < sizePx; pixel++, at += bytesPerPlace / 4) {
    const place = ((pixel + 0.5) * size) / sizePx - 0.5
    const cell = Math.floor(place)
    for (let i = 0; i < 4; i++) whole[at + i] = (cell - 1 + i + tileSide) % tileSide
    real.set(cubicWeights(place - cell), at + 4)
    const first = Math.max(0, Math.min(size - 2, cell))
    whole[at + 8] = first
    real[at + 9] = Math.max(0, Math.min(1, place - first))
  }
  return whole
}
