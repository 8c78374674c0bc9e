import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RgbImage } from '@starside/engine/image/raster.ts'

/** Tells how alike two faces are. */
export interface IdentityMeter {
  /** Embeddings of all faces in a picture with the middles and the areas of their boxes, 0…1. */
  faces(image: RgbImage): Promise<{ x: number; y: number; size: number; embedding: number[] }[]>
}

interface HumanFace {
  boxRaw: [number, number, number, number]
  embedding?: number[]
}

interface HumanInstance {
  load(): Promise<void>
  detect(input: unknown): Promise<{ face: HumanFace[] }>
  tf: {
    setBackend(name: string): Promise<boolean>
    ready(): Promise<void>
    tensor(values: Uint8Array, shape: number[], dtype: string): { dispose(): void }
  }
}

/**
 * Opens @vladmandic/human's face embedding (faceres), which the engine itself never uses, so it is
 * an independent judge. Its models are read from its own package.
 */
export async function openIdentityMeter(): Promise<IdentityMeter> {
  const require = createRequire(import.meta.url)
  const folder = dirname(dirname(require.resolve('@vladmandic/human')))
  const wasmFolder = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))
  serveFilesToFetch()
  const wasm = require('@tensorflow/tfjs-backend-wasm') as { setWasmPaths(path: string): void }
  wasm.setWasmPaths(`${join(wasmFolder, 'dist')}/`)
  const { Human } = require(join(folder, 'dist/human.node-wasm.js')) as {
    Human: new (config: object) => HumanInstance
  }
  const human = new Human({
    backend: 'wasm',
    wasmPath: `${join(wasmFolder, 'dist')}/`,
    modelBasePath: `${pathToFileURL(join(folder, 'models')).href}/`,
    debug: false,
    async: false,
    // Else a picture that is nearly the last one gets the last one's answer.
    cacheSensitivity: 0,
    face: {
      enabled: true,
      detector: {
        rotation: true,
        maxDetected: 12,
        minConfidence: 0.2,
        return: false,
        skipFrames: 0,
        skipTime: 0,
      },
      mesh: { enabled: true },
      iris: { enabled: false },
      emotion: { enabled: false },
      description: { enabled: true, skipFrames: 0, skipTime: 0 },
    },
    body: { enabled: false },
    hand: { enabled: false },
    object: { enabled: false },
    gesture: { enabled: false },
    filter: { enabled: false },
  })
  await human.load()
  return {
    async faces({ data, width, height }) {
      const tensor = human.tf.tensor(data, [1, height, width, 3], 'float32')
      try {
        const { face } = await human.detect(tensor)
        return face.flatMap(({ boxRaw: [x, y, w, h], embedding }) =>
          embedding ? [{ x: x + w / 2, y: y + h / 2, size: w * h, embedding }] : [],
        )
      } finally {
        tensor.dispose()
      }
    },
  }
}

export function cosine(one: readonly number[], other: readonly number[]): number {
  let dot = 0
  let ones = 0
  let others = 0
  for (let i = 0; i < one.length; i++) {
    dot += one[i]! * other[i]!
    ones += one[i]! ** 2
    others += other[i]! ** 2
  }
  return dot / Math.sqrt(ones * others)
}

/** Human loads its models by fetch, which Node doesn't allow for files. */
function serveFilesToFetch(): void {
  const realFetch = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith('file:')) return realFetch(input, init)
    const bytes = await readFile(fileURLToPath(url))
    const type = url.endsWith('.json') ? 'application/json' : 'application/octet-stream'
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
  }
}
