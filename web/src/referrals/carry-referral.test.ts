import { beforeEach, expect, it } from 'vitest'
import {
  carriedReferralCode,
  referralCodeOf,
  registrationPath,
  rememberReferralCode,
} from './carry-referral.ts'

beforeEach(() => sessionStorage.clear())

it('reads the code of an address', () => {
  expect(referralCodeOf('?ref=ABCD2345&selfie=x')).toBe('ABCD2345')
  expect(referralCodeOf('?ref=%20')).toBeNull()
  expect(referralCodeOf('')).toBeNull()
})

it('carries a code on, the newest first', () => {
  rememberReferralCode('FIRST234')
  expect(carriedReferralCode('')).toBe('FIRST234')
  expect(carriedReferralCode('?ref=SECOND23')).toBe('SECOND23')
})

it('leads to the registration form, with the code when there is one', () => {
  expect(registrationPath(null)).toBe('/auth?mode=register')
  expect(registrationPath('A&B')).toBe('/auth?mode=register&ref=A%26B')
})
