import sharp from 'sharp'
import type { RgbImage } from '@starside/engine/image/raster.ts'

/** Both inputs and what became of them. */
export interface SheetRow {
  user: RgbImage
  star: RgbImage
  result: RgbImage
}

const resultHeight = 640
const inputHeight = resultHeight / 2
const inputWidth = 240
const gap = 12

/** Writes all rows into one JPEG: the inputs above each other, the result at their side. */
export async function drawContactSheet(rows: readonly SheetRow[], file: string): Promise<void> {
  const cellWidth = inputWidth + 512 + gap * 2
  const columns = Math.min(4, Math.max(1, rows.length))
  const cellHeight = resultHeight + gap
  const tiles: { input: Buffer; left: number; top: number }[] = []
  for (const [index, { user, star, result }] of rows.entries()) {
    const left = (index % columns) * cellWidth + gap
    const top = Math.floor(index / columns) * cellHeight + gap
    tiles.push(
      { input: await tile(user, inputWidth, inputHeight - gap), left, top },
      { input: await tile(star, inputWidth, inputHeight - gap), left, top: top + inputHeight },
      { input: await tile(result, 512, resultHeight - gap), left: left + inputWidth + gap, top },
    )
  }
  await sharp({
    create: {
      width: columns * cellWidth + gap,
      height: Math.ceil(rows.length / columns) * cellHeight + gap,
      channels: 3,
      background: '#222',
    },
  })
    .composite(tiles)
    .jpeg({ quality: 88 })
    .toFile(file)
}

async function tile(image: RgbImage, width: number, height: number): Promise<Buffer> {
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(width, height, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}
