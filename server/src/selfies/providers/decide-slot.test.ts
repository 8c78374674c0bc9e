import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import { circuitState, recordFailure, recordSuccess } from './circuit.ts'
import { decideSlot } from './grant-slots.ts'
import type { SlotFacts } from './grant-slots.ts'

const now = new Date('2026-11-20T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)

describe('a slot', () => {
  const decide = (facts: Partial<SlotFacts>, spendMax?: number) =>
    decideSlot(
      { underWay: 0, circuit: 'closed', price: 10, spentToday: 0, unfinishedOfUser: 0, ...facts },
      { atOnceMax: 3, dailySpendMaxMicroUsd: spendMax, unfinishedPerUserMax: 2 },
    )

  test('is given while there is one, and else waited for', () => {
    expect(decide({ underWay: 2 })).toEqual({ act: 'grant' })
    expect(decide({ underWay: 3 })).toEqual({ act: 'wait' })
  })

  test('is one alone while it is tried whether the provider is there again', () => {
    expect(decide({ circuit: 'half-open' })).toEqual({ act: 'grant' })
    expect(decide({ circuit: 'half-open', underWay: 1 })).toEqual({ act: 'wait' })
  })

  test('is not asked for at a provider that is down', () => {
    expect(decide({ circuit: 'open', unfinishedOfUser: 9 })).toEqual({
      act: 'skip',
      kind: 'provider_down',
      detail: 'its circuit is open',
    })
  })

  test('is refused past what a person may leave unfinished, and past the day’s money', () => {
    expect(decide({ unfinishedOfUser: 1 }).act).toBe('grant')
    expect(decide({ unfinishedOfUser: 2 })).toMatchObject({ act: 'skip', kind: 'provider_busy' })
    expect(decide({ spentToday: 90 }, 100).act).toBe('grant')
    expect(decide({ spentToday: 91 }, 100)).toMatchObject({ act: 'skip', kind: 'provider_busy' })
    expect(decide({ spentToday: 1e12 }).act).toBe('grant')
    expect(decide({ price: 1 }, 0)).toMatchObject({ act: 'skip' })
  })
})

describe('a circuit', () => {
  let db: Awaited<ReturnType<typeof openTestDatabase>>
  beforeAll(async () => {
    db = await openTestDatabase(2)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const settings = { circuitFailuresMax: 2, circuitOpenMs: 60_000 }
  const fail = (provider: string, at = now, failuresMax = 2) =>
    recordFailure(db.database, {
      provider,
      error: new HostedError('provider_down', 'no route'),
      settings: { ...settings, circuitFailuresMax: failuresMax },
      now: at,
    })
  const read = async (provider: string) =>
    db.database
      .selectFrom('image_providers')
      .selectAll()
      .where('name', '=', provider)
      .executeTakeFirst()
  const stateOf = async (provider: string, at = now) =>
    circuitState(await read(provider), settings, at)

  test('opens with the last of so many failures, anew with each further one, and is tried in between', async () => {
    const provider = crypto.randomUUID()
    expect(await stateOf(provider)).toBe('closed')
    await fail(provider)
    expect(await stateOf(provider)).toBe('closed')
    await fail(provider, after(1))
    expect(await read(provider)).toMatchObject({
      failures_in_row: 2,
      open_until: after(60_001),
      last_error_kind: 'provider_down',
      last_error_detail: 'no route',
      last_error_at: after(1),
    })
    expect(await stateOf(provider, after(60_000))).toBe('open')
    expect(await stateOf(provider, after(60_001))).toBe('half-open')
    await fail(provider, after(60_001))
    expect(await stateOf(provider, after(120_000))).toBe('open')
  })

  test('opens at once where one failure is enough', async () => {
    const provider = crypto.randomUUID()
    await fail(provider, now, 1)
    expect((await read(provider))?.open_until).toEqual(after(60_000))
    const other = crypto.randomUUID()
    await fail(other)
    expect((await read(other))?.open_until).toBeNull()
  })

  test('closes with a success, which is written down once a minute', async () => {
    const [provider, other] = [crypto.randomUUID(), crypto.randomUUID()]
    for (const name of [provider, provider, other]) await fail(name)
    await recordSuccess(db.database, { provider, now })
    expect(await read(provider)).toMatchObject({
      failures_in_row: 0,
      open_until: null,
      last_success_at: now,
    })
    expect((await read(other))?.failures_in_row).toBe(1)
    const succeed = async (at: Date) => {
      await recordSuccess(db.database, { provider, now: at })
      return (await read(provider))?.last_success_at
    }
    expect(await succeed(after(60_000))).toEqual(now)
    expect(await succeed(after(60_001))).toEqual(after(60_001))
    await fail(provider, after(60_002))
    expect(await succeed(after(60_003))).toEqual(after(60_003))
  })
})
