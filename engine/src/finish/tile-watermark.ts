import sharp from 'sharp'
import { advanceUnits, capHeightUnits, unitsPerEm } from './brand-font.ts'
import { glyphsSvg } from './watermark.ts'

const fontSizePx = 15
/** Room about each text. */
const marginPx = { across: 14, down: 16 }
const opacity = 0.5

/**
 * A small RGBA picture of the brand mark, to be tiled all over a layer: white with a dark rim, so that
 * it is seen on everything, and so that no crop is without it.
 */
export async function makeWatermarkTile(text: string): Promise<Buffer> {
  const scale = fontSizePx / unitsPerEm
  const width = Math.ceil(Array.from(text).length * advanceUnits * scale) + 2 * marginPx.across
  const height = Math.ceil(capHeightUnits * scale) + 2 * marginPx.down
  const baseline = marginPx.down + capHeightUnits * scale
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<g fill="#fff" stroke="#000" stroke-width="60" paint-order="stroke" opacity="${opacity}" transform="translate(${marginPx.across} ${baseline}) scale(${scale})">
${glyphsSvg(text)}
</g></svg>`
  return await sharp(Buffer.from(svg)).png().toBuffer()
}
