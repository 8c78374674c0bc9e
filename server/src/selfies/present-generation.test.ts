import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { presentGeneration } from './present-generation.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const present = async ({ generationId, userId }: { generationId: string; userId: string }) => {
  const row = await app.context.findOwnGeneration({ generationId, userId })
  if (row === undefined) throw new Error('there is no such selfie')
  const images = { ...app.context.images, expectedMs: () => 4_200 }
  return presentGeneration({ ...app.context, images }, row)
}

test('a selfie that is being made has a stage and a time that it takes, and no picture', async () => {
  const running = await makeGeneration(app.context.database, {
    row: { stage: 'blend', stage_percent: 40 },
  })
  expect(await present(running)).toMatchObject({
    state: 'running',
    stage: 'blend',
    stagePercent: 40,
    expectedMs: 4_200,
    imageUrl: null,
    downloadUrl: null,
    thumbnailUrl: null,
    finishedAt: null,
    error: null,
    watermarked: true,
  })
})

test('a finished one has its addresses, and nothing of how long it takes', async () => {
  const done = await makeDoneGeneration(app.context.database)
  const shown = await present(done)
  expect(shown).toMatchObject({
    state: 'done',
    expectedMs: null,
    celebrities: ['Elena Vassandri'],
    imageUrl: expect.stringContaining('/picture.jpg?'),
    downloadUrl: expect.stringContaining('/picture.png?'),
    thumbnailUrl: expect.stringContaining('/thumbnail.jpg?'),
    shareUrl: null,
    watermarked: true,
  })
  expect(shown).not.toHaveProperty('stagePercent')
})

test('a failed one says why, by its code and in a sentence', async () => {
  const failed = await makeGeneration(app.context.database, {
    row: { state: 'failed', error_code: 'face_missing', finished_at: new Date() },
  })
  const shown = await present(failed)
  expect(shown).toMatchObject({ state: 'failed', code: 'face_missing', imageUrl: null })
  expect(shown.error?.length).toBeGreaterThan(10)
})
