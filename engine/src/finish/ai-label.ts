import { advanceUnits, capHeightUnits, unitsPerEm } from './brand-font.ts'
import type { RawPicture } from './raw-picture.ts'
import { blend, glyphsSvg, marginPx, overlayOf, watermarkScale } from './watermark.ts'

/** What a picture visibly says of how it was made: nothing, a sign, or the sign with words beside it. */
export type AiLabel = 'off' | 'icon' | 'words'

/** Measures at a picture whose short side is 1024 pixels. */
const fontSizePx = 26
/** Of the letters' height: around the sign's letters, and between sign and words. */
const paddingShare = 0.45
const sign = 'AI'
const words = 'Made with AI'

/** A copy of the picture with the label, left below in its middle square, where crops keep it. */
export async function drawAiLabel(picture: RawPicture, label: AiLabel): Promise<RawPicture> {
  if (label === 'off') return picture
  const { widthPx, heightPx, frame = { right: 0, bottom: 0 } } = picture
  const scale = watermarkScale(widthPx, heightPx)
  const overlay = await overlayOf(labelSvg(fontSizePx * scale, label === 'words'))
  const { width, height } = overlay.info
  const margin = Math.round(marginPx * scale)
  const side = Math.min(widthPx, heightPx)
  const bottom = Math.min((heightPx + side) / 2, heightPx - frame.bottom)
  const left = Math.max((widthPx - side) / 2, frame.right) + margin
  const labelled = { ...picture, pixels: new Uint8Array(picture.pixels) }
  blend(labelled, overlay.data, {
    left: Math.round(left),
    top: Math.max(0, Math.round(bottom - margin - height)),
    widthPx: width,
    heightPx: height,
  })
  return labelled
}

/** The letters AI in a rounded box, dark on light so that it is seen on everything; words to its right. */
function labelSvg(sizePx: number, hasWords: boolean): string {
  const scale = sizePx / unitsPerEm
  const capHeight = capHeightUnits * scale
  const padding = capHeight * paddingShare
  const height = Math.ceil(capHeight + 2 * padding)
  const widthOf = (text: string) => text.length * advanceUnits * scale
  const signWidth = Math.ceil(widthOf(sign) + 2 * padding)
  const width = signWidth + (hasWords ? Math.ceil(widthOf(words) + 2 * padding) : 0)
  const text = (letters: string, left: number, colour: string) =>
    `<g fill="${colour}" transform="translate(${left} ${padding + capHeight}) scale(${scale})">${glyphsSvg(letters)}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" rx="${padding}" fill="#000" fill-opacity="0.6"/>
<rect width="${signWidth}" height="${height}" rx="${padding}" fill="#fff"/>
${text(sign, padding, '#000')}${hasWords ? text(words, signWidth + padding, '#fff') : ''}
</svg>`
}
