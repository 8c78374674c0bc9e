import sharp from 'sharp'
import { boxBlur } from '@starside/engine/image/box-blur.ts'
import type { Plane } from '@starside/engine/image/raster.ts'
import { addTile } from './mark/add-tile.ts'
import { canonicalScale, localMinimum, localPower, readPlane } from './mark/canonical-plane.ts'
import { decodeMarkId, encodeMarkId } from './mark/mark-code.ts'
import { drawTile, markWaves, tileSide } from './mark/mark-pattern.ts'
import type { MarkWave } from './mark/mark-pattern.ts'
import { releaseMemory } from '@starside/engine/release-memory.ts'
import { pictureSizes } from '@starside/engine/picture-sizes.ts'
import { findOffset, foldTiles, correlate } from './mark/read-waves.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'

/*
 * An invisible mark: 64 bits of id in the brightness of a picture, as keyed plane waves on a
 * tile that is repeated over it (spread spectrum: Cox, Kilian, Leighton, Shamoon 1997), weaker in
 * smooth places than in busy ones, with the picture's own noise at these waves taken into account
 * (improved spread spectrum: Malvar and Florêncio 2003). It is read without the original.
 */

/** Levels (root mean square) that a smooth place takes without showing them. */
const maskMin = 0.35
const maskMax = 5
/** How much of a busy place's own detail may be added to it, above what grain alone has. */
const maskShare = 0.22
const grainLevels = 1.2
/** Never more than this over the whole picture, in levels: a PSNR of 43 dB. */
const levelsMax = 1.8
/** Tried one after the other until the mark survives. */
const strengths = [1, 1.4, 2]
/** Correlation of a bit in units of its noise; the code reads from 1.2 on. */
const signalToNoiseMin = 1.5
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
 * @param mark.id 16 lower-case hexadecimal digits
 * @param mark.key the operator's secret, of any length; whoever has it can read and forge marks
 * @param write begins before it is known whether the mark survives; mostly it does, else it is called again
 */
export async function embedMark<Written>(
  picture: RawPicture,
  { id, key }: { id: string; key: Uint8Array },
  write: (marked: RawPicture) => Promise<Written>,
): Promise<Written> {
  const scale = canonicalScale(picture.widthPx, picture.heightPx)
  const plane = await readPlane(picture, scale)
  const waves = markWaves(key)
  const bits = encodeMarkId(id, key)
  const mask = measureMask(plane)
  const tile = drawTile(waves, compensateHost(plane, mask, waves, bits))
  const levels = rootMeanSquare(mask.data)
  releaseMemory(plane.data)
  const attempt = async ([strength, ...stronger]: readonly number[]): Promise<Written> => {
    const marked = addTile(picture, tile, mask, Math.min(strength!, levelsMax / levels))
    const [written, isRead] = await Promise.all([write(marked), survives(marked, waves, bits)])
    return isRead || stronger.length === 0 ? written : await attempt(stronger)
  }
  return await attempt(strengths)
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
  if (id !== undefined) return id
  const raw = { width: picture.widthPx, height: picture.heightPx, channels: 3 } as const
  const pixels = await sharp(picture.pixels, { raw }).flop().raw().toBuffer()
  return await detectUpright({ ...picture, pixels }, waves, key)
}

async function detectUpright(
  picture: RawPicture,
  waves: readonly MarkWave[],
  key: Uint8Array,
): Promise<string | undefined> {
  const { widthPx, heightPx } = picture
  const whole = foldTiles(await readPlane(picture, canonicalScale(widthPx, heightPx)))
  const ofWhole = decodeMarkId(correlate(whole, waves), key)
  if (ofWhole !== undefined) return ofWhole
  for (const scale of cropScales(picture)) {
    const folded = foldTiles(await readPlane(picture, scale))
    const id = decodeMarkId(correlate(folded, waves, findOffset(folded, waves)), key)
    if (id !== undefined) return id
  }
  return undefined
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
function measureMask(plane: Plane): Plane {
  const power = localPower(plane, 3, 3)
  const calm = localMinimum(power, 2)
  const { data } = boxBlur(calm, 3)
  releaseMemory(power.data, calm.data)
  for (let i = 0; i < data.length; i++) {
    const busy = Math.max(0, data[i]! - grainLevels)
    data[i] = Math.min(maskMax, maskMin + maskShare * busy)
  }
  return { ...plane, data }
}

/**
 * Amplitude of each bit: higher where the picture itself correlates with the opposite, lower where it
 * happens to agree.
 * @returns signed amplitudes of the same power as ±1 for each bit, of less where the picture agrees with most
 */
function compensateHost(
  plane: Plane,
  mask: Plane,
  waves: readonly MarkWave[],
  bits: Int8Array,
): Float64Array {
  const host = correlate(foldTiles(plane), waves)
  const marked = addToPlane(plane, mask, drawTile(waves, bits))
  const response = correlate(foldTiles(marked), waves)
  releaseMemory(marked.data)
  const gain =
    response.reduce((sum, value, i) => sum + (value - host[i]!) * bits[i]!, 0) / bits.length
  // Where the mask lets nothing through there is no response; then all bits are alike.
  if (gain <= 0.05) return Float64Array.from(bits)
  const amplitudes = host.map((value, i) => Math.min(3, Math.max(0, 1 - (value * bits[i]!) / gain)))
  const power = amplitudes.reduce((sum, value) => sum + value ** 2, 0) / bits.length
  return amplitudes.map((value, i) => (value * bits[i]!) / Math.sqrt(Math.max(1, power)))
}

function addToPlane(plane: Plane, mask: Plane, tile: Float64Array): Plane {
  const { width, height } = plane
  const data = new Float32Array(plane.data.length)
  for (let y = 0; y < height; y++) {
    const row = (y % tileSide) * tileSide
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      data[at] = plane.data[at]! + mask.data[at]! * tile[row + (x % tileSide)]!
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
  const correlations = correlate(foldTiles(plane), waves)
  releaseMemory(data, plane.data)
  return signalToNoise(correlations, bits) >= signalToNoiseMin
}

/** Mean of the bits' correlations over their spread. */
function signalToNoise(correlations: Float64Array, bits: Int8Array): number {
  const agreeing = correlations.map((value, i) => value * bits[i]!)
  const mean = agreeing.reduce((sum, value) => sum + value, 0) / bits.length
  const spread = agreeing.reduce((sum, value) => sum + (value - mean) ** 2, 0) / bits.length
  return mean / Math.sqrt(spread)
}

function rootMeanSquare(values: Float32Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! ** 2
  return Math.sqrt(sum / values.length)
}
