import { parse } from 'node:path'
import sharp from 'sharp'
import type { RgbImage } from '@starside/engine/image/raster.ts'

/** A picture of `tileWidth` and the words under it. */
export interface SheetTile {
  picture: RgbImage
  caption: string
}

/** Pixels. */
export const tileWidth = 300
const captionHeight = 22
const gap = 6
const columns = 8
const rowsMax = 6

/**
 * Writes tiles into JPEGs of 48 each, in the order given: `sheet.jpg`, `sheet-2.jpg`, …
 * @returns the files
 */
export async function writeSheets(tiles: readonly SheetTile[], file: string): Promise<string[]> {
  const { dir, name, ext } = parse(file)
  const perSheet = columns * rowsMax
  const files: string[] = []
  for (let from = 0; from < tiles.length; from += perSheet) {
    const number = from / perSheet + 1
    const target = number === 1 ? file : `${dir || '.'}/${name}-${number}${ext}`
    await writeSheet(tiles.slice(from, from + perSheet), target)
    files.push(target)
  }
  return files
}

async function writeSheet(tiles: readonly SheetTile[], file: string): Promise<void> {
  const tileHeight = Math.max(...tiles.map(({ picture }) => picture.height)) + captionHeight
  const left = (n: number): number => (n % columns) * (tileWidth + gap) + gap
  const top = (n: number): number => Math.floor(n / columns) * (tileHeight + gap) + gap
  const width = Math.min(columns, tiles.length) * (tileWidth + gap) + gap
  const height = Math.ceil(tiles.length / columns) * (tileHeight + gap) + gap
  const captions = tiles.map(
    ({ caption }, n) =>
      `<text x="${left(n) + 2}" y="${top(n) + tileHeight - 6}">${escapeXml(caption)}</text>`,
  )
  const words = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    font-family="sans-serif" font-size="14" fill="#fff">${captions.join('')}</svg>`
  await sharp({ create: { width, height, channels: 3, background: '#222' } })
    .composite([
      ...tiles.map(({ picture: { data, ...size } }, n) => ({
        input: Buffer.from(data),
        raw: { ...size, channels: 3 as const },
        left: left(n),
        top: top(n),
      })),
      { input: Buffer.from(words), left: 0, top: 0 },
    ])
    .jpeg({ quality: 88 })
    .toFile(file)
}

/** A picture at the size of a tile. */
export async function shrinkToTile({ data, width, height }: RgbImage): Promise<RgbImage> {
  const small = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ width: tileWidth })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: small.data, width: small.info.width, height: small.info.height }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
