import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../platform/errors/app-error.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createGuessLimits, limitGuesses } from './guess-limits.ts'
import type { SignedInUser } from './session.ts'

const failuresMax = 3
const addressFailuresMax = 15
const now = Date.parse('2026-11-20T12:00:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

const open = () =>
  createGuessLimits(db.pool, { failuresMax, digest: (text) => hash('sha256', text, 'buffer') })
const newGuesser = () => ({ account: `${crypto.randomUUID()}@example.org`, address: '10.0.0.1' })

describe('failures are judged', () => {
  const keys = { account: 'account', address: 'address' }
  const row = (key: string, points: number, expire: number | string | null = now + 60_000) => ({
    key,
    points,
    expire,
  })
  function judge(
    failures: Parameters<ReturnType<typeof open>['judgeFailures']>[1],
    more: {
      keys?: typeof keys | { account: string; address: undefined }
      tries?: number
      hasProof?: boolean
    } = {},
  ) {
    vi.spyOn(Date, 'now').mockReturnValue(now)
    try {
      return open().judgeFailures(more.keys ?? keys, failures, {
        tries: more.tries ?? 1,
        hasProof: more.hasProof ?? false,
      })
    } catch (error) {
      const { code, retryAfterSeconds } = error as AppError
      return { code, retryAfterSeconds }
    } finally {
      vi.restoreAllMocks()
    }
  }

  test('by the account, up to its limit, with the time that is left', () => {
    expect(judge([])).toEqual({ hasFailed: false })
    expect(judge([row('account', failuresMax - 1)])).toEqual({ hasFailed: true })
    expect(judge([row('account', failuresMax)])).toEqual({
      code: 'sign_in_limited',
      retryAfterSeconds: 60,
    })
    expect(judge([row('account', failuresMax, String(now + 1_000))])).toMatchObject({
      retryAfterSeconds: 1,
    })
    expect(judge([row('another', failuresMax)])).toEqual({ hasFailed: false })
  })

  test('no more once their time is over', () => {
    expect(judge([row('account', failuresMax, now)])).toEqual({ hasFailed: false })
    expect(judge([row('account', failuresMax, now + 1)])).toMatchObject({ code: 'sign_in_limited' })
    expect(judge([row('account', failuresMax, null)])).toEqual({ hasFailed: false })
  })

  test('by the address, with the tries that run, unless there is a proof or trust', () => {
    const failed = (points: number) => [row('address', points)]
    expect(judge(failed(addressFailuresMax - 1))).toEqual({ hasFailed: false })
    expect(judge(failed(addressFailuresMax))).toMatchObject({ code: 'proof_required' })
    expect(judge(failed(addressFailuresMax), { hasProof: true })).toEqual({ hasFailed: false })
    expect(judge(failed(addressFailuresMax - 2), { tries: 2 })).toEqual({ hasFailed: false })
    expect(judge(failed(addressFailuresMax - 1), { tries: 2 })).toMatchObject({
      code: 'proof_required',
    })
    const trusted = { account: 'account', address: undefined }
    expect(judge(failed(addressFailuresMax), { keys: trusted, tries: 99 })).toEqual({
      hasFailed: false,
    })
  })
})

test('tries of one network are counted while they run', async () => {
  const limits = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = limits.amongTries('10.0.0.1', async (tries) => {
    await promise
    return tries
  })
  const second = limits.amongTries('10.0.0.1', async (tries) => {
    await promise
    return tries
  })
  const other = limits.amongTries('10.9.0.1', async (tries) => tries)
  const failing = limits.amongTries('10.0.0.1', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await limits.amongTries('10.0.0.1', async (tries) => tries)).toBe(3)
  resolve()
  expect(await Promise.all([first, second, other])).toEqual([1, 2, 1])
  expect(await limits.amongTries('10.0.0.1', async (tries) => tries)).toBe(1)
})

test('a failure counts for the account and for the network, of the trusted one for the account alone', async () => {
  const limits = open()
  const points = async (key: string | undefined) => {
    const { rows } = await db.pool.query<{ points: number }>(
      'select points from rate_limits where key = $1',
      [key],
    )
    return rows[0]?.points ?? 0
  }
  const guesser = newGuesser()
  const trusted = { ...guesser, trusted: 'session' }
  const [keys, ownKeys] = [limits.failureKeys(guesser), limits.failureKeys(trusted)]
  expect(ownKeys.account).not.toBe(keys.account)
  expect(ownKeys.address).toBeUndefined()
  const before = await points(keys.address)
  await limits.countFailure(guesser)
  await limits.countFailure(trusted)
  expect([await points(keys.account), await points(ownKeys.account)]).toEqual([1, 1])
  expect(await points(keys.address)).toBe(before + 1)
  await limits.forgetFailures(guesser)
  expect([await points(keys.account), await points(ownKeys.account)]).toEqual([0, 1])
})

describe('a password that is asked for once more', () => {
  const user = () => ({ email: newGuesser().account }) as SignedInUser
  const fail = (error: unknown) => () => Promise.reject(error)

  test('may be wrong so often, then not even the right one is judged', async () => {
    const [limits, person] = [open(), user()]
    const guess = (act: () => Promise<string>) => limitGuesses(limits, person, '10.0.0.1', act)
    for (let count = 0; count < failuresMax; count += 1) {
      await expect(guess(fail(new AppError('password_wrong')))).rejects.toMatchObject({
        code: 'password_wrong',
      })
    }
    await expect(guess(async () => 'right')).rejects.toMatchObject({ code: 'sign_in_limited' })
  })

  test('that fails for another reason is not counted', async () => {
    const [limits, person] = [open(), user()]
    const guess = (act: () => Promise<string>) => limitGuesses(limits, person, '10.0.0.1', act)
    for (const error of [new AppError('password_too_short'), new TypeError('a bug')]) {
      for (let count = 0; count < failuresMax; count += 1) {
        await expect(guess(fail(error))).rejects.toBe(error)
      }
    }
    expect(await guess(async () => 'right')).toBe('right')
  })

  test('is no matter of how many tries run from the network', async () => {
    const limits = open()
    const address = `${newNetwork()}.1`
    for (let count = 0; count < addressFailuresMax; count += 1) {
      await limits.countFailure({ ...newGuesser(), address })
    }
    expect(await limitGuesses(limits, user(), address, async () => 'right')).toBe('right')
  })
})
