import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
// A CommonJS module, whose one export is the default one at run time.
// oxlint-disable-next-line import/default
import opentype from 'opentype.js'
import { LayersError } from '../compositor/layers/layers-error.ts'
import { advanceUnits, outlineOf, unitsPerEm } from './brand-font.ts'

/** A letter of a caption: SVG path data with y downwards from the baseline, in `unitsPerEm` as its width is. */
export interface CaptionLetter {
  path: string
  advance: number
}

/** Outlines that were read are kept; so many are about a megabyte. */
const keptMax = 1_000
const kept = new Map<string, CaptionLetter>()
const require = createRequire(import.meta.url)
let parts: Promise<readonly FontPart[]> | undefined

/**
 * The outlines of a caption. Latin letters and signs are the brand mark's; Han characters and their
 * punctuation are those of Ma Shan Zheng (SIL Open Font License 1.1), nearly all of GB 2312.
 * @throws LayersError `caption_unreadable` for letters without outlines
 */
export async function readCaptionLetters(caption: string): Promise<CaptionLetter[]> {
  const letters: CaptionLetter[] = []
  for (const letter of caption) {
    const path = outlineOf(letter)
    letters.push(path === undefined ? await findHanLetter(letter) : { path, advance: advanceUnits })
  }
  return letters
}

async function findHanLetter(letter: string): Promise<CaptionLetter> {
  const found = kept.get(letter) ?? (await readHanLetter(letter))
  if (!found) throw new LayersError('caption_unreadable')
  kept.delete(letter)
  kept.set(letter, found)
  if (kept.size > keptMax) kept.delete([...kept.keys()][0]!)
  return found
}

/** The font comes in some ninety files, each with some of the characters. */
interface FontPart {
  name: string
  /** First and last code point of each range. */
  ranges: readonly (readonly [number, number])[]
}

async function readHanLetter(letter: string): Promise<CaptionLetter | undefined> {
  parts ??= readParts()
  const codePoint = letter.codePointAt(0)!
  const part = (await parts).find((one) =>
    one.ranges.some(([first, last]) => codePoint >= first && codePoint <= last),
  )
  if (!part) return undefined
  const file = await readFile(
    require.resolve(`@fontsource/ma-shan-zheng/files/ma-shan-zheng-${part.name}-400-normal.woff`),
  )
  const font = opentype.parse(new Uint8Array(file).buffer)
  const glyph = font.charToGlyph(letter)
  if (glyph.index === 0) return undefined
  const path = glyph.getPath(0, 0, unitsPerEm).toPathData(0)
  return { path, advance: ((glyph.advanceWidth ?? 0) * unitsPerEm) / font.unitsPerEm }
}

/** Which file has which characters, in the words of CSS: `{"[5]": "U+fee3,U+ff03-ff04"}`. */
async function readParts(): Promise<FontPart[]> {
  const text = await readFile(require.resolve('@fontsource/ma-shan-zheng/unicode.json'), 'utf8')
  return Array.from(
    text.matchAll(/"\[?(\w+)\]?":\s*"([^"]+)"/gu),
    ([, name = '', unicodeRange = '']) => ({
      name,
      ranges: unicodeRange.split(',').map((range) => {
        const [first = 0, last = first] = range
          .replace('U+', '')
          .split('-')
          .map((hex) => Number.parseInt(hex, 16))
        return [first, last] as const
      }),
    }),
  )
}
