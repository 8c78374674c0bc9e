/**
 * `npm run examples`: remakes every picture that shows the product, from presets and people.
 * `npm run examples -- --sheet FILE` makes a contact sheet of every star beside every person.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { engineVersion } from '@starside/engine/engine-version.ts'
import { projectFolder } from '../project-folder.js'
import { listCutOuts, listPictures } from './list-outputs.ts'
import { makeContactSheet } from './make-contact-sheet.ts'
import { digest, writeManifest } from './manifest.ts'
import { openPhotographer } from './open-photographer.ts'

const print = (line: string): void => console.log(line)

async function makeExamples(systemVersion: string): Promise<void> {
  const files: Record<string, string> = {}
  let bytesTotal = 0
  // The photographer of the pictures reads the cut-outs that the first one has written.
  for (const outputs of [listCutOuts(), listPictures()]) {
    await using photographer = await openPhotographer(systemVersion)
    for (const output of outputs) {
      const made = await output.make(photographer)
      for (const [index, file] of output.files.entries()) {
        const bytes = made[index]
        if (bytes === undefined) throw new Error(`${file} was not made`)
        await mkdir(path.dirname(path.join(projectFolder, file)), { recursive: true })
        await writeFile(path.join(projectFolder, file), bytes)
        files[file] = digest(bytes)
        bytesTotal += bytes.length
        print(`${file} (${Math.ceil(bytes.length / 1000)} kB)`)
      }
    }
  }
  await writeManifest({ engineVersion, files })
  print(
    `${Object.keys(files).length} files, ${Math.ceil(bytesTotal / 1000)} kB, engine ${engineVersion}`,
  )
}

const { sheet } = parseArgs({ options: { sheet: { type: 'string' } } }).values
const manifest: unknown = JSON.parse(
  await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
)
const version = String((manifest as { version: unknown }).version)
if (sheet === undefined) {
  await makeExamples(version)
} else {
  await using photographer = await openPhotographer(version)
  await writeFile(sheet, await makeContactSheet(photographer, print))
}
