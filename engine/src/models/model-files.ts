import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A model inside an installed package: a whole file, or a byte range of a packed one. */
export interface ModelFile {
  /** Path as `require.resolve` takes it. */
  path: string
  /** First byte and the byte after the last; absent where the whole file is the model. */
  range?: readonly [start: number, end: number]
  sha256: string
}

/**
 * The networks of the compositor. All are Google's MediaPipe models under Apache-2.0, taken from
 * the npm packages of the same names. The packages are frozen, so the bytes are pinned here: a
 * model that isn't byte for byte the measured one is refused at load.
 * The range of the face mesh is the one in the package's own `packed_assets_loader.js`.
 */
export const modelFiles = {
  /** BlazeFace, full range: 192×192 RGB in 0…1, 2304 anchors, box and 6 keypoints. */
  faceDetector: {
    path: '@mediapipe/face_detection/face_detection_full_range.tflite',
    sha256: '99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3',
  },
  /** Face mesh: 192×192 RGB in 0…1, 468 points and one logit of presence. */
  faceMesh: {
    path: '@mediapipe/face_mesh/face_mesh_solution_packed_assets.data',
    range: [2_495_952, 3_737_848],
    sha256: 'c603fa6149219a3e9487dc9abd7a0c24474c77263273d24868378cdf40aa26d1',
  },
  /** Selfie segmentation, general: 256×256 RGB in 0…1, one plane of person probability. */
  personSegmenter: {
    path: '@mediapipe/selfie_segmentation/selfie_segmentation.tflite',
    sha256: '8d13b7fae74af625c641226813616a2117bd6bca19eb3b75574621fc08557f27',
  },
} as const satisfies Record<string, ModelFile>

/** Reads a model; throws an Error with the file's name unless it is the pinned bytes (SHA-256). */
export async function readModelFile(model: ModelFile): Promise<Uint8Array> {
  const resolve = createRequire(import.meta.url).resolve
  let bytes: Uint8Array
  try {
    const file = await open(resolve(model.path))
    try {
      const [start, end] = model.range ?? [0, (await file.stat()).size]
      bytes = new Uint8Array(end - start)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      bytes = bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new Error(`The model ${model.path} can't be read; run npm ci again`, { cause })
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== model.sha256) {
    throw new Error(
      `The model ${model.path} has SHA-256 ${sha256} instead of ${model.sha256}: ` +
        'the installed package is not the pinned version or is damaged; run npm ci again',
    )
  }
  return bytes
}
