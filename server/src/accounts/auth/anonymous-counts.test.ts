import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNetwork } from '../../testing/new-network.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createAnonymousLimits } from './anonymous-limits.ts'
import { createProofsOfWork } from './proof-of-work.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

const newAddress = () => `${newNetwork()}.1`
const newEmail = () => `${crypto.randomUUID()}@example.org`
const open = () =>
  createAnonymousLimits(db.pool, {
    registrationsPerDay: 2,
    digest: (text) => hash('sha256', text, 'buffer'),
    proofs: createProofsOfWork(db.pool, { key: randomBytes(32), now: Date.now, randomBytes }),
  })
/** What the first refusal says, and after how many admitted calls it came. */
async function countUntilRefused(call: () => Promise<void>) {
  for (let admitted = 0; admitted <= 100; admitted += 1) {
    const refusal: unknown = await call().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal !== undefined) return { admitted, refusal }
  }
  throw new Error('nothing was refused')
}

test('what is asked too often says how many seconds to wait, up to a quarter of an hour', async () => {
  const limits = open()
  const [address, email] = [newAddress(), newEmail()]
  for (const [admitted, call] of [
    [30, () => limits.countWrongToken(address)],
    [30, () => limits.countResetMail(newEmail(), address)],
    [3, () => limits.countResetMail(email, newAddress())],
  ] as const) {
    const refused = await countUntilRefused(call)
    expect(refused).toMatchObject({ admitted, refusal: { code: 'too_many_requests' } })
    const { retryAfterSeconds } = refused.refusal as { retryAfterSeconds: number }
    expect(retryAfterSeconds).toBeGreaterThan(600)
    expect(retryAfterSeconds).toBeLessThanOrEqual(900)
  }
})

test('the first challenge of a network is the easiest, also before anybody has registered there', async () => {
  const limits = open()
  const address = newAddress()
  const bitsOf = (challenge: string) => Number(challenge.split('.')[0])
  expect(bitsOf(await limits.issueChallenge(address))).toBe(18)
  await limits.admitRegistration(address, undefined)
  expect(bitsOf(await limits.issueChallenge(address))).toBe(18)
})
