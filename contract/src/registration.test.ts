import { expect, test } from 'vitest'
import { findPasswordFault, findRegistrationFault } from './registration.ts'

const fields = { email: 'ada@a.example', username: 'Ada', password: 'secret' }

test.each([
  [{}, null],
  [{ email: '' }, 'fields_required'],
  [{ username: '' }, 'fields_required'],
  [{ password: '' }, 'fields_required'],
  [{ confirmPassword: 'secret' }, null],
  [{ confirmPassword: 'Secret' }, 'passwords_differ'],
  [{ password: '12345', confirmPassword: '1234' }, 'passwords_differ'],
  [{ password: '12345', username: 'ab' }, 'password_too_short'],
  [{ password: '12345' }, 'password_too_short'],
  [{ username: 'ab' }, 'username_too_short'],
])('of a registration with %j the first fault is %s', (more, fault) => {
  expect(findRegistrationFault({ ...fields, ...more })).toBe(fault)
})

test('a password of six characters is long enough, typed once or twice', () => {
  expect(findPasswordFault({ password: '123456' })).toBeNull()
  expect(findPasswordFault({ password: '12345' })).toBe('password_too_short')
  expect(findPasswordFault({ password: '123456', confirmPassword: '' })).toBe('passwords_differ')
})
