import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../app/context.ts'
import { makeAttempt, makeDoneGeneration, makeGeneration } from '../../testing/make-generation.ts'
import type { TestGeneration } from '../../testing/make-generation.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { slotStates } from './attempts.ts'
import { giveUpEnded, giveUpOverdue } from './watch-attempts.ts'
import { grantSlots, sumSpent } from './grant-slots.ts'
import { openWaitingTimes } from './waiting-times.ts'

let app: TestApp
let parts: Context
beforeAll(async () => {
  app = await openTestApp({
    worker: false,
    settings: {
      IMAGE_PROVIDERS:
        'fal:google/nano-banana-2.1/edit,fal:bytedance/seedream/v5.5/edit,compositor',
      IMAGE_AT_ONCE: '2',
      IMAGE_UNFINISHED_PER_USER: '2',
      IMAGE_DAILY_SPEND_MAX_USD: '1',
      IMAGE_CIRCUIT_FAILURES: '2',
      FAL_KEY: 'k',
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  parts = { ...app.context, clock: () => noon }
  await app.context.database.deleteFrom('generations').execute()
  await app.context.database.deleteFrom('image_providers').execute()
})

const noon = new Date('2026-11-20T12:00:00Z')
const minuteMs = 60_000
const after = (ms: number) => new Date(noon.getTime() + ms)
const seedream = { provider: 'fal', model: 'bytedance/seedream/v5.5/edit' }
const failed = { state: 'failed', error_kind: 'timeout', finished_at: noon } as const
const sent = {
  state: 'submitted',
  request_id: 'r',
  status_url: 's',
  submitted_at: noon,
} as const

/** An attempt with its generation; without a word it waits for a slot since noon. */
async function make(row: object = {}, generation?: TestGeneration) {
  const own = generation ?? (await makeGeneration(app.context.database, { at: noon }))
  const times = { created_at: noon, next_look_at: noon, deadline_at: after(minuteMs) }
  const attempt = await makeAttempt(app.context.database, own, { ...times, ...row })
  return { ...own, attemptId: attempt.id }
}
const read = ({ attemptId }: { attemptId: string }) =>
  app.context.database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('id', '=', attemptId)
    .executeTakeFirstOrThrow()
const statesOf = async (attempts: { attemptId: string }[]) =>
  (await Promise.all(attempts.map(read))).map(({ state }) => state)

describe('a slot', () => {
  test('is granted with its price, its deadline and its job', async () => {
    const one = await make({ priority: 10 })
    await grantSlots(parts)
    expect(await read(one)).toMatchObject({
      state: 'granted',
      cost_micro_usd: '40000',
      deadline_at: after(3 * minuteMs),
      submitted_at: null,
    })
    const { rows } = await app.context.pool.query<{ priority: number }>(
      `select priority from pgboss.job where name = 'image-attempt' and data ->> 'attemptId' = $1`,
      [one.attemptId],
    )
    expect(rows).toEqual([{ priority: 10 }])
  })

  test('is one of as many as the provider’s limit leaves, first by priority, then by age', async () => {
    const old = await make({ created_at: after(-1) })
    const young = await make({ created_at: after(1) })
    const premium = await make({ created_at: after(2), priority: 10 })
    await grantSlots(parts)
    expect(await statesOf([old, young, premium])).toEqual(['granted', 'waiting', 'granted'])
    await grantSlots(parts)
    expect((await read(young)).state).toBe('waiting')
  })

  test.for(slotStates)('is taken while an attempt is %s', async (state) => {
    await make({ ...sent, request_id: '1', state })
    await make({ ...sent, request_id: '2', state })
    const one = await make()
    const other = await make(seedream)
    await grantSlots(parts)
    expect(await statesOf([one, other])).toEqual(['waiting', 'granted'])
  })

  test.for(['answered', 'fetched'] as const)('is free once an attempt is %s', async (state) => {
    for (const id of ['1', '2']) await make({ ...sent, request_id: id, state, output_key: 'k' })
    const one = await make()
    await grantSlots(parts)
    expect((await read(one)).state).toBe('granted')
  })

  test('is not granted before its time', async () => {
    const [due, later] = [await make(), await make({ next_look_at: after(1) })]
    await grantSlots(parts)
    expect(await statesOf([due, later])).toEqual(['granted', 'waiting'])
  })

  test('is granted once, however many backlogs there are', async () => {
    const nano = { priority: 1 }
    const [one, other] = [await make(nano), await make({ ...seedream, ...nano })]
    // Of a provider that is gone, with a model of the same name.
    await make({ ...nano, provider: 'gone' })
    await grantSlots(parts)
    expect(await statesOf([one, other])).toEqual(['granted', 'granted'])
    const { rows } = await app.context.pool.query<{ id: string }>(
      `select data ->> 'attemptId' as id from pgboss.job
       where name = 'image-attempt' and data ->> 'attemptId' = any ($1)`,
      [[one.attemptId, other.attemptId]],
    )
    expect(rows.map(({ id }) => id).toSorted()).toEqual([one.attemptId, other.attemptId].toSorted())
  })

  test('is granted on one node at a time', async () => {
    const one = await make()
    const client = await app.context.pool.connect()
    try {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock($1)', [0x7475726e])
      await grantSlots(parts)
      expect((await read(one)).state).toBe('waiting')
    } finally {
      await client.query('rollback')
      client.release()
    }
    await grantSlots(parts)
    expect((await read(one)).state).toBe('granted')
  })
})

describe('a request goes on to the next provider', () => {
  const skipped = async (one: { attemptId: string }) => {
    const { state, error_kind, error_detail, cost_micro_usd } = await read(one)
    return { state, error_kind, error_detail, cost_micro_usd }
  }
  const nextOf = ({ generationId }: TestGeneration) =>
    app.context.database
      .selectFrom('generation_attempts')
      .select(['model', 'state'])
      .where('generation_id', '=', generationId)
      .where('chain_position', '=', 1)
      .execute()

  test('when its provider is not set up any more', async () => {
    const one = await make({ provider: 'gone' })
    await grantSlots(parts)
    expect(await skipped(one)).toEqual({
      state: 'failed',
      error_kind: 'provider_down',
      error_detail: 'it is not set up any more',
      cost_micro_usd: '0',
    })
    expect(await nextOf(one)).toEqual([{ model: seedream.model, state: 'waiting' }])
  })

  test('when its provider’s circuit is open, and is tried alone once it is half open', async () => {
    await app.context.database
      .insertInto('image_providers')
      .values({ name: 'fal:google/nano-banana-2.1/edit', failures_in_row: 2, open_until: after(1) })
      .execute()
    const [one, other] = [await make(), await make(seedream)]
    await grantSlots(parts)
    expect(await skipped(one)).toMatchObject({ error_kind: 'provider_down' })
    expect((await read(other)).state).toBe('granted')
    const both = [await make(), await make({ created_at: after(1) })]
    parts.clock = () => after(1)
    await grantSlots(parts)
    expect(await statesOf(both)).toEqual(['granted', 'waiting'])
  })

  test('past what the day may cost, counting what is granted in the same round', async () => {
    await make({ ...failed, ...seedream, cost_micro_usd: 930_000 })
    const [one, other] = [await make(), await make({ created_at: after(1) })]
    await grantSlots(parts)
    expect(await statesOf([one, other])).toEqual(['granted', 'failed'])
    expect(await skipped(other)).toMatchObject({ error_kind: 'provider_busy' })
  })

  test('when its owner has left too much unfinished at vendors', async () => {
    const unfinished = { ...failed, cost_micro_usd: 1, submitted_at: after(-minuteMs) }
    const ofOwner = async (...rows: object[]) => {
      const own = await makeGeneration(app.context.database, { at: noon })
      for (const [index, row] of rows.entries()) {
        await make({ ...unfinished, ...row, chain_position: 5 + index }, own)
      }
      const one = await make({}, own)
      await grantSlots(parts)
      const { state } = await read(one)
      await app.context.database.deleteFrom('generation_attempts').execute()
      return state
    }
    expect(await ofOwner({}, {})).toBe('failed')
    expect(await ofOwner({})).toBe('granted')
    expect(await ofOwner({}, { answered_at: noon })).toBe('granted')
    expect(await ofOwner({}, { cost_micro_usd: 0 })).toBe('granted')
    expect(await ofOwner({}, { submitted_at: after(-60 * minuteMs) })).toBe('granted')
    expect(await ofOwner({}, { submitted_at: after(1 - 60 * minuteMs) })).toBe('failed')
    const fetched = { ...sent, state: 'fetched', error_kind: null, finished_at: null }
    expect(await ofOwner({}, { ...fetched, output_key: 'k' })).toBe('granted')
    // What somebody else has left counts against them alone.
    const other = await makeGeneration(app.context.database, { at: noon })
    for (const position of [5, 6]) await make({ ...unfinished, chain_position: position }, other)
    expect(await ofOwner({})).toBe('granted')
  })
})

test('what was spent is counted from midnight on, UTC', async () => {
  const midnight = new Date('2026-11-20T00:00:00Z')
  const sum = () => sumSpent(app.context.database, after(0))
  expect(await sum()).toBe(0)
  await make({ cost_micro_usd: 5, created_at: midnight })
  await make({ cost_micro_usd: 7, created_at: new Date(midnight.getTime() - 1) })
  await make({ ...failed, cost_micro_usd: 9 })
  expect(await sum()).toBe(14)
})

describe('giving up', () => {
  const calls = {
    signal: new AbortController().signal,
    room: () => 1,
    begun: [] as Promise<void>[],
    begin: (work: () => Promise<void>) => void calls.begun.push(work()),
  }

  test('is for what nobody answered in time, and for what got no slot', async () => {
    const late = await make({ ...sent, cost_micro_usd: 39_000, deadline_at: noon })
    const waiting = await make({ deadline_at: noon })
    const early = await make({ deadline_at: after(1) })
    const answered = await make({ ...sent, request_id: 'a', state: 'answered', deadline_at: noon })
    await giveUpOverdue(parts, calls)
    await Promise.all(calls.begun)
    expect(await read(late)).toMatchObject({
      state: 'failed',
      error_kind: 'timeout',
      error_detail: 'it took too long',
      cost_micro_usd: '39000',
      answered_at: null,
    })
    expect(await read(waiting)).toMatchObject({
      state: 'failed',
      error_kind: 'provider_busy',
      error_detail: 'no slot was free in time',
      cost_micro_usd: '0',
    })
    expect(await statesOf([early, answered])).toEqual(['waiting', 'answered'])
  })

  describe('at the vendor', () => {
    const atVendor = { ...sent, response_url: 'r', cancel_url: 'c', deadline_at: noon }
    const asked: string[] = []
    const warnings: string[] = []
    beforeEach(() => {
      asked.length = 0
      warnings.length = 0
      const warn = (_about: unknown, words: string) => void warnings.push(words)
      parts.log = Object.assign(Object.create(app.context.log), { warn })
    })
    /** A vendor that agrees to drop a request, or not, and that forgets it, or fails. */
    const answer = (isDropped: boolean, forgets: () => Promise<void> = async () => {}) => {
      const find: Context['images']['find'] = (name) => {
        const provider = app.context.images.find(name)
        if (provider?.kind !== 'queued') return provider
        return {
          ...provider,
          async cancel({ requestId, cancelUrl }) {
            asked.push(`drop ${requestId} at ${cancelUrl}`)
            return isDropped
          },
          async forget({ requestId }, urls, signal) {
            asked.push(`forget ${requestId} and ${urls.length} pictures`)
            signal.throwIfAborted()
            await forgets()
          },
        }
      }
      parts.images = { ...app.context.images, find }
    }
    const giveUp = async () => {
      await giveUpOverdue(parts, calls)
      await Promise.all(calls.begun)
    }

    test('has what was sent dropped and forgotten there', async () => {
      answer(true)
      const late = await make(atVendor)
      await giveUp()
      expect(asked).toEqual(['drop r at c', 'forget r and 0 pictures'])
      expect(await read(late)).toMatchObject({ state: 'failed', answered_at: noon })
    })

    test('has nothing dropped that has failed already, whatever became of its selfie', async () => {
      answer(true)
      const ended = await makeDoneGeneration(app.context.database, { at: noon })
      await make({ ...atVendor, ...failed }, ended)
      await giveUpEnded(parts, calls)
      await Promise.all(calls.begun)
      expect(asked).toEqual([])
    })

    test('goes on waiting for the bill of what the vendor goes on with', async () => {
      answer(false)
      const late = await make({ ...atVendor, cost_micro_usd: 39_000 })
      await giveUp()
      expect(await read(late)).toMatchObject({ answered_at: null, cost_micro_usd: '39000' })
    })

    test('says nothing of what was never sent, which costs nothing', async () => {
      answer(true)
      const granted = await make({ state: 'granted', deadline_at: noon, cost_micro_usd: 39_000 })
      await giveUp()
      expect(await read(granted)).toMatchObject({ state: 'failed', cost_micro_usd: '0' })
      expect([asked, warnings]).toEqual([[], ['an image request failed']])
    })

    test('asks nobody of a provider that is not set up any more', async () => {
      answer(true)
      const late = await make({ ...atVendor, provider: 'gone' })
      await giveUp()
      expect([(await read(late)).error_kind, asked]).toEqual(['timeout', []])
    })

    test('is asked only for as long as this node works', async () => {
      answer(true)
      const stop = new AbortController()
      const given: AbortSignal[] = []
      const { find } = parts.images
      const note = (_submission: unknown, ...rest: unknown[]) => given.push(rest.at(-1) as never)
      parts.images.find = (name) =>
        Object.assign(Object.create(find(name) ?? null), {
          cancel: async (...all: [unknown]) => note(...all) > 0,
          forget: async (...all: [unknown]) => void note(...all),
        })
      await make(atVendor)
      await giveUpOverdue(parts, { ...calls, signal: stop.signal })
      await Promise.all(calls.begun)
      expect(given.map(({ aborted }) => aborted)).toEqual([false, false])
      stop.abort()
      expect(given.map(({ aborted }) => aborted)).toEqual([true, true])
    })

    test('only warns where the vendor keeps something', async () => {
      answer(true, () => Promise.reject(new Error('no')))
      const late = await make(atVendor)
      await giveUp()
      expect(warnings.at(-1)).toBe('a vendor keeps what a request has left')
      expect((await read(late)).answered_at).toEqual(noon)
    })
  })

  test('is for what is asked for a generation that has ended', async () => {
    const ended = await makeDoneGeneration(app.context.database, { at: noon })
    const [open, over] = [
      await make({ ...sent, cost_micro_usd: 5 }, ended),
      await make({ ...failed, chain_position: 3 }, ended),
    ]
    const running = await make()
    await giveUpEnded(parts, calls)
    expect(await read(open)).toMatchObject({
      state: 'failed',
      error_kind: 'unknown',
      error_detail: 'the generation had ended',
      cost_micro_usd: '5',
    })
    expect((await read(over)).error_kind).toBe('timeout')
    expect((await read(running)).state).toBe('waiting')
  })
})

describe('the usual waiting time', () => {
  const provider = { provider: 'fal', model: 'a' }
  async function finish(seconds: number, row: object = provider, at = noon) {
    await makeDoneGeneration(app.context.database, {
      at,
      row: { finished_at: new Date(at.getTime() + seconds * 1000), ...row },
    })
  }
  async function expectedMs(asked = provider, now = after(minuteMs)) {
    const times = await openWaitingTimes({ ...app.context, clock: () => now })
    times.close()
    return times.expectedMs(asked)
  }

  test('is the median of the last pictures, once there are three', async () => {
    await finish(1)
    await finish(9)
    expect(await expectedMs()).toBeNull()
    await finish(4)
    expect(await expectedMs()).toBe(4_000)
    expect(await expectedMs({ provider: 'fal', model: 'b' })).toBeNull()
  })

  test('is of the last fifty pictures alone', async () => {
    const busy = { provider: 'fal', model: 'busy' }
    await Promise.all(Array.from({ length: 30 }, () => finish(9, busy)))
    await Promise.all(Array.from({ length: 26 }, () => finish(1, busy, after(minuteMs / 2))))
    expect(await expectedMs(busy)).toBe(1_000)
  })

  test('is the compositor’s whatever its model', async () => {
    for (const model of ['1', '2', '3']) await finish(2, { provider: 'compositor', model })
    expect(await expectedMs({ provider: 'compositor', model: 'new' })).toBe(2_000)
  })

  test('forgets what is older than a week, and what failed', async () => {
    for (const seconds of [2, 2]) await finish(seconds)
    const weekAgo = after(minuteMs - 7 * 24 * 60 * minuteMs)
    await finish(0, provider, weekAgo)
    const error = { state: 'failed', error_code: 'generation_failed' }
    await finish(2, { ...provider, ...error })
    expect(await expectedMs()).toBeNull()
    await finish(0.001, provider, weekAgo)
    expect(await expectedMs()).toBe(2_000)
  })
})
