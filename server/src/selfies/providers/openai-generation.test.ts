import type { DirectBehaviour } from '../../testing/vendors/direct-server.ts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'

let hosted: HostedApp
beforeAll(async () => {
  hosted = await openHostedApp({
    chain: 'openai:Qwen/Qwen-Image-Edit-2511',
    settings: {
      IMAGE_CIRCUIT_FAILURES: '1000',
      OPENAI_EXTRA_JSON: '{"num_inference_steps": 40, "true_cfg_scale": 4}',
    },
  })
})
afterAll(() => hosted[Symbol.asyncDispose]())
afterEach(async () => {
  expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
})

async function makeOne(...behaviours: DirectBehaviour[]) {
  return makeOneAt(hosted, ...behaviours)
}

async function makeOneAt(place: HostedApp, ...behaviours: DirectBehaviour[]) {
  const { token } = await place.signIn()
  place.direct.openai.next(...behaviours)
  const calls = place.direct.openai.calls().length
  const { status, body } = await place.generate(token, { form: { scene: 'studio' } })
  return {
    outcome: [status, body.code, await place.balance(token)],
    calls: place.direct.openai.calls().length - calls,
    attempt: await place.lastAttempt(),
  }
}

describe('a picture of an OpenAI-compatible server', () => {
  test('is asked for with image[], the prompt and the operator’s own fields', async () => {
    const made = await makeOne('picture')
    expect([made.outcome, made.calls]).toEqual([[200, undefined, 0], 1])
    const call = hosted.direct.openai.calls().at(-1)!
    expect(call.files.map(({ field, type }) => [field, type])).toEqual([
      ['image[]', 'image/jpeg'],
      ['image[]', 'image/jpeg'],
    ])
    expect(call.fields).toMatchObject({
      model: 'Qwen/Qwen-Image-Edit-2511',
      n: '1',
      size: '1024x1280',
      response_format: 'b64_json',
      num_inference_steps: '40',
      true_cfg_scale: '4',
      prompt: expect.stringContaining('photo studio'),
    })
  })

  test.for<[DirectBehaviour[]]>([[['picture_by_url']], [['busy', 'busy', 'picture']]])(
    'is made when the server says %j',
    async ([behaviours]) => {
      const made = await makeOne(...behaviours)
      expect(made.outcome).toEqual([200, undefined, 0])
      expect(made.attempt.busy_count).toBe(behaviours.length - 1)
    },
  )
})

test('a server that hangs or dribbles is given up in time, and the credit comes back', async () => {
  const timeoutSeconds = 173
  await using slow = await openHostedApp({
    chain: 'openai:gpt-image-2',
    settings: { IMAGE_TIMEOUT_SECONDS: String(timeoutSeconds) },
  })
  slow.app.stopTime()
  let limit = new AbortController()
  const { timeout } = AbortSignal
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== timeoutSeconds * 1_000) return timeout.call(AbortSignal, ms)
    limit = new AbortController()
    return limit.signal
  })
  onTestFinished(() => spy.mockRestore())
  const { openai } = slow.direct
  for (const [behaviour, isThere] of [
    ['hang', () => openai.calls().length],
    ['slow_body', openai.piecesSent],
  ] as const) {
    const making = makeOneAt(slow, behaviour)
    await expect.poll(isThere).toBeGreaterThan(0)
    limit.abort(new DOMException('It took too long', 'TimeoutError'))
    const { outcome, calls } = await making
    expect([outcome, calls]).toEqual([[504, 'provider_timeout', 1], 1])
  }
})
