/**
 * Makes the picture files of a star that comes with the program, beside a `preset.json` written by hand:
 *   node scripts/make-preset.ts PICTURE server/presets/ID [CUT-OUT]
 * CUT-OUT is transparent around the person. `preview.png` shows rims of the old background; it isn't shipped.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createCompositor } from '@starside/engine/compositor/compositor.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { makePresetFiles } from '@starside/engine/preset/make-preset-files.ts'
import { presetFileNames } from '@starside/server/stars/presets.ts'

const [picture, folder, cutout] = process.argv.slice(2)
if (picture === undefined || folder === undefined) {
  throw new Error('Usage: node scripts/make-preset.ts PICTURE FOLDER [CUT-OUT]')
}
const compositor = await createCompositor({ threads: 1 })
try {
  const photo = await normalisePhoto(await readFile(picture))
  const given = cutout === undefined ? undefined : await normalisePhoto(await readFile(cutout))
  if (photo.hasMatte || given?.hasMatte === false) {
    throw new Error('The picture must be opaque, and a cut-out have a transparent background.')
  }
  const files = await makePresetFiles(compositor, photo, given)
  await mkdir(folder, { recursive: true })
  for (const [part, name] of Object.entries(presetFileNames)) {
    await writeFile(path.join(folder, name), files[part as keyof typeof files])
  }
} finally {
  await compositor.close()
}
