import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { RequestStatus } from '../../vendors/hosted-provider.ts'
import { findRow } from '../../platform/db/rows.ts'
import { recordAnswer } from './end-attempt.ts'
import { pollAttempts } from './watch-attempts.ts'
import { watchAttempts } from './watch-attempts.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-20T12:00:00Z')
/** How the vendor answers whoever asks after a request. */
let answer: (requestId: string) => Promise<RequestStatus>
let polled: string[]
let forgotten: unknown[]
let granting: () => Promise<void>
let errors: unknown[]
/** Says that slots may have become free or wanted; undefined while nobody listens. */
let notice: (() => void) | undefined
beforeEach(async () => {
  await db.database.deleteFrom('generations').execute()
  ;[polled, forgotten, errors] = [[], [], []]
  answer = async () => ({ state: 'working' })
  granting = async () => {}
})

function parts(pollIntervalMs = 1_000) {
  const provider = {
    kind: 'queued',
    takesCount: false,
    priceMicroUsd: 1,
    async poll({ requestId }: { requestId: string }) {
      polled.push(requestId)
      return await answer(requestId)
    },
    forget: async (_submission: unknown, urls: unknown) => void forgotten.push(urls),
  }
  const settings = {
    pollIntervalMs,
    atOnceMax: 1_000,
    unfinishedPerUserMax: 1_000,
    attemptTimeoutMs: 60_000,
    circuitFailuresMax: 1_000,
    circuitOpenMs: 1,
    picturesMax: 1,
    likenessRepeatsMax: 0,
    failsOverOn: [],
  }
  return {
    clock: () => now,
    database: db.database,
    images: {
      settings,
      find: () => provider,
      step: () => undefined,
      listen: () => () => {},
    },
    jobs: { enqueue: () => granting() },
    log: { warn() {}, error: (...said: unknown[]) => void errors.push(said.at(-1)) },
    notifications: {
      publish: async () => {},
      subscribe(_topic: string, listener: () => void) {
        notice = listener
        return () => (notice = undefined)
      },
    },
    store: { delete: async () => {} },
  } as never
}

/** A request that is to be asked after; or whatever else `row` makes of it. */
async function make(row: object = {}) {
  const own = await makeGeneration(db.database, { at: now })
  const attempt = await makeAttempt(db.database, own, {
    state: 'submitted',
    submitted_at: now,
    request_id: own.generationId,
    status_url: 's',
    response_url: 'r',
    created_at: now,
    next_look_at: now,
    deadline_at: new Date(now.getTime() + 60_000),
    ...row,
  })
  return {
    read: async () => (await findRow(db.database, 'generation_attempts', { id: attempt.id }))!,
  }
}
const waiting = { state: 'waiting', submitted_at: null, request_id: null }

test('one round goes at a time, whoever asks for it', async () => {
  const watcher = watchAttempts(parts())
  expect(watcher.run()).toBe(watcher.run())
  await watcher.close()
})

test('a notice begins a round, also one that comes in the middle of another, until the end', async () => {
  const { setTimeout: begin } = globalThis
  // Rounds that come by themselves stay away.
  const timers = vi.spyOn(globalThis, 'setTimeout')
  timers.mockImplementation((work, ms) => begin(work, ms === 1_000 ? 600_000 : ms))
  const watcher = watchAttempts(parts())
  await watcher.run()
  for (let round = 0; round < 2; round += 1) {
    const one = await make(waiting)
    notice?.()
    notice?.()
    await expect.poll(async () => (await one.read()).state).toBe('granted')
  }
  const one = await make(waiting)
  let late: typeof one | undefined
  granting = async () => {
    // Too late for the round that is granting.
    if (late === undefined) late = await make(waiting)
    notice?.()
  }
  notice?.()
  await expect.poll(async () => (await one.read()).state).toBe('granted')
  await expect.poll(async () => (await late?.read())?.state).toBe('granted')
  await watcher.close()
  timers.mockRestore()
  expect(notice).toBeUndefined()
})

test('rounds come by themselves, too', async () => {
  const watcher = watchAttempts(parts(20))
  await watcher.run()
  const one = await make(waiting)
  await expect.poll(async () => (await one.read()).state).toBe('granted')
  await watcher.close()
})

test('a node asks after thirty-two requests at a time, and goes on as they are answered', async () => {
  for (let made = 0; made < 40; made += 1) await make()
  const { promise: answered, resolve: letAnswer } = Promise.withResolvers<void>()
  answer = async () => {
    await answered
    return { state: 'working' }
  }
  const watcher = watchAttempts(parts())
  await watcher.run()
  await watcher.run()
  expect(polled).toHaveLength(32)
  letAnswer()
  await expect
    .poll(async () => {
      await watcher.run()
      return polled.length
    })
    .toBe(40)
  expect(new Set(polled).size).toBe(40)
  await watcher.close()
})

test('a round that is stopped in the middle does no more', async () => {
  const { promise: granted, resolve: letGrant } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  granting = async () => {
    begin()
    await granted
  }
  const [one, late] = [await make(waiting), await make({ deadline_at: now })]
  const watcher = watchAttempts(parts())
  await begun
  const closed = watcher.close()
  letGrant()
  await closed
  expect([(await one.read()).state, (await late.read()).state]).toEqual(['granted', 'submitted'])
})

test('a call that fails is told, and no more once the node has stopped', async () => {
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  answer = async () => {
    await failed
    throw new Error('no vendor')
  }
  await make()
  const watcher = watchAttempts(parts())
  await watcher.run()
  const closed = watcher.close()
  fail()
  await closed
  expect(errors).toEqual([])
  await make()
  const next = watchAttempts(parts())
  await next.run()
  await expect.poll(() => errors).toEqual(['a call to a vendor could not be made'])
  await next.close()
})

test('a request that has failed at the vendor is forgotten there; nobody is asked without room', async () => {
  answer = async () => ({ state: 'failed', error: new HostedError('policy_refused', 'no') })
  const one = await make()
  const begun: Promise<void>[] = []
  const poll = async (room: number) => {
    const begin = (work: () => Promise<void>) => void begun.push(work())
    await pollAttempts(parts(), { signal: new AbortController().signal, room: () => room, begin })
    await Promise.all(begun)
  }
  for (const room of [0, -1]) await poll(room)
  expect(polled).toEqual([])
  await poll(1)
  expect(polled).toHaveLength(1)
  expect(await one.read()).toMatchObject({ state: 'failed', error_kind: 'policy_refused' })
  expect(forgotten).toEqual([[]])
})

test('a place in the queue that comes after the request has ended is not noted', async () => {
  const one = await make()
  const { id } = await one.read()
  answer = async () => {
    const error = new HostedError('policy_refused', 'no')
    await recordAnswer(parts(), id, { state: 'failed', error })
    return { state: 'queued', position: 3 }
  }
  const begun: Promise<void>[] = []
  const begin = (work: () => Promise<void>) => void begun.push(work())
  await pollAttempts(parts(), { signal: new AbortController().signal, room: () => 1, begin })
  await Promise.all(begun)
  expect(await one.read()).toMatchObject({ state: 'failed', queue_position: null })
})

test('a request that can’t be asked after keeps its place, and is asked after again in its time', async () => {
  answer = () => Promise.reject(new HostedError('provider_down', 'no answer'))
  const one = await make({ queue_position: 7 })
  const watcher = watchAttempts(parts())
  await watcher.run()
  const next = new Date(now.getTime() + 1_000)
  await expect.poll(async () => (await one.read()).next_look_at).toEqual(next)
  expect(await one.read()).toMatchObject({ state: 'submitted', queue_position: 7 })
  await watcher.close()
})
