import { expect, test } from 'vitest'
import { checkRegistration } from './check-registration.ts'

const register = (email: string) =>
  checkRegistration({ email, password: 'correct horse', username: 'Ada' }).email

test.for([
  'ada@a.example',
  'ada.b+c@a.example',
  "o'neill@a.example",
  'ren\u00E9@a.example',
  '用户@例子.example',
  'ada@localhost',
])('%j is an e-mail', (email) => {
  expect(register(email)).toBe(email)
})

test.for([
  '<ada@a.example>',
  'x,ada@a.example',
  'x;ada@a.example',
  'ada(x)@a.example',
  'Ada:ada@a.example',
  '"ada"@a.example',
  'a\\da@a.example',
  'ada@[127.0.0.1]',
  'ada@a.example>',
  'ada@a.example,b.example',
  'ada@b@a.example',
])('%j is none: mail programs would read another address in it, or none', (email) => {
  expect(() => register(email)).toThrow(expect.objectContaining({ code: 'email_invalid' }))
})
