import sharp from 'sharp'
import { createRgb } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { blurSigmaMax } from '../harmonise/plan-texture.ts'

/** Rows about the softened ones that their blur reaches. */
const blurReach = Math.ceil(3.5 * blurSigmaMax)

/**
 * A Gaussian blur of some rows; the others are left black.
 * @returns the image itself where the blur is too small to be seen
 */
export async function softenRows(
  image: RgbImage,
  sigma: number,
  fromRow: number,
  toRow: number,
): Promise<RgbImage> {
  if (sigma < 0.3) return image
  const { width, height } = image
  const top = Math.max(0, fromRow - blurReach)
  const bottom = Math.min(height, toRow + blurReach)
  const rows = await sharp(image.data.subarray(top * width * 3, bottom * width * 3), {
    raw: { width, height: bottom - top, channels: 3 },
  })
    .blur(sigma)
    .raw()
    .toBuffer()
  const softened = createRgb(width, height)
  softened.data.set(
    rows.subarray((fromRow - top) * width * 3, (toRow - top) * width * 3),
    fromRow * width * 3,
  )
  releaseMemory(rows)
  return softened
}
