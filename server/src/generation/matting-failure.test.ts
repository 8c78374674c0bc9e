import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOnnx } from '@starside/engine/testing/make-onnx.ts'
import type { OnnxNode } from '@starside/engine/testing/make-onnx.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFirstSteps } from '../operator/first-steps.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'

/* Whole selfies with the real engine and the real runtime of MATTING_MODEL, where it is installed. */

const onnxRuntime = new URL('../../../engine/matting-network/node_modules/', import.meta.url)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-matting-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes a network whose card and bytes are good, so that its fault shows with the first photo only. */
async function writeNetwork(nodes: readonly OnnxNode[]): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.onnx`)
  const bytes = makeOnnx(nodes)
  const [width, height] = [128, 128]
  const card = {
    name: 'faulty',
    input: {
      name: 'input',
      size: { width, height },
      mean: [0.5, 0.5, 0.5],
      deviation: [0.5, 0.5, 0.5],
      channels: 'rgb',
    },
    output: { name: 'output', values: 'probability' },
    licence: 'CC0-1.0',
    source: 'this test',
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  await writeFile(file, bytes)
  await writeFile(file.replace('.onnx', '.card.json'), JSON.stringify(card))
  return file
}

// Of what is darker than grey, the square root is no number.
const squareRoot: OnnxNode = { operation: 'Sqrt', inputs: ['input'], outputs: ['roots'] }
const plane: OnnxNode = {
  operation: 'ReduceMin',
  inputs: ['roots'],
  outputs: ['output'],
  attributes: { axes: [1], keepdims: 1 },
}
const identity: OnnxNode = { operation: 'Identity', inputs: ['input'], outputs: ['output'] }

describe.skipIf(!existsSync(onnxRuntime))('a selfie with a matting network', () => {
  test.each([
    ['that answers NaN', [squareRoot, plane], /answers NaN/],
    ['that answers in another shape', [identity], /shape \[1, 3, 128, 128\]/],
  ])(
    '%s is made for one credit, and the operator is warned',
    async (_what, nodes, words) => {
      const settings = { MATTING_MODEL: await writeNetwork(nodes) }
      await using app = await openTestApp({ realEngine: true, settings })
      const matting = async () =>
        (await readFirstSteps(app.context)).find(({ name }) => name === 'Matting network')
      expect(await matting()).toMatchObject({ state: 'green' })
      const { token } = await app.register()
      const form = await generateForm({ userPhoto: await readPersonPhoto() })
      const made = await app.call('/api/ai?action=generate', { token, form })
      expect(made).toMatchObject({ status: 200, body: { success: true } })
      const { user } = (await app.call('/api/user?action=profile', { token })).body
      expect(user.creditsBalance).toBe(0)
      await expect
        .poll(matting, { timeout: 10_000 })
        .toMatchObject({ state: 'amber', finding: expect.stringMatching(words) })
    },
    120_000,
  )
})
