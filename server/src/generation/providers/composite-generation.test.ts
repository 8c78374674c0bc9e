import { readFile } from 'node:fs/promises'
import type { DirectBehaviour } from '../../testing/vendors/direct-server.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../../credits/audit.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import { compositePrompt } from '../vendors/prompt/template.ts'
import { listKeys } from '../../testing/list-keys.ts'

const model = 'openai:gpt-image-2'

describe('a model that is given our composite', () => {
  let hosted: HostedApp
  beforeAll(async () => {
    hosted = await openHostedApp({
      chain: `compositor+${model},compositor`,
      settings: { IMAGE_CIRCUIT_FAILURES: '1000' },
    })
  })
  afterAll(() => hosted[Symbol.asyncDispose]())
  afterEach(async () => {
    expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
  })

  const list = (prefix: string) => listKeys(hosted.app.context.store, prefix)

  async function makeOne(...behaviours: DirectBehaviour[]) {
    const { token } = await hosted.signIn()
    const calls = hosted.direct.openai.calls().length
    hosted.direct.openai.next(...behaviours)
    const { status, body } = await hosted.generate(token)
    const prefix = `inputs/${body.generation?.generationId}`
    // Deleted after the answer.
    await expect.poll(() => list(prefix)).toEqual([])
    return {
      outcome: [status, body.code, await hosted.balance(token)],
      provider: await hosted.app.context.database
        .selectFrom('generations')
        .select(['provider', 'model'])
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow(),
      attempt: await hosted.lastAttempt(),
      calls: hosted.direct.openai.calls().slice(calls),
    }
  }

  test('gets it alone, and nothing of it is left', async () => {
    const { engine } = hosted.app
    const composites = engine.composites
    const { outcome, attempt, calls } = await makeOne()
    expect(outcome).toEqual([200, undefined, 0])
    expect(calls).toMatchObject([
      { fields: { prompt: compositePrompt, n: '1' }, files: [{ field: 'image[]' }] },
    ])
    expect(engine.composites).toBe(composites + 1)
    expect(attempt).toMatchObject({
      provider: 'openai',
      model: 'gpt-image-2',
      state: 'succeeded',
      with_composite: true,
      composite_key: null,
    })
  })

  test('that is busy gets the same one again', async () => {
    const { engine } = hosted.app
    const composites = engine.composites
    const { outcome, attempt } = await makeOne('busy', 'picture')
    expect([outcome[0], attempt.busy_count]).toEqual([200, 1])
    expect(engine.composites).toBe(composites + 1)
  })

  test.for<[string, () => DirectBehaviour]>([
    [
      'whose picture has the people elsewhere',
      () => {
        hosted.app.engine.nextFault = 'faces_moved'
        return 'picture'
      },
    ],
    ['that fails', () => 'down'],
  ])('%s leaves the selfie to the next of the chain', async ([, prepare]) => {
    const { outcome, provider, attempt } = await makeOne(prepare())
    expect(outcome).toEqual([200, undefined, 0])
    expect(provider.provider).toBe('scripted')
    expect(attempt).toMatchObject({ state: 'failed', composite_key: null, output_key: null })
  })

  test('isn’t asked where no composite can be made', async () => {
    hosted.app.engine.nextRefusal = 'people_too_far_apart'
    const { outcome, provider, attempt, calls } = await makeOne()
    expect(outcome).toEqual([200, undefined, 0])
    expect([provider.provider, calls]).toEqual(['scripted', []])
    expect(attempt).toMatchObject({ error_kind: 'bad_input', cost_micro_usd: '0' })
  })
})

test('real people’s faces come back into a picture that a model has redrawn', async () => {
  await using real = await openHostedApp({ chain: `compositor+${model}`, realEngine: true })
  const { token } = await real.signIn()
  const userPhoto = await readFile(new URL('../../../people/face-1/picture.jpg', import.meta.url))
  const form = { userPhoto, presetId: 'mina-asakuri', scene: 'cafe' } as const
  real.direct.openai.next('redrawn')
  const made = await real.generate(token, { form })
  expect([made.status, made.body.code]).toEqual([200, undefined])
  expect((await real.lastAttempt()).state).toBe('succeeded')
})
