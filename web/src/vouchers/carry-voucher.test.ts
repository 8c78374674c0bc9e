import { expect, test } from 'vitest'
import {
  carriedVoucherCode,
  forgetVoucherCode,
  rememberVoucherCode,
  voucherCodeOf,
} from './carry-voucher.ts'

test.each([
  ['?voucher=7K3M-9QXT', '7K3M-9QXT'],
  ['?voucher=%20abc%20', 'abc'],
  ['?voucher=', null],
  ['?ref=ABC', null],
  [`?voucher=${'9'.repeat(900)}`, '9'.repeat(60)],
])('the code of %j is %j', (search, code) => {
  expect(voucherCodeOf(search)).toBe(code)
})

test('a code waits in the tab until it is forgotten', () => {
  rememberVoucherCode('7K3M')
  expect(carriedVoucherCode()).toBe('7K3M')
  forgetVoucherCode()
  expect(carriedVoucherCode()).toBeNull()
})
