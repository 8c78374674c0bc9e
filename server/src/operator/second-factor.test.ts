import { expect, test } from 'vitest'
import { findTotpStep, toBase32, totpCode, totpUri } from './second-factor.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %i s is that of RFC 6238, appendix B', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30), 8)).toBe(code)
})

test.each([
  ['the same step', 0, true],
  ['a clock 30 s behind', -30, true],
  ['a clock 30 s ahead', 30, true],
  ['a clock 60 s behind', -60, false],
  ['a clock 60 s ahead', 60, false],
])('a code of %s is taken: %s s, %s', (_what, offsetSeconds, isTaken) => {
  const now = new Date(1_700_000_010_000)
  const step = Math.floor((now.getTime() / 1_000 + offsetSeconds) / 30)
  const found = findTotpStep(secret, totpCode(secret, step), { now, lastStep: 0 })
  expect(found).toBe(isTaken ? step : undefined)
})

test('a code is taken once, and none of an earlier step after it', () => {
  const now = new Date(1_700_000_010_000)
  const step = Math.floor(now.getTime() / 30_000)
  const lastStep = findTotpStep(secret, totpCode(secret, step), { now, lastStep: 0 }) ?? 0
  expect(findTotpStep(secret, totpCode(secret, step), { now, lastStep })).toBeUndefined()
  expect(findTotpStep(secret, totpCode(secret, step - 1), { now, lastStep })).toBeUndefined()
})

test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('%j is no code', (code) => {
  expect(findTotpStep(secret, code, { now: new Date(), lastStep: 0 })).toBeUndefined()
})

test('a secret is written as apps read it', () => {
  // RFC 4648, section 10.
  expect(
    ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text))),
  ).toEqual(['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
  expect(totpUri(secret, { issuer: 'My Shop', name: 'kim@example' })).toBe(
    'otpauth://totp/My%20Shop:kim%40example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=My%20Shop',
  )
})
