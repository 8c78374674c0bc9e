import { generationReason, readGenerationReason } from '@starside/contract/limits.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { captureHold, expireHolds } from './close-hold.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  token = (await app.register()).token
})

const consume = (json: object, key: string = crypto.randomUUID()) =>
  app.call('/api/user?action=consume-credits', { token, json, headers: { 'idempotency-key': key } })

test.each([0, -1, 101, 1.5, '1', null, true, 1e300, [1]])(
  'an amount of %j is refused with what is accepted',
  async (amount) => {
    const answer = await consume({ amount })
    expect([answer.status, answer.body.code]).toEqual([400, 'amount_invalid'])
    expect(answer.body.error).toContain('from 1 to 100')
  },
)

test('a hundred is accepted as an amount', async () => {
  expect((await consume({ amount: 100 })).body.code).toBe('insufficient_credits')
})

test('a repetition after the credits went back says so instead of naming a hold of nothing', async () => {
  const key = crypto.randomUUID()
  const first = await consume({}, key)
  expect(first.status).toBe(200)
  await expireHolds(app.context.database, { now: new Date(Date.now() + 3_600_000), limit: 10 })
  const expired = await consume({}, key)
  expect([expired.status, expired.body.code]).toEqual([409, 'hold_returned'])

  const other = crypto.randomUUID()
  const { holdId } = (await consume({}, other)).body
  await app.call('/api/user?action=release-hold', { token, json: { holdId } })
  expect((await consume({}, other)).body.code).toBe('hold_returned')
})

test('a repetition after the credits were used is the answer of before', async () => {
  const key = crypto.randomUUID()
  const { holdId } = (await consume({}, key)).body
  await captureHold(app.context.database, { holdId, now: new Date() })
  const again = await consume({}, key)
  expect([again.status, again.body.holdId]).toEqual([200, holdId])
})

test('a key that comes again for another amount sets nothing aside', async () => {
  const key = crypto.randomUUID()
  await consume({ amount: 1 }, key)
  const conflict = await consume({ amount: 2 }, key)
  expect([conflict.status, conflict.body.code]).toEqual([422, 'idempotency_conflict'])
  const { body } = await app.call('/api/user?action=profile', { token })
  expect(body.user.creditsBalance).toBe(0)
})

test('one credit is set aside when nothing is said, under a reason without spaces around it', async () => {
  for (const json of [{}, { amount: 1, description: '  ' }, { description: ' For a gift ' }]) {
    token = (await app.register()).token
    expect((await consume(json)).body).toMatchObject({ success: true, remainingCredits: 0 })
    const { body } = await app.call('/api/user?action=credit-history', { token })
    expect(body.items[0]).toMatchObject({
      reason: 'held',
      amount: -1,
      description: json.description?.trim() || 'Photo generation',
    })
  }
})

test('the celebrity of a reason is read as it was written, of no other text', () => {
  for (const celebrity of ['Elena Vassandri', 'Custom photo', ' with ', '陈']) {
    expect(readGenerationReason(generationReason(celebrity))).toBe(celebrity)
  }
  for (const text of [
    '',
    'Photo generation',
    'Photo generation with ',
    'A gift with Elena Vassandri',
  ]) {
    expect(readGenerationReason(text)).toBeUndefined()
  }
})
