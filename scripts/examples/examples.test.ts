import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { keysOf } from '@starside/contract/keys-of.ts'
import { engineVersion } from '@starside/engine/engine-version.ts'
import { sampleFaces, sampleStars } from '@starside/web/ui/example-list.ts'
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

test('no two example files are the same picture', async () => {
  const digests = Object.values((await readManifest()).files)
  expect(new Set(digests).size).toBe(digests.length)
})

test('the pictures to try on the landing page weigh 12 kB on average at most, and none more than 20', async () => {
  const { files } = await readManifest()
  const results = Object.keys(files).filter((file) => file.includes('/result-'))
  const bytes = results.map((file) => statSync(path.join(projectFolder, file)).size)
  expect(results).toHaveLength(sampleFaces.length * keysOf(sampleStars).length)
  expect(Math.max(...bytes)).toBeLessThanOrEqual(20_000)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(12_000 * bytes.length)
})

test('the stars to try have the names that the studio gives them', async () => {
  for (const [id, name] of Object.entries(sampleStars)) {
    const preset = await readFile(
      path.join(projectFolder, 'server', 'presets', id, 'preset.json'),
      'utf8',
    )
    expect(JSON.parse(preset)).toMatchObject({ name })
  }
})
