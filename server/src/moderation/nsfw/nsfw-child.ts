/** The process of `openNsfwClassifier`: MobileNet v2 (mid) on TensorFlow.js's WebAssembly. */
import { createRequire } from 'node:module'
import path from 'node:path'
import sharp from 'sharp'
import { openTensorFlow } from '@starside/engine/models/open-tensorflow.ts'
import { serveModel } from '@starside/engine/models/serve-model.ts'
import { nsfwClasses } from './nsfw-scores.ts'
import type { NsfwScores } from './nsfw-scores.ts'

/** The little of TensorFlow.js 4.22 that is used; its packages come by an installation apart. */
type Tensor = { data(): Promise<Float32Array>; dispose(): void }
type TensorFlowCore = { tensor4d(values: Float32Array, shape: readonly number[]): Tensor }
type GraphModel = { predict(input: Tensor): Tensor }
interface TensorFlowConverter {
  loadGraphModel(handler: { load(): Promise<object> }): Promise<GraphModel>
}
interface ModelJson {
  modelTopology: object
  format: string
  signature: object
  weightsManifest: { weights: object[] }[]
}

const packages = createRequire(new URL('../../../nsfw-classifier/package.json', import.meta.url))
const sidePx = 224
const channels = 3

await serveModel(async () => {
  const tensorflow = await openTensorFlow<TensorFlowCore>(packages)
  const model = await openModel()
  return (picture) => classify(tensorflow, model, picture)
})

async function openModel(): Promise<GraphModel> {
  const { loadGraphModel } = packages('@tensorflow/tfjs-converter') as TensorFlowConverter
  return loadGraphModel({ load: async () => readModel() })
}

/** The model as nsfwjs carries it: JSON and base64 in modules. */
function readModel(): object {
  const folder = path.resolve(
    path.dirname(packages.resolve('nsfwjs')),
    '../models/mobilenet_v2_mid',
  )
  const json = packages(path.join(folder, 'model.min.js')) as ModelJson
  const shards = [1, 2].map((shard) =>
    Buffer.from(packages(path.join(folder, `group1-shard${shard}of2.min.js`)) as string, 'base64'),
  )
  return {
    modelTopology: json.modelTopology,
    format: json.format,
    signature: json.signature,
    weightSpecs: json.weightsManifest.flatMap(({ weights }) => weights),
    // Copied, since a Buffer may begin anywhere in a larger ArrayBuffer.
    weightData: Uint8Array.from(Buffer.concat(shards)).buffer,
  }
}

async function classify(
  tensorflow: TensorFlowCore,
  model: GraphModel,
  picture: Uint8Array,
): Promise<NsfwScores> {
  const pixels = await sharp(picture)
    .resize(sidePx, sidePx, { fit: 'fill' })
    .flatten()
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const values = Float32Array.from(pixels, (level) => level / 255)
  const input = tensorflow.tensor4d(values, [1, sidePx, sidePx, channels])
  const output = model.predict(input)
  try {
    const scores = await output.data()
    const entries = nsfwClasses.map((name, i) => [name, scores[i] ?? 0] as const)
    return Object.fromEntries(entries) as NsfwScores
  } finally {
    input.dispose()
    output.dispose()
  }
}
