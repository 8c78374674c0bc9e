import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerateRequest } from '../image-provider.ts'
import { openMattingNetwork } from '../models/matting/matting-network.ts'
import type { MattingNetwork } from '../models/matting/matting-network.ts'
import { normalisePhoto } from '../photo/normalise.ts'
import { createCompositor } from './compositor.ts'

/*
 * Whole pictures with an operator's matting network that answers for the first photo and fails with the
 * second. Its process is the real one but for the runtime, whose answers are written here. The first
 * answer sees nobody, which contradicts the built-in network and therefore changes nothing.
 */

let folder: string
let request: GenerateRequest
let expected: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-matting-'))
  const photoOf = async (name: string) =>
    await normalisePhoto(await readFile(new URL(`../../fixtures/${name}`, import.meta.url)))
  const [userPhoto, star] = [await photoOf('user-1.jpg'), await photoOf('user-2.jpg')]
  request = { userPhoto, stars: [{ photo: star }], aspect: '4:5', resolution: 'standard' }
  expected = await make(undefined)
}, 120_000)
afterAll(() => rm(folder, { recursive: true }))

async function make(matting: MattingNetwork | undefined): Promise<Uint8Array> {
  const compositor = await createCompositor({ threads: 1, matting })
  try {
    return (await compositor.generate(request)).pixels
  } finally {
    await compositor.close()
  }
}

/** @param second what the runtime answers for the second photo: values and their shape */
async function writeProcess(second: string): Promise<URL> {
  const file = join(folder, `${crypto.randomUUID()}.mjs`)
  const models = new URL('../models/', import.meta.url)
  await writeFile(
    file,
    `import { serveModel } from '${models.href}serve-model.ts'
     import { readMattingOutput } from '${models.href}matting/matting-output.ts'
     const plane = (value) => new Float32Array(64 * 64).fill(value)
     let photos = 0
     await serveModel(async () => async () => {
       const [values, shape] = photos++ === 0 ? [plane(0), [1, 1, 64, 64]] : await ${second}
       return readMattingOutput(values, shape, 'probability')
     })`,
  )
  return pathToFileURL(file)
}

test.each([
  ['answers NaN', '[plane(NaN), [1, 1, 64, 64]]', {}, /answers NaN/],
  ['answers in another shape', '[plane(0), [1, 2, 64, 32]]', {}, /shape \[1, 2, 64, 32\]/],
  ['never answers', 'new Promise(() => {})', { timeLimitMs: 3_000 }, /took too long/],
  ['dies', 'process.exit(7)', {}, /ended with 7/],
])(
  'a matting network that %s in the middle of a picture leaves it to the built-in one',
  async (_what, second, limits, words) => {
    const faults: (string | undefined)[] = []
    const matting = openMattingNetwork({
      file: 'none',
      onFault: (fault) => faults.push(fault),
      process: { processFile: await writeProcess(second), ...limits },
    })
    expect(Buffer.compare(await make(matting), expected)).toBe(0)
    expect(faults).toEqual([undefined, expect.stringMatching(words)])
  },
  120_000,
)
