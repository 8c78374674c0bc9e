import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { correctBalance } from '../ledger/credits/correct.ts'
import { expireHolds } from '../ledger/credits/close-hold.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'

/*
 * Two tabs of one person set a credit aside each and make a selfie each: whatever is taken or given
 * back is the tab's own.
 */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  app.engine.next = []
  app.engine.inspection.refusals = []
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

async function registerWith(credits: number) {
  const { token, userId } = await app.register()
  await correctBalance(app.context.database, {
    userId,
    amount: credits - 1,
    description: 'given by a test',
    reference: `test:${userId}`,
    now: new Date(),
  })
  return { token, userId }
}
const balance = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance
const hold = async (token: string, celebrity = 'Elena Vassandri'): Promise<string> => {
  const description = `Photo generation with ${celebrity}`
  const json = { amount: 1, description }
  return (await app.call('/api/user?action=consume-credits', { token, json })).body.holdId
}
const generate = async (
  token: string,
  holdId: string | undefined,
  form: Parameters<typeof generateForm>[0] = {},
  headers: Record<string, string> = {},
) => {
  const query = holdId === undefined ? '' : `&holdId=${holdId}`
  return app.call(`/api/ai?action=generate${query}`, {
    token,
    form: await generateForm(form),
    headers,
  })
}
const stateOf = async (holdId: string) =>
  (
    await app.context.database
      .selectFrom('credit_holds')
      .select('state')
      .where('id', '=', holdId)
      .executeTakeFirstOrThrow()
  ).state
const history = async (token: string) =>
  (await app.call('/api/user?action=credit-history', { token })).body.items

test('a selfie uses the hold that it names, though a newer one lies open', async () => {
  const { token } = await registerWith(2)
  const mine = await hold(token, 'Elena Vassandri')
  const other = await hold(token, 'Mina Asakuri')
  expect((await generate(token, mine, { presetId: 'elena-vassandri' })).status).toBe(200)
  expect([await stateOf(mine), await stateOf(other)]).toEqual(['captured', 'held'])
  expect((await generate(token, other, { presetId: 'mina-asakuri' })).status).toBe(200)
  expect(await stateOf(other)).toBe('captured')
  expect((await history(token)).slice(0, 2).map((item: any) => item.celebrity)).toEqual([
    'Mina Asakuri',
    'Elena Vassandri',
  ])
})

test('a refused selfie gives back its own hold and leaves the other tab’s alone', async () => {
  const { token } = await registerWith(2)
  const mine = await hold(token)
  const other = await hold(token)
  const refused = await generate(token, mine, { presetId: 'nobody' })
  expect(refused.body.code).toBe('preset_unknown')
  expect([await stateOf(mine), await stateOf(other)]).toEqual(['released', 'held'])
})

test.each([
  ['an unreadable form', { form: new FormData(), headers: {} }],
  ['a crooked Idempotency-Key', { form: undefined, headers: { 'idempotency-key': 'x' } }],
])('also when it was refused for %s', async (_what, { form, headers }) => {
  const { token } = await registerWith(2)
  const mine = await hold(token)
  const other = await hold(token)
  const refused = await app.call(`/api/ai?action=generate&holdId=${mine}`, {
    token,
    form: form ?? (await generateForm()),
    headers,
  })
  expect(refused.status).toBe(400)
  expect([await stateOf(mine), await stateOf(other)]).toEqual(['released', 'held'])
})

test('a selfie refused beside a running one doesn’t touch the running one’s credit', async () => {
  const { token } = await registerWith(3)
  const go = Promise.withResolvers<void>()
  app.engine.next.push(async () => {
    await go.promise
    return makeTestSelfie()
  })
  const running = await hold(token)
  await generate(token, running, {}, { prefer: 'respond-async' })
  // Once without a name, as an old client asks, and once with the name of the running one's hold.
  for (const named of [undefined, running]) {
    const refused = await generate(token, named, { presetId: 'mina-asakuri' })
    expect(refused.body.code).toBe('generation_running')
    expect(await stateOf(running)).toBe('held')
  }
  go.resolve()
  await expect.poll(() => stateOf(running)).toBe('captured')
  expect(await balance(token)).toBe(2)
})

test('a refused try leaves the hold to another one that still prepares with it', async () => {
  const { token } = await registerWith(2)
  const mine = await hold(token)
  const go = Promise.withResolvers<void>()
  const isPreparing = Promise.withResolvers<void>()
  const admit = app.engine.admit.bind(app.engine)
  app.engine.admit = async (...call) => {
    isPreparing.resolve()
    await go.promise
    return admit(...call)
  }
  const first = generate(token, mine)
  await isPreparing.promise
  const noForm = { token, json: {} }
  const refusedTries = [
    await app.call(`/api/ai?action=generate&holdId=${mine}`, noForm),
    await app.call('/api/ai?action=generate', noForm),
    await generate(token, mine, { presetId: 'nobody' }),
  ]
  expect(refusedTries.map(({ status }) => status)).toEqual([415, 415, 400])
  app.engine.admit = admit
  go.resolve()
  expect((await first).status).toBe(200)
  expect(await stateOf(mine)).toBe('captured')
})

test('a refused selfie without a name gives the newest open hold back at once', async () => {
  const { token } = await registerWith(2)
  const [older, newer] = [await hold(token), await hold(token)]
  expect((await generate(token, undefined, { presetId: 'nobody' })).status).toBe(400)
  expect([await stateOf(older), await stateOf(newer)]).toEqual(['held', 'released'])
  expect(await balance(token)).toBe(1)
  expect((await generate(token, older)).status).toBe(200)
})

test('a selfie without a name that fails once it was begun gives no other hold back', async () => {
  const { token } = await registerWith(2)
  const [older, newer] = [await hold(token), await hold(token)]
  app.engine.next.push(async () => {
    throw new PhotoError('face_missing', 'user')
  })
  expect((await generate(token, undefined)).body.code).toBe('face_missing')
  expect([await stateOf(older), await stateOf(newer)]).toEqual(['held', 'released'])
  expect(await balance(token)).toBe(1)
})

test('a hold that has gone back, is used, is another’s or was never there pays for nothing', async () => {
  const { token } = await registerWith(5)
  const stranger = await registerWith(2)
  const used = await hold(token)
  await generate(token, used)
  const released = await hold(token)
  await app.call('/api/user?action=release-hold', { token, json: { holdId: released } })
  const foreign = await hold(stranger.token)
  const before = await balance(token)
  for (const holdId of [used, released, foreign, crypto.randomUUID()]) {
    const answer = await generate(token, holdId)
    expect([answer.status, answer.body.code]).toEqual([409, 'hold_returned'])
  }
  expect(await balance(token)).toBe(before)
  expect(await stateOf(foreign)).toBe('held')
})

test('a name that is none is refused before anything is read', async () => {
  const { token } = await registerWith(2)
  const answer = await generate(token, 'mine')
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
  expect(answer.body.error).toContain('holdId')
})

test('a caller without the name gets the newest open hold, as before', async () => {
  const { token } = await registerWith(2)
  const older = await hold(token)
  const newer = await hold(token)
  expect((await generate(token, undefined)).status).toBe(200)
  expect([await stateOf(older), await stateOf(newer)]).toEqual(['held', 'captured'])
})

test('the history names who is on the picture, whatever the browser had said', async () => {
  const { token } = await registerWith(2)
  await generate(token, await hold(token, 'somebody else'), { presetId: 'mina-asakuri' })
  expect((await history(token))[0]).toMatchObject({ reason: 'usage', celebrity: 'Mina Asakuri' })
})

test('what the version before wrote as a sentence is named too', async () => {
  const { token, userId } = await registerWith(3)
  const { database } = app.context
  await generate(token, undefined)
  await hold(token, 'Orla Brennick')
  await database
    .updateTable('credit_holds')
    .set({ celebrity: null })
    .where('state', '=', 'held')
    .where('account_id', 'in', (accounts) =>
      accounts.selectFrom('credit_accounts').select('id').where('user_id', '=', userId),
    )
    .execute()
  expect((await history(token))[0]).toMatchObject({ reason: 'held', celebrity: 'Orla Brennick' })
  await expireHolds(database, { now: new Date(Date.now() + 60 * 60_000), limit: 1_000 })
  expect((await history(token))[0]).toMatchObject({
    reason: 'refunded',
    celebrity: 'Orla Brennick',
  })
})
