import { expect, it } from 'vitest'
import { findRegistrationFault } from '@starside/contract/registration.ts'

const good = { username: 'ada', email: 'a@b.c', password: '123456', confirmPassword: '123456' }

it.each([
  [{}, null],
  [{ email: '', password: '1', username: 'a' }, 'fields_required'],
  [{ username: '' }, 'fields_required'],
  [{ password: '12', username: 'a' }, 'passwords_differ'],
  [{ password: '12345', confirmPassword: '12345', username: 'a' }, 'password_too_short'],
  [{ username: 'ab' }, 'username_too_short'],
] as const)('%j: the first fault in order is %s', (change, fault) => {
  expect(findRegistrationFault({ ...good, ...change })).toBe(fault)
})
