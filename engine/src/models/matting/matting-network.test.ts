import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NormalisedPhoto } from '../../image-provider.ts'
import { makeOnnx } from '../../testing/make-onnx.ts'
import type { OnnxNode } from '../../testing/make-onnx.ts'
import { cardFileOf, checkMattingModel } from './matting-card.ts'
import { makeMattingInput } from './matting-input.ts'
import { openMattingNetwork } from './matting-network.ts'
import { readMattingOutput } from './matting-output.ts'

const fixtures = new URL('../../../fixtures/', import.meta.url)
const onnxRuntime = new URL('../../../matting-network/node_modules/', import.meta.url)

/** The brightest channel, as the network's answer. */
const brightest: OnnxNode = {
  operation: 'ReduceMax',
  inputs: ['input'],
  outputs: ['output'],
  attributes: { axes: [1], keepdims: 1 },
}

const card = {
  name: 'a tiny network',
  input: {
    name: 'input',
    size: { width: 128, height: 96 },
    mean: [0.5, 0.5, 0.5],
    // Steep, so that it is decided about nearly every point.
    deviation: [0.005, 0.005, 0.005],
    channels: 'rgb',
  },
  output: { name: 'output', values: 'logit' },
  licence: 'CC0-1.0',
  source: 'this test',
} as const

let folder: string
let photo: NormalisedPhoto
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-matting-'))
  const bytes = await readFile(new URL('user-1.jpg', fixtures))
  photo = { bytes, mediaType: 'image/jpeg', widthPx: 768, heightPx: 1024, hasMatte: false }
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes a network with its card. */
async function write(nodes: readonly OnnxNode[], changes: object = {}): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.onnx`)
  const bytes = makeOnnx(nodes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeFile(file, bytes)
  await writeFile(cardFileOf(file), JSON.stringify({ ...card, sha256, ...changes }))
  return file
}

describe('a card', () => {
  test.each([
    [
      'without a checksum',
      { sha256: null },
      /has no sha256: if you trust .* write "sha256": "[\da-f]{64}"/,
    ],
    ['of other bytes', { sha256: '0'.repeat(64) }, /it is another file or damaged/],
    ['without an output', { output: undefined }, /output must be an object/],
    [
      'with a size of nothing',
      { input: { ...card.input, size: { width: 0, height: 9 } } },
      /size.width must be a number from 64/,
    ],
    ['with two means', { input: { ...card.input, mean: [0, 0] } }, /mean must be three numbers/],
    [
      'with other channels',
      { input: { ...card.input, channels: 'cmyk' } },
      /channels must be rgb or bgr/,
    ],
  ])('%s is refused with a sentence', async (_what, changes, words) => {
    await expect(checkMattingModel(await write([brightest], changes))).rejects.toThrow(words)
  })

  test('that is missing is named', async () => {
    const file = join(folder, 'none.onnx')
    await expect(checkMattingModel(file)).rejects.toThrow(
      /The card .*none\.card\.json can't be read/,
    )
  })

  test.each(['modnet', 'birefnet-lite', 'pp-mattingv2'])(
    'of %s that comes along waits for its checksum alone',
    async (name) => {
      const file = join(folder, `${name}.onnx`)
      await writeFile(file, 'bytes')
      const cards = new URL('../../../matting-network/cards/', import.meta.url)
      await writeFile(cardFileOf(file), await readFile(new URL(`${name}.card.json`, cards)))
      await expect(checkMattingModel(file)).rejects.toThrow(/has no sha256/)
    },
  )
})

describe('the input', () => {
  test('keeps the photo’s proportions where the card gives a short side', async () => {
    const size = { shortSide: 128, multipleOf: 32 }
    const input = await makeMattingInput(photo.bytes, { ...card.input, size })
    expect([input.width, input.height]).toEqual([128, 160])
    expect(input.values).toHaveLength(3 * 128 * 160)
  })

  test('has its channels in the card’s order', async () => {
    const rgb = await makeMattingInput(photo.bytes, card.input)
    const bgr = await makeMattingInput(photo.bytes, { ...card.input, channels: 'bgr' })
    const plane = 128 * 96
    expect(bgr.values.subarray(0, plane)).toEqual(rgb.values.subarray(2 * plane))
  })
})

describe('the output', () => {
  const plane = (value: number) => new Float32Array(64 * 64).fill(value)
  test.each([
    ['NaN', plane(NaN), [1, 1, 64, 64], /answers NaN/],
    ['beyond 0 to 1', plane(7), [1, 1, 64, 64], /answers 7 at a point/],
    ['undecided', plane(0.5), [1, 1, 64, 64], /undecided about most/],
    ['of three planes', new Float32Array(3 * 64 * 64), [1, 3, 64, 64], /shape \[1, 3, 64, 64\]/],
    ['of too few values', plane(1), [1, 1, 64, 65], /shape/],
    ['of one point', new Float32Array(1), [1, 1, 1, 1], /shape/],
  ])('that is %s is refused', (_what, values, dims, words) => {
    expect(() => readMattingOutput(values, dims, 'probability')).toThrow(words)
  })
})

describe('the network’s process', () => {
  /** A stand-in for the network: what it does with a photo is written here. */
  async function open(onPhoto: string, limits: object = {}) {
    const file = join(folder, `${crypto.randomUUID()}.mjs`)
    await writeFile(
      file,
      `process.on('message', ({ id }) => { ${onPhoto} })
       process.on('disconnect', () => process.exit(0))
       process.send({ type: 'ready' })`,
    )
    const faults: (string | undefined)[] = []
    let nowMs = 0
    const network = openMattingNetwork({
      file: 'none',
      onFault: (fault) => faults.push(fault),
      pauseMs: 1000,
      now: () => nowMs,
      process: { processFile: pathToFileURL(file), ...limits },
    })
    return { network, faults, wait: (ms: number) => (nowMs += ms) }
  }

  test.each([
    ['never answers', '', { timeLimitMs: 300 }, /took too long/],
    ['dies', 'process.exit(7)', {}, /ended with 7/],
    ['eats memory', 'process.send({ type: "memory", residentBytes: 1e12 })', {}, /too much memory/],
    ['fails', 'process.send({ type: "failure", id, message: "odd" })', {}, /failed: odd/],
  ])('that %s is reported once and not asked for a while', async (_what, act, limits, words) => {
    const { network, faults, wait } = await open(act, limits)
    expect(await network.matte(photo)).toBeUndefined()
    expect(await network.matte(photo)).toBeUndefined()
    expect(faults).toEqual([expect.stringMatching(words)])
    wait(2000)
    expect(await network.matte(photo)).toBeUndefined()
    expect(faults).toHaveLength(1)
    network.close()
  })

  test('that works again is heard and reported', async () => {
    const matte = '{ data: new Uint8Array(1), width: 1, height: 1 }'
    const { network, faults, wait } = await open(
      `globalThis.asked = (globalThis.asked ?? 0) + 1
       process.send(globalThis.asked === 1 ? { type: 'failure', id, message: 'odd' } : { type: 'answer', id, answer: ${matte} })`,
    )
    await network.matte(photo)
    wait(2000)
    expect(await network.matte(photo)).toMatchObject({ width: 1 })
    expect(faults).toEqual([expect.stringMatching('odd'), undefined])
    network.close()
  })

  test('is not asked about a photo that has a matte', async () => {
    const { network, faults } = await open('process.exit(7)')
    expect(await network.matte({ ...photo, hasMatte: true })).toBeUndefined()
    expect(faults).toEqual([])
    network.close()
  })
})

/* The runtime itself, where it is installed; the networks are made here. */
describe.skipIf(!existsSync(onnxRuntime))('onnxruntime-node', () => {
  async function ask(nodes: readonly OnnxNode[], changes: object = {}) {
    const faults: (string | undefined)[] = []
    const file = await write(nodes, changes)
    const network = openMattingNetwork({ file, onFault: (fault) => faults.push(fault) })
    const matte = await network.matte(photo)
    network.close()
    return { matte, faults }
  }

  test('gives a network’s matte', async () => {
    const { matte, faults } = await ask([brightest])
    expect(matte).toMatchObject({ width: 128, height: 96 })
    expect(new Set(matte?.data)).toContain(255)
    expect(faults).toEqual([undefined])
  }, 60_000)

  const squareRoot: OnnxNode = { operation: 'Sqrt', inputs: ['input'], outputs: ['roots'] }
  const identity: OnnxNode = { operation: 'Identity', inputs: ['input'], outputs: ['output'] }
  test.each([
    ['answers NaN', [squareRoot, { ...brightest, inputs: ['roots'] }], {}, /answers NaN/],
    ['answers in another shape', [identity], {}, /shape \[1, 3, 96, 128\]/],
    [
      'has other names',
      [brightest],
      { output: { name: '?', values: 'logit' } },
      /the outputs output/,
    ],
    ['is no network', [{ ...brightest, operation: 'Nothing' }], {}, /Nothing/],
  ])(
    'says why a network is not used that %s',
    async (_what, nodes, changes, words) => {
      const { matte, faults } = await ask(nodes, changes)
      expect(matte).toBeUndefined()
      expect(faults).toEqual([expect.stringMatching(words)])
    },
    60_000,
  )
})
