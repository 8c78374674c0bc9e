/**
 * Writes the outlines of the Han characters in the cards' own words (server/src/selfies/sharing/han-letters.json), of
 * Noto Sans SC Medium (Copyright 2014-2021 Adobe, Reserved Font Name 'Source', SIL Open Font License 1.1), in a
 * thousandth of an em. Run it again when those words change:
 *   npm install --no-save @fontsource/noto-sans-sc@5.3.0 && node scripts/make-han-letters.ts
 */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { serverMessages } from '@starside/server/platform/messages/texts.ts'
// A CommonJS module, whose one export is the default one at run time.
// oxlint-disable-next-line import/default
import opentype from 'opentype.js'

const { resolve } = createRequire(import.meta.url)
const folder = path.dirname(resolve('@fontsource/noto-sans-sc/package.json'))
const words = JSON.stringify(serverMessages.zh.card)
const letters = [...new Set(words.match(/[\p{Script=Han}，。：]/gu))].toSorted()
const outlines: Record<string, string> = {}

// The font comes in many files, each with some of the characters.
for (const name of await readdir(path.join(folder, 'files'))) {
  if (!name.endsWith('-500-normal.woff')) continue
  const file = await readFile(path.join(folder, 'files', name))
  try {
    const font = opentype.parse(new Uint8Array(file).buffer)
    for (const letter of letters.filter((one) => font.charToGlyphIndex(one) > 0)) {
      outlines[letter] ??= font.charToGlyph(letter).getPath(0, 0, 1_000).toPathData(0)
    }
  } catch {
    // opentype.js can't unpack one of them; what it lacks is told below.
  }
}
const missing = letters.filter((letter) => outlines[letter] === undefined)
if (missing.length > 0) throw new Error(`The font has no glyph for ${missing.join(' ')}.`)
const target = new URL('../server/src/selfies/sharing/han-letters.json', import.meta.url)
await writeFile(target, `${JSON.stringify(outlines, letters, 2)}\n`)
