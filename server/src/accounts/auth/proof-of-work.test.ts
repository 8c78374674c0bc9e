import { hash, randomBytes } from 'node:crypto'
import { leadingZeroBits, proofMessage } from '@starside/contract/proof-of-work.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createProofsOfWork } from './proof-of-work.ts'

const bits = 6
const start = 1_800_000_000_000
const lifetimeMs = 5 * 60_000

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

function open(key = Buffer.alloc(32, 1)) {
  let now = start
  const proofs = createProofsOfWork(db.pool, { key, now: () => now, randomBytes })
  return { proofs, pass: (ms: number) => (now += ms) }
}
const zeroBits = (message: string) => leadingZeroBits(hash('sha256', message, 'buffer'))
/** The first number whose digest begins with so many zero bits. */
function solve(challenge: string, accepts = (zeros: number) => zeros >= bits): string {
  for (let answer = 0; ; answer += 1) {
    const proof = proofMessage(challenge, answer)
    if (accepts(zeroBits(proof))) return proof
  }
}
const address = '10.0.0.1'
const outcome = (
  proofs: ReturnType<typeof open>['proofs'],
  proof: string | undefined,
  at = address,
) => proofs.accept(proof, at).catch((error: unknown) => (error as { code: string }).code)

test('without a proof there is none, and nothing is refused', async () => {
  expect(await outcome(open().proofs, undefined)).toBe(false)
})

test('a proof opens one call', async () => {
  const { proofs } = open()
  const proof = solve(proofs.issue(address, bits))
  expect(await outcome(proofs, proof)).toBe(true)
  expect(await outcome(proofs, proof)).toBe('proof_required')
  expect(await outcome(proofs, solve(proofs.issue(address, bits)))).toBe(true)
})

test('a challenge says how hard it is and until when it may be answered', () => {
  const [difficulty, expiresAt, id, signature, ...more] = open()
    .proofs.issue(address, 18)
    .split('.')
  expect([difficulty, Number(expiresAt)]).toEqual(['18', start + lifetimeMs])
  expect([id?.length, signature?.length, more]).toEqual([16, 43, []])
})

test('a proof has exactly the bits that are asked for, or more', async () => {
  const { proofs } = open()
  const exact = (zeros: number) => zeros === bits
  const fewer = (zeros: number) => zeros === bits - 1
  expect(await outcome(proofs, solve(proofs.issue(address, bits), exact))).toBe(true)
  expect(await outcome(proofs, solve(proofs.issue(address, bits), fewer))).toBe('proof_required')
  // Two digits of bits are two digits.
  expect(
    await outcome(
      proofs,
      solve(proofs.issue(address, 10), (zeros) => zeros >= 10),
    ),
  ).toBe(true)
})

test('a challenge is valid up to the last moment of five minutes', async () => {
  const { proofs, pass } = open()
  const [early, late] = [solve(proofs.issue(address, bits)), solve(proofs.issue(address, bits))]
  pass(lifetimeMs - 1)
  expect(await outcome(proofs, early)).toBe(true)
  pass(1)
  expect(await outcome(proofs, late)).toBe('proof_required')
})

test('a challenge is for one network and of one key', async () => {
  const { proofs } = open()
  const { proofs: others } = open(Buffer.alloc(32, 2))
  const proof = solve(proofs.issue(address, bits))
  expect(await outcome(proofs, proof, '10.9.0.1')).toBe('proof_required')
  expect(await outcome(others, proof)).toBe('proof_required')
  const ofSite = solve(proofs.issue('2001:db8:1:1::1', bits))
  expect(await outcome(proofs, ofSite, '2001:db8:1:1::2')).toBe(true)
})

test('what is written around a proof, or changed in it, makes it none', async () => {
  const { proofs } = open()
  const proof = solve(proofs.issue(address, bits))
  const [difficulty = '', expiresAt = '', id = '', signature = '', answer = ''] = proof.split('.')
  const changed = [
    `x${proof}`,
    `${proof}x`,
    [`0${difficulty}`, expiresAt, id, signature, answer],
    [difficulty, String(Number(expiresAt) + 1), id, signature, answer],
    [difficulty, expiresAt, `${id.slice(1)}A`, signature, answer],
    [difficulty, expiresAt, id, `${signature}A`, answer],
    [difficulty, expiresAt, id, signature.slice(1), answer],
    [difficulty, expiresAt, id, signature, 'x'],
    [difficulty, expiresAt, id, signature],
    '',
  ].map((parts) => (typeof parts === 'string' ? parts : parts.join('.')))
  for (const wrong of changed) {
    expect(await outcome(proofs, wrong), wrong).toBe('proof_required')
  }
  expect(await outcome(proofs, proof)).toBe(true)
})
