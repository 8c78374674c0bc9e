import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { expect, test } from 'vitest'
import { checkPassword, checkRegistration } from './check-registration.ts'

const right = { email: 'me@example.org', password: 'correct horse', username: 'Someone' }
const check = (more: object) => checkRegistration({ ...right, ...more })
const codeOf = (more: object): string => {
  try {
    check(more)
    return 'none'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('what is written around fields doesn’t count', () => {
  expect(
    check({ email: ' Me@Example.org ', username: ' Someone ', referralCode: ' abc ' }),
  ).toEqual({
    email: 'me@example.org',
    password: 'correct horse',
    username: 'Someone',
    referralCode: 'ABC',
  })
  for (const referralCode of [undefined, null, '', '  ']) {
    expect(check({ referralCode }).referralCode).toBeUndefined()
  }
})

test.each([
  [{ email: undefined }, 'fields_required'],
  [{ password: undefined }, 'fields_required'],
  [{ username: undefined }, 'fields_required'],
  [{ username: '  ' }, 'fields_required'],
  [{ email: '  ' }, 'fields_required'],
  [{ password: '12345' }, 'password_too_short'],
  [{ password: '123456' }, 'none'],
  [{ password: 'x'.repeat(256) }, 'none'],
  [{ password: 'x'.repeat(257) }, 'password_too_long'],
  [{ username: 'ab' }, 'username_too_short'],
  [{ username: 'abc' }, 'none'],
  [{ username: 'a'.repeat(40) }, 'none'],
  [{ username: 'a'.repeat(41) }, 'username_too_long'],
  [{ username: 'a\u200bbc' }, 'username_invalid'],
  [{ referralCode: 'A'.repeat(33) }, 'referral_unknown'],
] as const)('%j: %s', (more, code) => expect(codeOf(more)).toBe(code))

test('a referral code may be as long as the longest and no longer', () => {
  expect(codeOf({ referralCode: 'A'.repeat(referralCodeLengthMax) })).toBe('none')
  expect(codeOf({ referralCode: 'A'.repeat(referralCodeLengthMax + 1) })).toBe('referral_unknown')
})

test.each([
  'a@b',
  'a.b+c@d-e.example',
  `${'a'.repeat(64)}@example.org`,
  `${'a'.repeat(64)}@${'b'.repeat(254 - 65)}`,
  '陈@例子.中国',
])('%s is an e-mail', (email) => expect(codeOf({ email })).toBe('none'))

test.each([
  'nobody',
  '@example.org',
  'a@',
  'a@b@c',
  'a b@example.org',
  'a@exa mple.org',
  'a@.org',
  'a@b..org',
  'a@b.',
  'a\u0000@example.org',
  'a@b\u0000.org',
  'a@b.c\u0000',
  'a@b.c d',
  'a@b.c@',
  `${'a'.repeat(65)}@example.org`,
  `${'a'.repeat(64)}@${'b'.repeat(255 - 65)}`,
])('%j is no e-mail', (email) => expect(codeOf({ email })).toBe('email_invalid'))

test('a new password is as long as one of a registration', () => {
  expect(() => checkPassword('12345')).toThrow('at least 6')
  expect(() => checkPassword('x'.repeat(257))).toThrow('at most 256')
  checkPassword('123456')
  checkPassword('x'.repeat(256))
})
