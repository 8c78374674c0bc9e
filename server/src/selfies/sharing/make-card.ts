import {
  advanceUnits,
  capHeightUnits,
  outlineOf as latinOutlineOf,
  unitsPerEm,
} from '@starside/engine/finish/brand-font.ts'
import { drawAiLabel } from '@starside/engine/finish/ai-label.ts'
import type { AiLabel } from '@starside/engine/finish/ai-label.ts'
import { drawWatermark } from '@starside/engine/finish/watermark.ts'
import { provenanceXmp } from '@starside/provenance/provenance.ts'
import sharp from 'sharp'
import hanLetters from './han-letters.json' with { type: 'json' }

/** The shape that chats and networks show whole (developer.x.com and developers.facebook.com, 1.91:1). */
export const cardSize = { widthPx: 1200, heightPx: 630 }

/** How wide the picture stands on the card: as wide as it is, within what leaves room for the words. */
const pictureWidthPx = { min: 504, max: 660 }
const wordsMarginPx = { left: 56, right: 48 }
const film = '#0f0d0c'
const bone = '#f3ede2'
const amber = '#ffb21a'

interface CardWords {
  title: string
  /** Says how it was made. */
  note: string
  /** What whoever sees the card may do. */
  call: string
  /** The brand mark that the picture bears; undefined for one without. */
  markText: string | undefined
  /** The visible label that the picture bears. */
  aiLabel: AiLabel
  /** The installation's name, on the card and in its metadata. */
  systemName: string
  systemVersion: string
}

/**
 * A card for links, a JPEG of {@link cardSize}: the picture upright on the left, the words beside it,
 * drawn from outlines, so that no font is needed; letters without any lose their accents or are left out.
 * @param picture encoded; of a very wide one the middle is shown, of a high one the upper part, with the brand
 *   mark in the corner that is left
 */
export async function makeCard(picture: Uint8Array, words: CardWords): Promise<Buffer> {
  const { widthPx: width, heightPx: height } = cardSize
  const { width: wide, height: high } = await sharp(picture).metadata()
  const { min, max } = pictureWidthPx
  const edge = Math.round(Math.min(max, Math.max(min, (height * wide) / high)))
  // The picture's own mark stands in a corner, which goes where it isn't shown whole.
  const isWhole = Math.abs(edge / height - wide / high) < 0.01
  const mark = isWhole ? undefined : words.markText
  // The label is in the square in the middle, of which only a high picture loses the lower part.
  const isCutBelow = !isWhole && wide / high < edge / height
  const label = isCutBelow ? words.aiLabel : 'off'
  const shown = await cutOut(picture, { widthPx: edge, heightPx: height }, { mark, label })
  return await sharp({ create: { width, height, channels: 3, background: film } })
    .composite([{ input: shown, left: 0, top: 0 }, { input: Buffer.from(wordsSvg(words, edge)) }])
    .jpeg({ quality: 84, mozjpeg: true })
    .withXmp(provenanceXmp({ name: words.systemName, version: words.systemVersion }))
    .toBuffer()
}

/** @returns a PNG of the given size, with the brand mark and the label where they are given */
async function cutOut(
  picture: Uint8Array,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  { mark, label }: { mark: string | undefined; label: AiLabel },
): Promise<Buffer> {
  const resized = sharp(picture).resize({
    width: widthPx,
    height: heightPx,
    fit: 'cover',
    position: 'top',
  })
  const pixels = await resized.removeAlpha().raw().toBuffer()
  const cut = await drawAiLabel({ pixels, widthPx, heightPx }, label)
  const marked = mark === undefined ? cut : await drawWatermark(cut, mark)
  const raw = { width: widthPx, height: heightPx, channels: 3 } as const
  return await sharp(marked.pixels, { raw }).png({ compressionLevel: 1 }).toBuffer()
}

/** @param edge where the picture ends, px from the left */
function wordsSvg({ systemName, title, note, call }: CardWords, edge: number): string {
  const titleSizePx = 58
  const left = edge + wordsMarginPx.left
  const widthPx = cardSize.widthPx - left - wordsMarginPx.right
  const lines = wrapText(drawable(title), widthPx / titleSizePx, 4)
  const at = { left, widthPx }
  const top = 300 - (lines.length - 1) * 36
  const parts = [
    perforations(edge, 18),
    perforations(edge, cardSize.heightPx - 34),
    drawText(drawable(systemName).toUpperCase(), { ...at, top: 84, sizePx: 34, colour: amber }),
    ...lines.map((line, index) =>
      drawText(line, { ...at, top: top + index * 72, sizePx: titleSizePx, colour: bone }),
    ),
    drawText(drawable(note), { ...at, top: 506, sizePx: 26, colour: bone }),
    drawText(drawable(call), { ...at, top: 548, sizePx: 26, colour: amber }),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.widthPx}" height="${cardSize.heightPx}">${parts.join('')}</svg>`
}

/** The edge of a film, as everywhere in the interface. */
function perforations(edge: number, top: number): string {
  const holes = Array.from({ length: Math.ceil((cardSize.widthPx - edge) / 46) }, (_, index) => {
    const left = edge + 22 + index * 46
    return `<rect x="${left}" y="${top}" width="24" height="16" rx="4"/>`
  })
  return `<g fill="${bone}">${holes.join('')}</g>`
}

/** One line, its capitals' upper edge at `top`; narrower where it would not fit. */
function drawText(
  text: string,
  place: { left: number; top: number; widthPx: number; sizePx: number; colour: string },
): string {
  const { left, top, widthPx, sizePx, colour } = place
  const fitting = Math.min(1, widthPx / (emsOf(text) * sizePx))
  const scale = (sizePx * fitting) / unitsPerEm
  const baseline = top + capHeightUnits * scale
  let advance = 0
  const glyphs = Array.from(text, (character) => {
    const glyph = `<path transform="translate(${advance})" d="${outlineOf(character) ?? ''}"/>`
    advance += emsOf(character) * unitsPerEm
    return glyph
  })
  return `<g fill="${colour}" transform="translate(${left} ${baseline}) scale(${scale})">${glyphs.join('')}</g>`
}

/** Of Han characters the cards' own words have outlines; `scripts/make-han-letters.ts` says of which font. */
const hanOutlines = new Map(Object.entries(hanLetters))

function outlineOf(character: string): string | undefined {
  return hanOutlines.get(character) ?? latinOutlineOf(character)
}

/** How wide a text is for a letter size of 1: Han characters are as wide as high, all others alike. */
function emsOf(text: string): number {
  let ems = 0
  for (const character of text) ems += isHan.test(character) ? 1 : advanceUnits / unitsPerEm
  return ems
}

const isHan = /[\p{Script=Han}，。：]/u

/** The text in letters that there are outlines of. */
export function drawable(text: string): string {
  const letters = Array.from(text.normalize('NFC'), (character) =>
    outlineOf(character) === undefined ? Array.from(character.normalize('NFKD')) : [character],
  ).flat()
  const drawn = letters.filter((character) => outlineOf(character) !== undefined)
  return drawn.join('').replaceAll(/ +/g, ' ').trim()
}

/**
 * Lines of `widthEms` letter sizes, `linesMax` at most, the rest cut off. They end where
 * words allow, or after a Han character that no stop follows.
 */
export function wrapText(text: string, widthEms: number, linesMax: number): string[] {
  const lines: string[] = []
  for (const [word] of text.matchAll(/\p{Script=Han}[，。：]?| ?[^\p{Script=Han} ]+/gu)) {
    const last = lines.at(-1)
    if (last !== undefined && emsOf(last + word) <= widthEms) lines[lines.length - 1] = last + word
    else lines.push(word.trimStart())
  }
  if (lines.length <= linesMax) return lines
  return [...lines.slice(0, linesMax - 1), `${lines[linesMax - 1] ?? ''}…`]
}

/** Whether all of a text can be drawn, accents aside: most names in Han characters can't. */
export function isDrawable(text: string): boolean {
  return Array.from(text).every((character) => drawable(character) !== '' || character === ' ')
}
