import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { RgbImage } from '@starside/engine/image/raster.ts'

/** Keeps a picture in full size, so that its borders can be looked at; nothing without a folder. */
export async function savePicture(
  { data, ...size }: RgbImage,
  folder: string | undefined,
  name: string,
): Promise<void> {
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`)
  await sharp(data, { raw: { ...size, channels: 3 } })
    .png()
    .toFile(file)
}
