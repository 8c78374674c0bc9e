/**
 * Writes the outlines of letters on the cards of links that the brand mark has none of
 * (server/src/sharing/card-letters.ts): Latin ones with accents, and the Han characters of the cards' own
 * words. Run it again when those words change:
 *   npm install --no-save @fontsource/noto-sans-sc@5.3.0 && node scripts/make-card-letters.ts
 */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { glyphPaths } from '@starside/engine/finish/glyph-table.ts'
import { serverMessages } from '@starside/server/messages/server-messages.ts'
// A CommonJS module, whose one export is the default one at run time.
// oxlint-disable-next-line import/default
import opentype from 'opentype.js'

const require = createRequire(import.meta.url)
const target = new URL('../server/src/sharing/card-letters.ts', import.meta.url)

const latinFile = require.resolve('@fontsource/dm-mono/files/dm-mono-latin-500-normal.woff')
const hanFolder = path.dirname(
  require.resolve('@fontsource/noto-sans-sc/files/noto-sans-sc-100-500-normal.woff'),
)
const latin = await openFont(latinFile)
const accented = Array.from({ length: 0xff - 0xa0 }, (_, at) => String.fromCharCode(0xa1 + at))
const words = JSON.stringify(serverMessages.zh.card)
const han = [...new Set(words.match(/[\p{Script=Han}，。：]/gu))].toSorted()

const outlines = new Map<string, string>()
for (const letter of accented.filter((one) => !glyphPaths.has(one))) {
  const outline = outlineOf(latin, letter)
  if (outline !== undefined) outlines.set(letter, outline)
}
// The font comes in many files, each with some of the characters.
for (const name of (await readdir(hanFolder)).filter((file) => file.endsWith('-500-normal.woff'))) {
  const missing = han.filter((letter) => !outlines.has(letter))
  if (missing.length === 0) break
  // opentype.js can't unpack one of them; what it lacks is told below.
  const font = await openFont(path.join(hanFolder, name)).catch(() => undefined)
  if (font === undefined) continue
  for (const letter of missing) {
    const outline = outlineOf(font, letter)
    if (outline !== undefined) outlines.set(letter, outline)
  }
}
const left = han.filter((letter) => !outlines.has(letter))
if (left.length > 0) throw new Error(`The font has no glyph for ${left.join(' ')}.`)

async function openFont(file: string): Promise<opentype.Font> {
  return opentype.parse(new Uint8Array(await readFile(file)).buffer)
}

function outlineOf(font: opentype.Font, letter: string): string | undefined {
  const glyph = font.charToGlyph(letter)
  if (glyph.index === 0) return undefined
  if (font.unitsPerEm !== 1_000) throw new Error(`The em has ${font.unitsPerEm} units.`)
  return glyph.getPath(0, 0, font.unitsPerEm).toPathData(0)
}

const rows = [...outlines].map((row) => `  ${JSON.stringify(row)},`)
await writeFile(
  target,
  `/**
 * Outlines of letters on cards, in a thousandth of an em; y grows downwards from the baseline at 0.
 * Latin ones are of DM Mono Medium, Copyright 2020 The DM Mono Project Authors
 * (https://www.github.com/googlefonts/dm-mono), Han characters of Noto Sans SC Medium, Copyright 2014-2021
 * Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'; both SIL Open Font License 1.1.
 * Written by scripts/make-card-letters.ts; not to be edited by hand.
 */

/** Characters and their SVG path data. */
export const cardLetters: ReadonlyMap<string, string> = new Map([
${rows.join('\n')}
])
`,
)
