import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { slotStates } from './attempts.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'

const nano = 'fal:google/nano-banana-2.1/edit'
const seedream = 'fal:bytedance/seedream/v5.5/edit'
const openai = 'openai:gpt-image-2'
const waitOptions = { interval: 50 }

const opened: HostedApp[] = []
afterEach(async () => {
  for (const hosted of opened.splice(0)) {
    expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
    await hosted[Symbol.asyncDispose]()
  }
})
async function open(settings: Record<string, string>, ...chain: string[]): Promise<HostedApp> {
  const hosted = await openHostedApp({ chain: chain.join(','), settings })
  opened.push(hosted)
  return hosted
}

async function makeOne(hosted: HostedApp, who?: { token: string; userId: string }) {
  const { token } = who ?? (await hosted.signIn())
  const { status, body } = await hosted.generate(token)
  const row = await hosted.app.context.database
    .selectFrom('generations')
    .select(['provider', 'model', 'prompt_version', 'error_code'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    status,
    code: body.code as string | undefined,
    ...row,
    balance: await hosted.balance(token),
  }
}

describe('a chain of providers', () => {
  test('goes on after failures to whoever makes the picture, for one credit', async () => {
    const hosted = await open({}, nano, openai, 'compositor')
    hosted.fal.next({ submit: 'down' })
    const first = await makeOne(hosted)
    expect(first).toMatchObject({ status: 200, provider: 'openai', balance: 0 })
    hosted.fal.next({ end: 'failure' })
    hosted.direct.openai.next('down')
    const second = await makeOne(hosted)
    expect(second).toMatchObject({ status: 200, provider: 'scripted', prompt_version: null })
    const states = (await hosted.attempts()).map(({ provider, state }) => [provider, state])
    expect(states).toEqual([
      ['fal', 'failed'],
      ['openai', 'succeeded'],
      ['fal', 'failed'],
      ['openai', 'failed'],
    ])
  })

  test('stops at a refusal, unless the operator lets refusals go on', async () => {
    const strict = await open({}, nano, 'compositor')
    strict.fal.next({ end: 'policy' })
    expect(await makeOne(strict)).toMatchObject({
      status: 422,
      code: 'provider_refused',
      balance: 1,
    })
    const lenient = await open({ IMAGE_FAILOVER_ON: 'policy_refused' }, nano, 'compositor')
    lenient.fal.next({ end: 'policy' })
    expect(await makeOne(lenient)).toMatchObject({ status: 200, provider: 'scripted', balance: 0 })
  })

  test('begins with the compositor where that stands first', async () => {
    const hosted = await open({}, 'compositor', nano)
    expect(await makeOne(hosted)).toMatchObject({ status: 200, provider: 'scripted' })
    expect(hosted.fal.submits()).toBe(0)
  })

  test('finds lost webhooks by polling, through broken and nonsensical answers', async () => {
    const hosted = await open({ IMAGE_WEBHOOK_URL: 'none' }, nano)
    for (const polls of ['answer', 'drop_two', 'fail_two', 'nonsense_two'] as const) {
      hosted.fal.next({ polls, queueMs: 100, workMs: 100 })
      expect(await makeOne(hosted)).toMatchObject({ status: 200, balance: 0 })
    }
    expect(hosted.fal.requests().every(({ webhookUrl }) => webhookUrl === undefined)).toBe(true)
    expect(hosted.fal.submits()).toBe(4)
    // Nothing would ever say whether this request was taken, so nobody waits for it.
    hosted.fal.next({ submit: 'accept_and_drop' })
    expect(await makeOne(hosted)).toMatchObject({ code: 'provider_down', balance: 1 })
    expect(hosted.fal.submits()).toBe(5)
  })
})

describe('limits', () => {
  test('a provider that keeps failing is left alone, then tried with one request', async () => {
    const settings = { IMAGE_CIRCUIT_FAILURES: '2', IMAGE_CIRCUIT_OPEN_SECONDS: '60' }
    const hosted = await open(settings, nano, 'compositor')
    hosted.fal.usually({ submit: 'down' })
    for (const submits of [1, 2, 2, 2]) {
      expect((await makeOne(hosted)).status).toBe(200)
      expect(hosted.fal.submits()).toBe(submits)
    }
    hosted.app.passTime(61_000)
    expect((await makeOne(hosted)).status).toBe(200)
    expect((await makeOne(hosted)).status).toBe(200)
    expect(hosted.fal.submits()).toBe(3)
    hosted.app.passTime(61_000)
    hosted.fal.usually({})
    expect(await makeOne(hosted)).toMatchObject({ status: 200, provider: 'fal' })
    expect(await makeOne(hosted)).toMatchObject({ status: 200, provider: 'fal' })
  })

  test('the daily spend cap is kept over all providers, and the next day is new', async () => {
    const settings = { IMAGE_DAILY_SPEND_MAX_USD: '0.10' }
    const hosted = await open(settings, nano, seedream, 'compositor')
    const providers = []
    for (let count = 0; count < 4; count += 1) providers.push((await makeOne(hosted)).model)
    // Two at 0.04 leave 0.02: too little for either of the two.
    expect(providers).toEqual([
      'google/nano-banana-2.1/edit',
      'google/nano-banana-2.1/edit',
      'test',
      'test',
    ])
    hosted.app.passTime(24 * 60 * 60_000)
    expect((await makeOne(hosted, await hosted.signIn())).model).toBe('google/nano-banana-2.1/edit')
  })

  test('somebody whose requests stay unfinished gets no further ones at a vendor', async () => {
    const settings = { IMAGE_UNFINISHED_PER_USER: '2', IMAGE_CIRCUIT_FAILURES: '99' }
    const hosted = await open(settings, nano)
    hosted.app.stopTime()
    // Taken, but the answer is lost and no webhook comes: perhaps charged, never cancelled.
    hosted.fal.usually({ submit: 'accept_and_drop', end: 'never' })
    const who = await hosted.signIn(9)
    const codes = []
    for (let count = 0; count < 3; count += 1) {
      const making = makeOne(hosted, who)
      if (count < 2) {
        const state = async () => (await hosted.attempts())[count]?.state
        await expect.poll(state, waitOptions).toBe('submit_unknown')
        hosted.app.passTime(60_000)
      }
      codes.push((await making).code)
    }
    expect(codes).toEqual(['provider_timeout', 'provider_timeout', 'provider_busy'])
    expect([hosted.fal.submits(), await hosted.balance(who.token)]).toEqual([2, 9])
    hosted.fal.usually({})
    expect((await makeOne(hosted)).status).toBe(200)
  })

  test('a hundred generations at once keep to four requests, and all come true', async () => {
    // By this timer a form that comes slowly is refused.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const hosted = await open({ IMAGE_AT_ONCE: '4', GENERATIONS_AT_ONCE: '4' }, nano)
    // Whoever waits for a slot for too long is turned away, by the clock.
    hosted.app.stopTime()
    const people = await Promise.all(Array.from({ length: 100 }, () => hosted.signIn()))
    let underWayMost = 0
    const count = async (wanted: string) => {
      const rows = await hosted.attempts()
      const states = rows.map(({ state }) => state)
      const isUnderWay = (state: string) => slotStates.some((known) => known === state)
      underWayMost = Math.max(underWayMost, states.filter(isUnderWay).length)
      return states.filter((state) => state === wanted).length
    }
    hosted.fal.usually({ end: 'never' })
    const answers = await Promise.all(
      people.map(({ token }) => hosted.generate(token, { isAsync: true })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    await expect.poll(() => count('submitted'), waitOptions).toBe(4)
    hosted.fal.usually({})
    for (const { behaviour } of hosted.fal.requests()) behaviour.end = 'picture'
    await hosted.pollNow()
    await expect.poll(() => count('succeeded'), waitOptions).toBe(100)
    expect(hosted.fal.submits()).toBe(100)
    expect(underWayMost).toBe(4)
    const balances = await Promise.all(people.map(({ token }) => hosted.balance(token)))
    expect(new Set(balances)).toEqual(new Set([0]))
  })

  test('the usual waiting time is told while a picture is made', async () => {
    // The medians are read anew by the quarter of a minute.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const hosted = await open({}, nano)
    for (let count = 0; count < 3; count += 1) await makeOne(hosted)
    vi.advanceTimersByTime(15_000)
    hosted.fal.usually({ end: 'never' })
    const { token } = await hosted.signIn()
    const { body } = await hosted.generate(token, { isAsync: true })
    const path = `/api/generations/${body.generation.generationId}`
    const item = async () => (await hosted.app.call(path, { token })).body.generation
    await expect.poll(async () => (await item()).expectedMs, waitOptions).toBeGreaterThan(0)
    const state = async () => (await hosted.attempts()).at(-1)?.state
    await expect.poll(state, waitOptions).toBe('submitted')
    hosted.fal.requests().at(-1)!.behaviour.end = 'picture'
    await hosted.pollNow()
    await expect.poll(async () => (await item()).state, waitOptions).toBe('done')
    expect((await item()).expectedMs).toBeNull()
  })
})
