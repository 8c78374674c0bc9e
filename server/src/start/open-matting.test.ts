import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { checkMatting } from '../doctor/check-machine.ts'
import type { Logger } from '../logging/logger.ts'
import { readFirstSteps } from '../operator/first-steps.ts'
import { mattingCheck, saveCheck } from '../operator/operator-checks.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { openMatting } from './open-matting.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  folder = await mkdtemp(join(tmpdir(), 'starside-matting-'))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Opens the settings' network; what was logged comes with it. */
async function open(mattingModel: string | undefined) {
  const warnings: string[] = []
  const { database, clock, log } = app.context
  const heard = { ...log, warn: (text: string) => warnings.push(text) } as unknown as Logger
  return { options: await openMatting({ mattingModel }, { database, clock, log: heard }), warnings }
}

const stepOf = async (mattingModel: string | undefined) => {
  const config = { ...app.context.config, mattingModel }
  const steps = await readFirstSteps({ ...app.context, config })
  return steps.find(({ name }) => name === 'Matting network')
}

test('without a matting network nothing is opened, logged or shown', async () => {
  expect(await open(undefined)).toEqual({ options: {}, warnings: [] })
  expect(await stepOf(undefined)).toBeUndefined()
  expect(await checkMatting(app.context.config)).toEqual([])
})

test('a matting network that can’t be used is left out, with one sentence for the operator', async () => {
  const file = join(folder, 'none.onnx')
  await writeFile(file, 'no network')
  const { options, warnings } = await open(file)
  expect(options).toEqual({})
  expect(warnings).toEqual([
    expect.stringMatching(/^Pictures are made without MATTING_MODEL: The card .* can't be read/),
  ])
  expect(await stepOf(file)).toMatchObject({
    state: 'amber',
    finding: expect.stringMatching(/Pictures are made without it: The card .*model check FILE/),
  })
  const config = readConfig({ NODE_ENV: 'test', MATTING_MODEL: file })
  expect(await checkMatting(config)).toEqual([
    expect.objectContaining({ level: 'warning', text: expect.stringContaining('The card') }),
  ])
})

test('a matting network that works again is green again', async () => {
  const { database, clock } = app.context
  const finding = 'models/a.onnx has a say in every matte.'
  await saveCheck(database, { name: mattingCheck, at: clock(), isGood: true, finding })
  expect(await stepOf('models/a.onnx')).toMatchObject({ state: 'green', finding })
})
