import sharp from 'sharp'
import { boxBlur } from '../image/box-blur.ts'
import type { Plane } from '../image/raster.ts'
import { addTile } from './mark/add-tile.ts'
import {
  canonicalScale,
  localMinimum,
  localPower,
  readPlane,
  removeMean,
} from './mark/canonical-plane.ts'
import { decodeMarkId, encodeMarkId } from './mark/mark-code.ts'
import { drawTile, markWaves, tileSide } from './mark/mark-pattern.ts'
import type { MarkWave } from './mark/mark-pattern.ts'
import { pictureSizes } from '../picture-sizes.ts'
import { findOffset, foldTiles, listen } from './mark/read-waves.ts'
import type { RawPicture } from './raw-picture.ts'

/*
 * An invisible mark: 64 bits of id in the brightness of a picture, as keyed plane waves on a
 * tile that is repeated over it (spread spectrum: Cox, Kilian, Leighton, Shamoon 1997), weaker in
 * smooth places than in busy ones, with the picture's own noise at these waves taken into account
 * (improved spread spectrum: Malvar and Florêncio 2003). It is read without the original.
 */

/** Levels (root mean square) that a smooth place takes without showing them. */
const roomMin = 0.35
const roomMax = 5
/** How much of a busy place's own detail may be added to it, above what grain alone has. */
const roomShare = 0.22
const grainLevels = 1.2
/** Never more than this over the whole picture, in levels: a PSNR of 43 dB. */
const levelsMax = 1.8
/** What a picture of too little room is tried with, one after the other. */
const strengths = [1, 1.4, 2]
/** A bit's voice in units of its noise; the code reads from 1.2 on. */
const clearness = 1.5
/** The least side, in pixels, of a picture that is searched for a mark. */
const sideMinPx = 160

/** Widths and heights of the pictures that the compositor makes, to find crops of them. */
export const knownSizes = Object.values(pictureSizes).flatMap(({ standard, high }) => [
  standard,
  high,
])

/**
 * Marks a picture with an id. What it adds can't be seen (PSNR 43 dB and more), and is read again
 * after JPEG at quality 60 and at half the size.
 * @param picture interleaved 8-bit sRGB, left as it is; at least 256 pixels a side
 * @param id 16 lower-case hexadecimal digits
 * @param key the operator's secret, of any length; whoever has it can read and forge marks
 */
export async function embedMark(
  picture: RawPicture,
  id: string,
  key: Uint8Array,
): Promise<RawPicture> {
  const scale = canonicalScale(picture.widthPx, picture.heightPx)
  const plane = await readPlane(picture, scale)
  const waves = markWaves(key)
  const bits = encodeMarkId(id, key)
  const room = measureRoom(plane)
  const tile = drawTile(waves, outweighHost(plane, room, waves, bits))
  const levels = rootMeanSquare(room.data)
  let marked = picture
  for (const strength of strengths) {
    marked = addTile(picture, tile, room, Math.min(strength, levelsMax / levels))
    if (await survives(marked, waves, bits)) break
  }
  return marked
}

/**
 * Reads a picture's mark. It may have been recompressed, scaled and mirrored; a crop is found when
 * it comes at the size the picture was made, or at half of it.
 * @returns the id, or undefined when there is no mark of this key (wrong by chance once in 2^27)
 */
export async function detectMark(
  picture: RawPicture,
  key: Uint8Array,
): Promise<string | undefined> {
  if (Math.min(picture.widthPx, picture.heightPx) < sideMinPx) return undefined
  const waves = markWaves(key)
  const id = await detectUpright(picture, waves, key)
  return id ?? (await detectUpright(mirror(picture), waves, key))
}

async function detectUpright(
  picture: RawPicture,
  waves: readonly MarkWave[],
  key: Uint8Array,
): Promise<string | undefined> {
  const { widthPx, heightPx } = picture
  const whole = foldTiles(await readPlane(picture, canonicalScale(widthPx, heightPx)))
  const id = decodeMarkId(listen(whole, waves), key)
  return id ?? (await detectInCrop(picture, waves, key))
}

async function detectInCrop(
  picture: RawPicture,
  waves: readonly MarkWave[],
  key: Uint8Array,
): Promise<string | undefined> {
  for (const scale of cropScales(picture)) {
    const folded = foldTiles(await readPlane(picture, scale))
    const id = decodeMarkId(listen(folded, waves, findOffset(folded, waves)), key)
    if (id !== undefined) return id
  }
  return undefined
}

/** Left and right exchanged. */
function mirror({ pixels, widthPx, heightPx }: RawPicture): RawPicture {
  const mirrored = new Uint8Array(pixels.length)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const from = 3 * (y * widthPx + x)
      mirrored.set(pixels.subarray(from, from + 3), 3 * (y * widthPx + widthPx - 1 - x))
    }
  }
  return { pixels: mirrored, widthPx, heightPx }
}

/** Scales that a crop may have, of pictures that are larger than it. */
function cropScales({ widthPx, heightPx }: RawPicture): number[] {
  const scales = knownSizes.flatMap(([width, height]) =>
    [1, 2]
      .filter((shrink) => widthPx <= width / shrink && heightPx <= height / shrink)
      .map((shrink) => canonicalScale(width / shrink, height / shrink)),
  )
  return scales.filter((scale) => Math.min(widthPx, heightPx) * scale >= tileSide)
}

/** How many levels may be added where: little in smooth places, also close to a sharp edge. */
function measureRoom(plane: Plane): Plane {
  const detail = localPower(removeMean(plane, 3), 3)
  const { data } = boxBlur(localMinimum(detail, 2), 3)
  for (let i = 0; i < data.length; i++) {
    const busy = Math.max(0, data[i]! - grainLevels)
    data[i] = Math.min(roomMax, roomMin + roomShare * busy)
  }
  return { ...plane, data }
}

/**
 * How loud each bit has to be said: louder where the picture itself says the opposite, softer
 * where it happens to agree.
 * @returns signed amplitudes of the same power as ±1 for each bit
 */
function outweighHost(
  plane: Plane,
  room: Plane,
  waves: readonly MarkWave[],
  bits: Int8Array,
): Float64Array {
  const host = listen(foldTiles(plane), waves)
  const heard = listen(foldTiles(addToPlane(plane, room, drawTile(waves, bits))), waves)
  const gain = heard.reduce((sum, value, i) => sum + (value - host[i]!) * bits[i]!, 0) / bits.length
  // In a picture without any room nothing is heard; then all bits are said alike.
  if (gain <= 0.05) return Float64Array.from(bits)
  const loudness = host.map((value, i) => Math.min(3, Math.max(0, 1 - (value * bits[i]!) / gain)))
  const power = loudness.reduce((sum, value) => sum + value ** 2, 0) / bits.length
  return loudness.map((value, i) => (value * bits[i]!) / Math.sqrt(power))
}

function addToPlane(plane: Plane, room: Plane, tile: Float64Array): Plane {
  const { width, height } = plane
  const data = new Float32Array(plane.data.length)
  for (let y = 0; y < height; y++) {
    const row = (y % tileSide) * tileSide
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      data[at] = plane.data[at]! + room.data[at]! * tile[row + (x % tileSide)]!
    }
  }
  return { ...plane, data }
}

/** Whether the mark is clearly read after JPEG at quality 60 and half the size. */
async function survives(
  marked: RawPicture,
  waves: readonly MarkWave[],
  bits: Int8Array,
): Promise<boolean> {
  const { pixels, widthPx, heightPx } = marked
  const jpeg = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .resize(Math.round(widthPx / 2))
    .jpeg({ quality: 60 })
    .toBuffer()
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const worn = { pixels: data, widthPx: info.width, heightPx: info.height }
  const plane = await readPlane(worn, canonicalScale(info.width, info.height))
  return clearnessOf(listen(foldTiles(plane), waves), bits) >= clearness
}

/** Mean of the bits' voices over their spread. */
function clearnessOf(voices: Float64Array, bits: Int8Array): number {
  const agreeing = voices.map((value, i) => value * bits[i]!)
  const mean = agreeing.reduce((sum, value) => sum + value, 0) / bits.length
  const spread = agreeing.reduce((sum, value) => sum + (value - mean) ** 2, 0) / bits.length
  return mean / Math.sqrt(spread)
}

function rootMeanSquare(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)
}
