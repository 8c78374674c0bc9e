import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { leadingZeroBits, proofMessage } from '@starside/contract/proof-of-work.ts'
import { ApiError } from '../api/call.ts'
import * as api from '../api/call.ts'
import { findProof } from './find-proof.ts'
import * as worker from '../ui/ask-worker.ts'
import { withProof } from './with-proof.ts'

afterEach(() => vi.restoreAllMocks())

const challenge = '10.1790000000000.abcdefghijklmnop.signature'
const refusal = new ApiError('work first', 429, 'proof_required', true)

test('a proof begins with the challenge, and its hash with the zero bits that it asks for', () => {
  const proof = findProof(challenge)
  expect(proof.startsWith(`${challenge}.`)).toBe(true)
  expect(leadingZeroBits(createHash('sha256').update(proof).digest())).toBeGreaterThanOrEqual(10)
})

test('a proof is the first number that does, though it has no bit more than is asked for', () => {
  const bitsOf = (proof: string) => leadingZeroBits(createHash('sha256').update(proof).digest())
  const bits = Array.from({ length: 8 }, (_, n) => {
    const asked = `4.1790000000000.abcdefghijklmno${n}.signature`
    const first = Array.from({ length: 1_000 }, (_each, answer) =>
      proofMessage(asked, answer),
    ).find((proof) => bitsOf(proof) >= 4)
    expect(findProof(asked)).toBe(first)
    return bitsOf(first ?? '')
  })
  expect(bits).toContain(4)
})

test('a call that asks for a proof is made once more with one', async () => {
  vi.spyOn(api, 'call').mockResolvedValue({ success: true, challenge })
  vi.spyOn(worker, 'askWorker').mockImplementation(async (_worker, text) => findProof(String(text)))
  const act = vi.fn<(body: object) => Promise<string>>()
  act.mockRejectedValueOnce(refusal).mockResolvedValueOnce('done')
  expect(await withProof({ email: 'a' }, act)).toBe('done')
  expect(act.mock.calls).toEqual([[{ email: 'a' }], [{ email: 'a', proof: findProof(challenge) }]])
})

test('another failure is reported at once, and a second refusal is not tried again', async () => {
  const wrong = new ApiError('wrong', 401, 'credentials_wrong', true)
  const fails = vi.fn<() => Promise<never>>().mockRejectedValue(wrong)
  await expect(withProof({}, fails)).rejects.toBe(wrong)
  expect(fails).toHaveBeenCalledTimes(1)

  vi.spyOn(api, 'call').mockResolvedValue({ success: true, challenge })
  vi.spyOn(worker, 'askWorker').mockResolvedValue('a proof')
  const refuses = vi.fn<() => Promise<never>>().mockRejectedValue(refusal)
  await expect(withProof({}, refuses)).rejects.toBe(refusal)
  expect(refuses).toHaveBeenCalledTimes(2)
})
