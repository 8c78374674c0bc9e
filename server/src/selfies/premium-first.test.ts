import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../ledger/credits/grant.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { markIdOf } from './selfie-marks.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ settings: { GENERATIONS_AT_ONCE: '1' } })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Begins the selfie of somebody new; answers the generation's id. */
async function begin(bought: number): Promise<string> {
  const { token, userId } = await app.register()
  if (bought > 0) {
    const reference = `order:test ${userId}`
    const purchase = { userId, amount: bought, reason: 'purchase', description: '' } as const
    await grantCredits(app.context.database, { ...purchase, reference, now: new Date() })
  }
  const { status, body } = await app.call('/api/ai?action=generate', {
    token,
    form: await generateForm(),
    headers: { prefer: 'respond-async' },
  })
  expect(status).toBe(202)
  return body.generation.generationId
}

test('who has bought credits is served before those who wait for free', async () => {
  const go = Promise.withResolvers<void>()
  const made: (string | undefined)[] = []
  const note = (isHeld: boolean) => async (input: { markId?: string | undefined }) => {
    made.push(input.markId)
    if (isHeld) await go.promise
    return makeTestSelfie()
  }
  app.engine.next = [note(true), note(false), note(false), note(false)]
  const running = await begin(0)
  await expect.poll(() => made.length).toBe(1)
  const free = [await begin(0), await begin(0)]
  const premium = await begin(100)
  go.resolve()
  await expect.poll(() => made.length).toBe(4)
  expect(made).toEqual([running, premium, ...free].map(markIdOf))
})
