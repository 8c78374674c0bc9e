import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '@starside/engine/engine.ts'
import { createModelProcess } from '@starside/engine/models/model-process.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import sharp from 'sharp'
import { likenessMinDefault } from '../../vendors/models/model-description.ts'
import { faceNetworkProcess, openFaceComparison } from './face-comparison.ts'
import type { FaceDistances } from './face-comparison.ts'
import { faceDistance, openFaceDistances, openFaceNetwork } from './face-network.ts'

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

test('two descriptions are as far apart as two points', () => {
  expect(faceDistance(Float32Array.of(1, 2, 3), Float32Array.of(1, 2, 3))).toBe(0)
  expect(faceDistance(Float32Array.of(1, -2, 0), Float32Array.of(4, 2, 0))).toBe(5)
})

/** face-api's own way from a crop to its description, on TensorFlow.js without WebAssembly. */
interface FaceApi {
  tf: {
    setBackend(name: 'cpu'): Promise<boolean>
    tensor3d(values: Uint8Array, shape: readonly number[], type: 'int32'): object
  }
  nets: { faceRecognitionNet: { loadFromDisk(folder: string): Promise<void> } }
  computeFaceDescriptor(crop: object): Promise<Float32Array>
}

const face = {
  require: createRequire(new URL('../../../face-network/package.json', import.meta.url)),
  side: 150,
  /** Three different pictures of the size of a crop. */
  crops: [3, 5, 11].map((step) =>
    Uint8Array.from({ length: 150 * 150 * 3 }, (_, n) => (n * step + (n >> 7) * 31) % 256),
  ),
}

async function describeByFaceApi(crops: readonly Uint8Array[]): Promise<Float32Array[]> {
  const faceApi = face.require('@vladmandic/face-api/dist/face-api.node-wasm.js') as FaceApi
  await faceApi.tf.setBackend('cpu')
  const { faceRecognitionNet } = faceApi.nets
  await faceRecognitionNet.loadFromDisk(fileURLToPath(new URL('face-api/model', packages)))
  const described: Float32Array[] = []
  for (const crop of crops) {
    const picture = faceApi.tf.tensor3d(crop, [face.side, face.side, 3], 'int32')
    described.push(await faceApi.computeFaceDescriptor(picture))
  }
  return described
}

const tensorFlow = new URL('../../../../node_modules/@tensorflow/tfjs/', import.meta.url)

describe.skipIf(!existsSync(packages) || !existsSync(tensorFlow))('a description', () => {
  let expected: Float32Array[]
  beforeAll(async () => {
    expected = await describeByFaceApi(face.crops)
  })

  test('is the one that face-api gives, of each crop in its order', async () => {
    const described = await (await openFaceNetwork())(Buffer.concat(face.crops))
    expect(described.map(({ length }) => length)).toEqual([128, 128, 128])
    for (const [index, one] of described.entries()) {
      expect(faceDistance(one, expected[index]!), `${index + 1}`).toBeLessThan(1e-4)
    }
  })

  test('is no part of the answer, which is how far each is from each', async () => {
    const distances = await (await openFaceDistances())(Buffer.concat(face.crops))
    expect(distances.map((row) => row.map((far) => far.toFixed(3)))).toEqual(
      expected.map((one) => expected.map((other) => faceDistance(one, other).toFixed(3))),
    )
    expect(distances[0]![1]).toBeGreaterThan(0.01)
  })

  test('is made of whole crops alone', async () => {
    const describeFaces = await openFaceNetwork()
    const [crop] = face.crops
    for (const bytes of [new Uint8Array(0), crop!.subarray(1), Buffer.concat([crop!, crop!], 9)]) {
      await expect(describeFaces(bytes)).rejects.toThrow('these are no crops of faces')
    }
  })
})
