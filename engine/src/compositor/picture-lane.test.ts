import { expect, test } from 'vitest'
import { createPictureLane } from './picture-lane.ts'

/** Work that ends when it is told to, or as soon as it is given up. */
function work() {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const state = { hasBegun: false, isGivenUp: false }
  return {
    state,
    begun: begun.promise,
    end: () => ended.resolve('made'),
    async make(signal?: AbortSignal): Promise<string> {
      state.hasBegun = true
      begun.resolve()
      signal?.addEventListener('abort', () => {
        state.isGivenUp = true
        ended.reject(signal.reason)
      })
      return await ended.promise
    },
  }
}

const preparationFor = (account: string, { make }: ReturnType<typeof work>, name = account) => ({
  account,
  name,
  make,
})

test('what is prepared gives way to a picture, with all that waits', async () => {
  const lane = createPictureLane()
  const [first, second, picture] = [work(), work(), work()]
  lane.prepare(preparationFor('ann', first))
  lane.prepare(preparationFor('ben', second))
  await first.begun
  const made = lane.run(picture.make)
  await picture.begun
  expect(first.state.isGivenUp).toBe(true)
  picture.end()
  expect(await made).toBe('made')
  await lane.run(async () => {})
  expect(second.state.hasBegun).toBe(false)
})

test('a picture that profits from what is prepared waits for it', async () => {
  const lane = createPictureLane()
  const [preparation, picture] = [work(), work()]
  lane.prepare(preparationFor('ann', preparation, 'both photos'))
  await preparation.begun
  const made = lane.run(picture.make, { awaits: 'both photos' })
  picture.end()
  expect([preparation.state.isGivenUp, picture.state.hasBegun]).toEqual([false, false])
  preparation.end()
  expect(await made).toBe('made')
})

test('nothing is prepared while a picture is made', async () => {
  const lane = createPictureLane()
  const [picture, preparation] = [work(), work()]
  const made = lane.run(picture.make)
  lane.prepare(preparationFor('ann', preparation))
  picture.end()
  await made
  await lane.run(async () => {})
  expect(preparation.state.hasBegun).toBe(false)
})

test('preparations come one after the other, each account’s newest, and few wait', async () => {
  const lane = createPictureLane()
  const first = work()
  lane.prepare(preparationFor('ann', first))
  await first.begun
  const waiting = ['ben', 'cleo', 'dora', 'eve', 'finn'].map((account) => ({
    account,
    ...work(),
  }))
  for (const one of waiting) lane.prepare(preparationFor(one.account, one))
  const newer = work()
  lane.prepare(preparationFor('ben', newer, 'another wish'))
  expect(newer.state.hasBegun).toBe(false)
  for (const one of [first, newer, ...waiting]) one.end()
  await waiting[3]!.begun
  const last = work()
  lane.prepare(preparationFor('gus', last))
  await last.begun
  expect(newer.state.hasBegun).toBe(true)
  expect(waiting.map(({ state }) => state.hasBegun)).toEqual([false, true, true, true, false])
})

test('a newer wish of the same account gives the older one up, and so does forgetting', async () => {
  const lane = createPictureLane()
  const [older, newer] = [work(), work()]
  lane.prepare(preparationFor('ann', older, 'one'))
  await older.begun
  lane.prepare(preparationFor('ann', newer, 'other'))
  await newer.begun
  expect(older.state.isGivenUp).toBe(true)
  lane.forget('ben')
  expect(newer.state.isGivenUp).toBe(false)
  lane.forget('ann')
  expect(newer.state.isGivenUp).toBe(true)
})

test('what waits for an account that is forgotten is never begun', async () => {
  const lane = createPictureLane()
  const [first, second, third] = [work(), work(), work()]
  lane.prepare(preparationFor('ann', first))
  await first.begun
  lane.prepare(preparationFor('ben', second))
  lane.prepare(preparationFor('cat', third))
  lane.forget('ben')
  first.end()
  await Promise.race([second.begun, third.begun])
  expect([second.state.hasBegun, third.state.hasBegun]).toEqual([false, true])
})

test('the same wish again goes on, and there is room for more once the picture is made', async () => {
  const lane = createPictureLane()
  const [same, again, next] = [work(), work(), work()]
  lane.prepare(preparationFor('ann', same, 'one'))
  await same.begun
  lane.prepare(preparationFor('ann', again, 'one'))
  expect(same.state.isGivenUp).toBe(false)
  same.end()
  again.end()
  await lane.run(async () => {})
  lane.prepare(preparationFor('ben', next))
  await next.begun
})

test('who gives a picture up doesn’t wait for those before it', async () => {
  const lane = createPictureLane()
  const [first, stop] = [work(), new AbortController()]
  const made = lane.run(first.make)
  const second = lane.run(() => Promise.resolve(), { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
  first.end()
  await made
})

test('a picture that is given up before its turn is not made', async () => {
  const lane = createPictureLane()
  const [first, second] = [work(), work()]
  const leaving = new AbortController()
  const made = lane.run(first.make)
  const left = lane.run(second.make, { signal: leaving.signal })
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  first.end()
  await made
  await lane.run(async () => {})
  expect(second.state.hasBegun).toBe(false)
})
