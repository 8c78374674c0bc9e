import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from '@starside/engine/engine.ts'
import { createModelProcess } from '@starside/engine/models/model-process.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import sharp from 'sharp'
import { likenessMinDefault } from '../vendors/models/model-card.ts'
import { faceNetworkProcess, openFaceComparison } from './face-comparison.ts'
import type { FaceDistances } from './face-comparison.ts'

const engine = createEngine()
afterAll(() => engine.close())

async function cropOf(bytes: Uint8Array): Promise<Uint8Array> {
  const faces = await engine.cropFaces(await engine.normalise(bytes))
  expect(faces.length).toBe(1)
  return faces[0]!.crop
}

test('a face is cut out level, in one size, with eyes and mouth in their places', async () => {
  const photo = await readPersonPhoto('mina-asakuri')
  const upright = await cropOf(photo)
  const turned = await cropOf(
    await sharp(photo).rotate(12, { background: '#888' }).resize(500).jpeg().toBuffer(),
  )
  expect(upright.length).toBe(150 * 150 * 3)
  const away = upright.reduce((sum, level, n) => sum + Math.abs(level - turned[n]!), 0)
  expect(away / upright.length).toBeLessThan(12)
})

test('a comparison whose packages are missing says so', async () => {
  const network = createModelProcess<FaceDistances>({
    ...faceNetworkProcess,
    processFile: new URL('no-such-network.ts', import.meta.url),
  })
  await expect(openFaceComparison(network)).rejects.toThrow(/MODULE_NOT_FOUND|Cannot find module/)
})

const packages = new URL('../../../face-network/node_modules/@vladmandic/', import.meta.url)

/* The real network, where its packages are installed. */
describe.skipIf(!existsSync(packages))('the face network', () => {
  test('tells a person in another size and light from other people', async () => {
    const comparison = await openFaceComparison()
    const names = ['mina-asakuri', 'elena-vassandri', 'henrik-solmark'] as const
    const photos = await Promise.all(names.map((name) => readPersonPhoto(name)))
    const [first] = photos
    const changed = await sharp(first).resize(400).modulate({ brightness: 0.7 }).jpeg().toBuffer()
    const crops = []
    for (const photo of [changed, ...photos]) crops.push(await cropOf(photo))
    const [distances] = await comparison.compare(crops)
    const alike = distances!.map((far) => 1 - far)
    expect(alike[0]).toBe(1)
    expect(alike[1]).toBeGreaterThan(likenessMinDefault)
    for (const other of alike.slice(2)) expect(other).toBeLessThan(likenessMinDefault)
    comparison.close()
  })

  test('refuses what is no crop, and goes on', async () => {
    const comparison = await openFaceComparison()
    await expect(comparison.compare([new Uint8Array(7)])).rejects.toThrow('no crops of faces')
    const crop = await cropOf(await readPersonPhoto('mina-asakuri'))
    expect(await comparison.compare([crop])).toEqual([[0]])
    comparison.close()
  })
})
