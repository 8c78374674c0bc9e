import sharp from 'sharp'
import { readCaptionLetters } from './caption-letters.ts'
import type { CaptionLetter } from './caption-letters.ts'
import { unitsPerEm } from './brand-font.ts'
import type { RawPicture } from './raw-picture.ts'

/** White borders in parts of the picture's shorter side. */
const sides = 0.06
const bottom = 0.22
const paper = { r: 250, g: 249, b: 245 }
const ink = '#2b2b33'
const fontSize = 0.06

/** @throws LayersError `caption_unreadable` for letters without outlines */
export async function checkCaption(caption: string): Promise<void> {
  await readCaptionLetters(lineOf(caption))
}

/**
 * Sets a picture into the white frame of an instant picture, with a line of text below it.
 * @param caption of `checkCaption`; empty for none
 * @returns a larger picture
 */
export async function frameInstant(picture: RawPicture, caption: string): Promise<RawPicture> {
  const { pixels, widthPx, heightPx } = picture
  const side = Math.min(widthPx, heightPx)
  const border = Math.round(side * sides)
  const below = Math.round(side * bottom)
  const framed = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .extend({ top: border, left: border, right: border, bottom: below, background: paper })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = framed.info
  const frame = { right: border, bottom: below }
  const whole = { pixels: framed.data, widthPx: width, heightPx: height, frame }
  const line = lineOf(caption)
  if (line === '') return whole
  const letters = await readCaptionLetters(line)
  const svg = captionSvg(letters, widthPx, below, side * fontSize)
  const { data } = await sharp(framed.data, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(svg), left: border, top: height - below }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { ...whole, pixels: data }
}

/** Some keyboards write an accent as a sign of its own behind the letter. */
function lineOf(caption: string): string {
  return caption.trim().normalize('NFC')
}

function captionSvg(
  letters: readonly CaptionLetter[],
  width: number,
  height: number,
  size: number,
): string {
  const length = letters.reduce((sum, { advance }) => sum + advance, 0)
  const scale = Math.min(size / unitsPerEm, (0.96 * width) / length)
  const left = (width - length * scale) / 2
  const baseline = height * 0.5 + 0.25 * scale * unitsPerEm
  let x = 0
  const paths = letters.map(({ path, advance }) => {
    const placed = `<path transform="translate(${x} 0)" d="${path}"/>`
    x += advance
    return placed
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<g fill="${ink}" transform="translate(${left} ${baseline}) scale(${scale})">
${paths.join('\n')}
</g></svg>`
}
