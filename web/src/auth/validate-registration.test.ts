import { expect, it } from 'vitest'
import { findRegistrationFault } from './auth-form.tsx'

const good = { username: 'ada', email: 'a@b.c', password: '123456', confirmPassword: '123456' }

it.each([
  [{}, null],
  [{ email: '', password: '1', username: 'a' }, 'fieldsRequired'],
  [{ username: '' }, 'fieldsRequired'],
  [{ password: '12', username: 'a' }, 'passwordsDiffer'],
  [{ password: '12345', confirmPassword: '12345', username: 'a' }, 'passwordTooShort'],
  [{ username: 'ab' }, 'usernameTooShort'],
] as const)('%j: the first fault in order is %s', (change, fault) => {
  expect(findRegistrationFault({ ...good, ...change })).toBe(fault)
})
