import sharp from 'sharp'
import { advanceUnits, capHeightUnits, descentUnits, outlineOf, unitsPerEm } from './brand-font.ts'
import type { RawPicture } from './raw-picture.ts'

/** The brand mark's measures at a picture whose short side is 1024 pixels. */
const referenceSidePx = 1024
const fontSizePx = 28
export const marginPx = 20
const paddingPx = 10
const textOpacity = 0.9
const boxOpacity = 0.3
/** Below this nobody can read it, so pictures that stay small get a larger mark than the scale says. */
const fontSizePxMin = 11

/**
 * Draws the brand mark on a copy of the picture: white text on a translucent black box in the
 * right lower corner, within a frame. Drawn from outlines, so that it needs no font where it runs.
 * @param picture is left as it is
 * @param text the product's host name; shrinks, then loses its beginning, when it is too long
 * @param fontMinPx 0 where the picture stands for a larger one, whose mark takes the same share of it
 * @throws TypeError for an empty text
 */
export async function drawWatermark(
  picture: RawPicture,
  text: string,
  fontMinPx = fontSizePxMin,
): Promise<RawPicture> {
  if (text.trim() === '') throw new TypeError('The brand mark needs a text.')
  const { right, bottom } = picture.frame ?? { right: 0, bottom: 0 }
  // On the frame it could be cut off without losing anything of the photo.
  const widthWithinPx = picture.widthPx - Math.ceil(right)
  const heightWithinPx = picture.heightPx - Math.ceil(bottom)
  const layout = layOutWatermark(widthWithinPx, heightWithinPx, text, fontMinPx)
  const overlay = await overlayOf(watermarkSvg(layout))
  const { width, height } = overlay.info
  const marked = { ...picture, pixels: new Uint8Array(picture.pixels) }
  blend(marked, overlay.data, { ...layout, widthPx: width, heightPx: height })
  return marked
}

type Overlay = Promise<{ data: Uint8Array; info: { width: number; height: number } }>

/** A sheet's pictures have few sizes, and the text is mostly the same. */
const overlaysMax = 16
const overlays = new Map<string, Overlay>()

/** The pixels of a mark, straight-alpha RGBA; the last few are remembered. */
export function overlayOf(svg: string): Overlay {
  const overlay =
    overlays.get(svg) ??
    sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  overlays.delete(svg)
  overlays.set(svg, overlay)
  if (overlays.size > overlaysMax) overlays.delete([...overlays.keys()][0]!)
  overlay.catch(() => overlays.delete(svg))
  return overlay
}

export interface WatermarkLayout {
  /** What is drawn: the text, or its end behind an ellipsis. */
  text: string
  fontSizePx: number
  paddingPx: number
  /** The box, in pixels of the picture. */
  left: number
  top: number
  widthPx: number
  heightPx: number
}

/** Where the mark stands and how large it is; the box always lies within the picture. */
export function layOutWatermark(
  pictureWidthPx: number,
  pictureHeightPx: number,
  text: string,
  fontMinPx = fontSizePxMin,
): WatermarkLayout {
  const scale = watermarkScale(pictureWidthPx, pictureHeightPx, fontMinPx)
  const margin = Math.round(marginPx * scale)
  const room = Math.max(1, pictureWidthPx - 2 * margin - 2 * paddingPx * scale)
  const characters = Array.from(text)
  const wanted = (characters.length * advanceUnits) / unitsPerEm
  const size = Math.min(fontSizePx * scale, Math.max(room / wanted, fontMinPx))
  const fitting = Math.max(1, Math.floor((room * unitsPerEm) / (advanceUnits * size) + 1e-6))
  const shown =
    characters.length <= fitting
      ? characters
      : ['…', ...characters.slice(characters.length - fitting + 1)]
  const padding = paddingPx * (size / fontSizePx)
  const width = Math.ceil((shown.length * advanceUnits * size) / unitsPerEm + 2 * padding)
  const height = Math.ceil(((capHeightUnits + descentUnits) * size) / unitsPerEm + 2 * padding)
  return {
    text: shown.join(''),
    fontSizePx: size,
    paddingPx: padding,
    left: Math.max(0, pictureWidthPx - margin - width),
    top: Math.max(0, pictureHeightPx - margin - height),
    widthPx: width,
    heightPx: height,
  }
}

/** How large marks are on a picture; 1 where its short side has 1024 pixels. */
export function watermarkScale(
  widthPx: number,
  heightPx: number,
  fontMinPx = fontSizePxMin,
): number {
  return Math.max(Math.min(widthPx, heightPx) / referenceSidePx, fontMinPx / fontSizePx)
}

function watermarkSvg(layout: WatermarkLayout): string {
  const { widthPx, heightPx, paddingPx: padding } = layout
  const scale = layout.fontSizePx / unitsPerEm
  const baseline = padding + capHeightUnits * scale
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
<rect width="${widthPx}" height="${heightPx}" fill="#000" fill-opacity="${boxOpacity}"/>
<g fill="#fff" fill-opacity="${textOpacity}" transform="translate(${padding} ${baseline}) scale(${scale})">
${glyphsSvg(layout.text)}
</g></svg>`
}

/** The outlines of a text as SVG paths, from the origin to the right, in units of the font. */
export function glyphsSvg(text: string): string {
  return Array.from(
    text,
    (character, i) =>
      `<path transform="translate(${i * advanceUnits} 0)" d="${glyphPath(character)}"/>`,
  ).join('\n')
}

/** A hollow box stands for what the font lacks, so that a mark is never blank. */
function glyphPath(character: string): string {
  return outlineOf(character) ?? 'M60 0V-700H540V0ZM140-80H460V-620H140Z'
}

/** Lays straight-alpha RGBA over the picture, in place. */
export function blend(
  picture: RawPicture,
  overlay: Uint8Array,
  box: Pick<WatermarkLayout, 'left' | 'top' | 'widthPx' | 'heightPx'>,
): void {
  const rows = Math.min(box.heightPx, picture.heightPx - box.top)
  const columns = Math.min(box.widthPx, picture.widthPx - box.left)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const from = (y * box.widthPx + x) * 4
      const to = ((box.top + y) * picture.widthPx + box.left + x) * 3
      blendPixel(picture.pixels, to, overlay, from)
    }
  }
}

function blendPixel(pixels: Uint8Array, to: number, overlay: Uint8Array, from: number): void {
  const alpha = overlay[from + 3]! / 255
  for (let channel = 0; channel < 3; channel++) {
    const under = pixels[to + channel]!
    pixels[to + channel] = under + (overlay[from + channel]! - under) * alpha
  }
}
