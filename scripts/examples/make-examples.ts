/** `npm run examples`: remakes what shows the product; `-- --sheet FILE`: stars beside people. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { engineVersion } from '@starside/engine/engine-version.ts'
import { projectFolder } from '../project-folder.js'
import { listPictures } from './list-outputs.ts'
import type { Output } from './list-outputs.ts'
import { makeContactSheet } from './make-contact-sheet.ts'
import { digest, writeManifest } from './manifest.ts'
import { openPhotographer } from './open-photographer.ts'

const print = (line: string): void => console.log(line)

async function makeExamples(systemVersion: string): Promise<void> {
  const made = await writeOutputs(listPictures(), systemVersion)
  const files = Object.fromEntries(made.map(({ file, bytes }) => [file, digest(bytes)]))
  await writeManifest({ engineVersion, files })
  const bytesTotal = made.reduce((sum, { bytes }) => sum + bytes.length, 0)
  print(`${made.length} files, ${Math.ceil(bytesTotal / 1000)} kB, engine ${engineVersion}`)
}

async function writeOutputs(
  outputs: readonly Output[],
  systemVersion: string,
): Promise<{ file: string; bytes: Uint8Array }[]> {
  const written: { file: string; bytes: Uint8Array }[] = []
  const photographer = await openPhotographer(systemVersion)
  try {
    for (const output of outputs) {
      const made = await output.make(photographer)
      for (const [index, file] of output.files.entries()) {
        const bytes = made[index]
        if (bytes === undefined) throw new Error(`${file} was not made`)
        await mkdir(path.dirname(path.join(projectFolder, file)), { recursive: true })
        await writeFile(path.join(projectFolder, file), bytes)
        written.push({ file, bytes })
        print(`${file} (${Math.ceil(bytes.length / 1000)} kB)`)
      }
    }
  } finally {
    await photographer.close()
  }
  return written
}

async function makeSheet(file: string, systemVersion: string): Promise<void> {
  const photographer = await openPhotographer(systemVersion)
  try {
    await writeFile(file, await makeContactSheet(photographer, print))
  } finally {
    await photographer.close()
  }
}

const { sheet } = parseArgs({ options: { sheet: { type: 'string' } } }).values
const manifest: unknown = JSON.parse(
  await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
)
const version = String((manifest as { version: unknown }).version)
if (sheet === undefined) await makeExamples(version)
else await makeSheet(sheet, version)
