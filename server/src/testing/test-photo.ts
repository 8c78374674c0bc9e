import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { shippedPresets } from '../stars/presets.ts'

const presets = new URL('../../presets/', import.meta.url)

/** A portrait of a star that ships, JPEG: a real picture with a real face. */
export function readPersonPhoto(
  id: (typeof shippedPresets)[number] = 'henrik-solmark',
): Promise<Buffer> {
  return readFile(new URL(`${id}/picture.jpg`, presets))
}

let small: Promise<Buffer> | undefined

/** The same person at 480 px, which the photo check lets in: a fifth of the pixels, read once. */
export function readSmallPhoto(): Promise<Buffer> {
  small ??= readPersonPhoto().then((photo) => sharp(photo).resize(480).jpeg().toBuffer())
  return small
}

/** A JPEG of one colour, 4:5. */
export function createTestJpeg(colour: {
  red: number
  green: number
  blue: number
  widthPx?: number
}): Promise<Buffer> {
  const width = colour.widthPx ?? 1024
  const background = { r: colour.red, g: colour.green, b: colour.blue }
  return sharp({ create: { width, height: (width * 5) / 4, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** The mean colour of a picture, to distinguish test pictures. */
export async function meanColour(picture: Buffer) {
  const { channels } = await sharp(picture).stats()
  const [red, green, blue] = channels.map((channel) => Math.round(channel.mean))
  return { red, green, blue }
}
