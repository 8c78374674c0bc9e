import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { faceCropSidePx } from '@starside/engine/compositor/faces/crop-face.ts'
import { openTensorFlow } from '@starside/engine/models/open-tensorflow.ts'
import blocks from './face-network-blocks.json' with { type: 'json' }
import type { FaceDistances } from './face-comparison.ts'

/** The little of TensorFlow.js 4.22 that is used; its packages come by an installation apart. */
type Tensor = { readonly shape: number[]; data(): Promise<Float32Array> }
type Padding = 'same' | 'valid'
interface TensorFlowCore {
  tidy(make: () => Tensor): Tensor
  dispose(tensor: Tensor): void
  tensor4d(values: Float32Array, shape: readonly number[]): Tensor
  conv2d(x: Tensor, filters: Tensor, strides: number, padding: Padding): Tensor
  maxPool(x: Tensor, size: number, strides: number, padding: Padding): Tensor
  avgPool(x: Tensor, size: number, strides: number, padding: Padding): Tensor
  add(one: Tensor, other: Tensor): Tensor
  mul(one: Tensor, other: Tensor): Tensor
  relu(x: Tensor): Tensor
  pad(x: Tensor, paddings: readonly (readonly [number, number])[]): Tensor
  mean(x: Tensor, axes: readonly number[]): Tensor
  matMul(one: Tensor, other: Tensor): Tensor
  io: { decodeWeights(bytes: ArrayBuffer, weights: readonly object[]): Record<string, Tensor> }
}

const packages = createRequire(new URL('../../../face-network/package.json', import.meta.url))
/** Mean red, green and blue of the photos that the network was trained on. */
const meanRgb = [122.782, 117.001, 104.298] as const
const channels = 3
const bytesOfFace = faceCropSidePx ** 2 * channels

/** Describes faces by 128 numbers each, which are close for photos of one person. */
export type DescribeFaces = (crops: Uint8Array) => Promise<Float32Array[]>

/**
 * Opens dlib's face recognition network (ResNet of 29 layers, CC0 1.0) as face-api (MIT) carries
 * it, on TensorFlow.js's WebAssembly backend, for crops of `cropFace` one after the other. Nothing
 * is fetched. Source: http://blog.dlib.net/2017/02/high-quality-face-recognition-with-deep.html
 */
export async function openFaceNetwork(): Promise<DescribeFaces> {
  const tensorflow = await openTensorFlow<TensorFlowCore>(packages)
  const describe = createLayers(tensorflow, await readWeights(tensorflow))
  return async (crops) => {
    const count = crops.length / bytesOfFace
    if (!Number.isInteger(count) || count === 0) throw new Error('these are no crops of faces')
    const faces = Array.from({ length: count }, (_, n) =>
      describe(normalise(crops.subarray(n * bytesOfFace, (n + 1) * bytesOfFace))),
    )
    return await Promise.all(
      faces.map(async (face) => {
        const description = await face.data()
        tensorflow.dispose(face)
        return description
      }),
    )
  }
}

function normalise(crop: Uint8Array): Float32Array {
  return Float32Array.from(crop, (level, n) => (level - meanRgb[n % channels]!) / 255)
}

async function readWeights(tensorflow: TensorFlowCore): Promise<Record<string, Tensor>> {
  const folder = path.resolve(path.dirname(packages.resolve('@vladmandic/face-api')), '../model')
  const manifest = JSON.parse(
    await readFile(path.join(folder, 'face_recognition_model-weights_manifest.json'), 'utf8'),
  ) as [{ weights: object[] }]
  const bytes = await readFile(path.join(folder, 'face_recognition_model.bin'))
  // Copied, since a Buffer may begin anywhere in a larger ArrayBuffer.
  return tensorflow.io.decodeWeights(Uint8Array.from(bytes).buffer, manifest[0].weights)
}

/** The network's layers, each named as in the file of weights. */
function createLayers(
  tensorflow: TensorFlowCore,
  weights: Record<string, Tensor>,
): (face: Float32Array) => Tensor {
  const weight = (name: string): Tensor => {
    const found = weights[name]
    if (found === undefined) throw new Error(`the network lacks ${name}`)
    return found
  }
  const convolve = (x: Tensor, name: string, strides: number, padding: Padding): Tensor => {
    const filtered = tensorflow.conv2d(x, weight(`${name}/conv/filters`), strides, padding)
    const shifted = tensorflow.add(filtered, weight(`${name}/conv/bias`))
    const scaled = tensorflow.mul(shifted, weight(`${name}/scale/weights`))
    return tensorflow.add(scaled, weight(`${name}/scale/biases`))
  }
  const residual = (x: Tensor, name: string): Tensor => {
    const first = tensorflow.relu(convolve(x, `${name}/conv1`, 1, 'same'))
    return tensorflow.relu(tensorflow.add(convolve(first, `${name}/conv2`, 1, 'same'), x))
  }
  /** Halves the sides; what the shorter way lacks in rows, columns or channels is zero. */
  const residualDown = (x: Tensor, name: string): Tensor => {
    const first = tensorflow.relu(convolve(x, `${name}/conv1`, 2, 'valid'))
    const long = convolve(first, `${name}/conv2`, 1, 'same')
    const short = tensorflow.avgPool(x, 2, 2, 'valid')
    const shape = long.shape.map((length, axis) => Math.max(length, short.shape[axis]!))
    const fill = (part: Tensor): Tensor =>
      tensorflow.pad(
        part,
        shape.map((length, axis) => [0, length - part.shape[axis]!] as const),
      )
    return tensorflow.relu(tensorflow.add(fill(long), fill(short)))
  }
  return (face) =>
    tensorflow.tidy(() => {
      let x = tensorflow.tensor4d(face, [1, faceCropSidePx, faceCropSidePx, channels])
      x = tensorflow.relu(convolve(x, 'conv32_down', 2, 'valid'))
      x = tensorflow.maxPool(x, 3, 2, 'valid')
      for (const name of blocks) x = (name.includes('down') ? residualDown : residual)(x, name)
      return tensorflow.matMul(tensorflow.mean(x, [1, 2]), weight('fc'))
    })
}

/** How far two descriptions are apart: 0 for the same photo, 0.6 where strangers begin. */
export function faceDistance(one: Float32Array, other: Float32Array): number {
  return Math.sqrt(one.reduce((sum, value, n) => sum + (value - other[n]!) ** 2, 0))
}

/** Opens the network to tell how far faces are from each other; what describes them is not kept. */
export async function openFaceDistances(): Promise<(crops: Uint8Array) => Promise<FaceDistances>> {
  const describe = await openFaceNetwork()
  return async (crops) => {
    const faces = await describe(crops)
    return faces.map((one) => faces.map((other) => faceDistance(one, other)))
  }
}
