import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { engineVersion } from '@starside/engine/engine-version.ts'
import { expect, test } from 'vitest'
import { projectFolder } from '../project-folder.js'
import { listPictures } from './list-outputs.ts'
import { digest, readManifest } from './manifest.ts'

test('the pictures that show the product were made by this version of the engine', async () => {
  const made = await readManifest()
  expect(made.engineVersion, 'run `npm run examples` and look at the pictures').toBe(engineVersion)
})

test('every example picture of the list was made, and none is left over', async () => {
  const listed = listPictures().flatMap(({ files }) => files)
  const { files } = await readManifest()
  expect(Object.keys(files).toSorted()).toEqual(listed.toSorted())
})

test('the example pictures are those that the command made', async () => {
  const { files } = await readManifest()
  const changed: string[] = []
  for (const [file, expected] of Object.entries(files)) {
    const at = path.join(projectFolder, file)
    if (!existsSync(at) || digest(await readFile(at)) !== expected) changed.push(file)
  }
  expect(changed).toEqual([])
})
