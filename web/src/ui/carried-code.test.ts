import { beforeEach, expect, it } from 'vitest'
import { carriedCode, codeOf, forgetCode, registrationPath, rememberCode } from './carried-code.ts'

beforeEach(() => sessionStorage.clear())

it.each([
  ['ref', '?ref=ABCD2345&selfie=x', 'ABCD2345'],
  ['ref', '?ref=%20', null],
  ['ref', '', null],
  ['voucher', '?voucher=7K3M-9QXT', '7K3M-9QXT'],
  ['voucher', '?voucher=%20abc%20', 'abc'],
  ['voucher', '?voucher=', null],
  ['voucher', '?ref=ABC', null],
  ['voucher', `?voucher=${'9'.repeat(900)}`, '9'.repeat(60)],
] as const)('the code %s of %j is %j', (name, search, code) => {
  expect(codeOf(name, search)).toBe(code)
})

it('carries a code on, the newest first', () => {
  rememberCode('ref', 'FIRST234')
  expect(carriedCode('ref', '')).toBe('FIRST234')
  expect(carriedCode('ref', '?ref=SECOND23')).toBe('SECOND23')
})

it('a code waits in the tab until it is forgotten', () => {
  rememberCode('voucher', '7K3M')
  expect([carriedCode('voucher'), carriedCode('ref')]).toEqual(['7K3M', null])
  forgetCode('voucher')
  expect(carriedCode('voucher')).toBeNull()
})

it('leads to the registration form, with the code when there is one', () => {
  expect(registrationPath(null)).toBe('/auth?mode=register')
  expect(registrationPath('A&B')).toBe('/auth?mode=register&ref=A%26B')
})
