/**
 * Writes the outlines that the watermark is drawn from (engine/src/finish/glyph-table.ts), so that
 * the engine needs no font on the machine it runs on. Run it again only to change the font:
 *   node scripts/make-glyph-table.ts
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
// A CommonJS module, whose one export is the default one at run time.
// oxlint-disable-next-line import/default
import opentype from 'opentype.js'

const require = createRequire(import.meta.url)
const source = '@fontsource/dm-mono/files/dm-mono-latin-500-normal.woff'
const target = new URL('../engine/src/finish/glyph-table.ts', import.meta.url)

const file = await readFile(require.resolve(source))
const font = opentype.parse(new Uint8Array(file).buffer)

const characters = [
  ...Array.from({ length: 0x7e - 0x20 + 1 }, (_, i) => String.fromCharCode(0x20 + i)),
  // The further letters and signs of Western European languages.
  ...Array.from('¡¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ'),
  // What phones write for quotes and dashes by themselves, and signs of prices and measures.
  ...Array.from('‘’“”„‚‹›«»–—…·•€£¥¢°×÷©®™§¼½²³ªºŒœ'),
]
const rows = characters.map((character) => {
  const glyph = font.charToGlyph(character)
  if (glyph.index === 0) throw new Error(`The font has no glyph for '${character}'.`)
  const path = glyph.getPath(0, 0, font.unitsPerEm).toPathData(0)
  return `  [${JSON.stringify(character)}, ${JSON.stringify(path)}],`
})
const os2 = font.tables['os2']
const { advanceWidth } = font.charToGlyph('0')

await writeFile(
  target,
  `/**
 * Outlines of DM Mono Medium, Copyright 2020 The DM Mono Project Authors
 * (https://www.github.com/googlefonts/dm-mono), SIL Open Font License 1.1.
 * Written by scripts/make-glyph-table.ts; not to be edited by hand.
 */

/** Units of the outlines per em. */
export const unitsPerEm = ${font.unitsPerEm}
/** Every character's advance: the font is monospaced. */
export const advanceUnits = ${advanceWidth}
/** Height of a capital letter above the baseline. */
export const capHeightUnits = ${Number(os2?.['sCapHeight'])}
/** Depth of the deepest letter below the baseline. */
export const descentUnits = ${-Number(os2?.['sTypoDescender'])}

/** Characters and their SVG path data; y grows downwards from the baseline at 0. */
export const glyphPaths: ReadonlyMap<string, string> = new Map([
${rows.join('\n')}
])
`,
)
