import { existsSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOnnx } from '@starside/engine/testing/make-onnx.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { modelCommands } from './model-commands.ts'

const engine = new URL('../../../engine/', import.meta.url)
const onnxRuntime = new URL('matting-network/node_modules/', engine)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-model-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function check(...words: string[]) {
  const lines: string[] = []
  const command = modelCommands['model check']!
  if (command.needsDatabase !== false) throw new Error('it needs no database')
  const parts = {
    config: readConfig({ NODE_ENV: 'test' }),
    clock: () => new Date(),
    print: (line: string) => lines.push(line),
  }
  return { status: await command.run(parts, words), text: lines.join('\n') }
}

/** Writes a network that answers with the brightest channel. */
async function writeNetwork(sha256: string | undefined): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.onnx`)
  const bytes = makeOnnx([
    {
      operation: 'ReduceMax',
      inputs: ['input'],
      outputs: ['output'],
      attributes: { axes: [1], keepdims: 1 },
    },
  ])
  const card = {
    name: 'bright',
    input: {
      name: 'input',
      size: { width: 128, height: 128 },
      mean: [0.5, 0.5, 0.5],
      deviation: [0.005, 0.005, 0.005],
      channels: 'rgb',
    },
    output: { name: 'output', values: 'logit' },
    licence: 'CC0-1.0',
    source: 'this test',
    sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex'),
  }
  await writeFile(file, bytes)
  await writeFile(file.replace('.onnx', '.card.json'), JSON.stringify(card))
  return file
}

test('the check of a model asks for one file', async () => {
  expect(await check()).toEqual({ status: 2, text: 'Name one ONNX file.' })
})

test('the check of a model refuses bytes that its card does not know', async () => {
  const { status, text } = await check(await writeNetwork('0'.repeat(64)))
  expect(status).toBe(1)
  expect(text).toMatch(/another file or damaged\.$/)
})

test.skipIf(!existsSync(onnxRuntime))(
  'the check measures a network beside ours, and advises against one that knows nothing',
  async () => {
    const { status, text } = await check(await writeNetwork(undefined))
    expect(text).toMatch(/^bright, CC0-1\.0, from this test$/m)
    expect(
      text.match(/^(?:star|user)-\S+ +(?:0\.\d{4} \/ 0\.\d{4} +){3}\d+\.\d s$/gm),
    ).toHaveLength(4)
    expect(text).toMatch(/Its process took up to \d+ MiB/)
    expect(text).toMatch(/Leave it off: it is not heard/)
    expect(status).toBe(1)
  },
  120_000,
)
