import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
// A CommonJS module, whose one export is the default one at run time.
// oxlint-disable-next-line import/default
import opentype from 'opentype.js'

/** Units of the outlines per em. The font is DM Mono Medium (SIL Open Font License 1.1), as in the interface. */
export const unitsPerEm = 1000
/** Every character's advance: the font is monospaced. */
export const advanceUnits = 600
/** Height of a capital letter above the baseline. */
export const capHeightUnits = 700
/** Depth of the deepest letter below the baseline. */
export const descentUnits = 310

const outlines = new Map<string, string | undefined>()
let font: opentype.Font | undefined

/**
 * A character's outline as SVG path data; y grows downwards from the baseline at 0.
 * @returns undefined for one that the font lacks, and for accents without their letter
 */
export function outlineOf(character: string): string | undefined {
  if (!outlines.has(character)) outlines.set(character, readOutline(character))
  return outlines.get(character)
}

function readOutline(character: string): string | undefined {
  font ??= openFont()
  const glyph = font.charToGlyph(character)
  const isAlone = /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character)
  return glyph.index === 0 || !isAlone ? undefined : glyph.getPath(0, 0, unitsPerEm).toPathData(0)
}

function openFont(): opentype.Font {
  const { resolve } = createRequire(import.meta.url)
  const file = readFileSync(resolve('@fontsource/dm-mono/files/dm-mono-latin-500-normal.woff'))
  return opentype.parse(new Uint8Array(file).buffer)
}
