import { expect, test } from 'vitest'
import { mailboxOf, normaliseEmail } from './mailbox.ts'

test.for([
  ['Jane.Doe@Gmail.com', 'janedoe@gmail.com'],
  ['janedoe+selfies@googlemail.com', 'janedoe@gmail.com'],
  ['j.a.n.e.d.o.e+1+2@gmail.com.', 'janedoe@gmail.com'],
  ['jane.doe+selfies@example.org', 'jane.doe@example.org'],
  ['jane.doe@ｅｘａｍｐｌｅ.org', 'jane.doe@example.org'],
  ['ｊane.doe@example.org', 'jane.doe@example.org'],
  ['+label@example.org', '+label@example.org'],
  ['jane.doe@not-gmail.com', 'jane.doe@not-gmail.com'],
] as const)('%s is delivered to %s', ([email, mailbox]) => {
  expect(mailboxOf(normaliseEmail(email))).toBe(mailbox)
})

test('two people at one service have two mailboxes', () => {
  expect(mailboxOf('jane.doe@example.org')).not.toBe(mailboxOf('janedoe@example.org'))
})

test('an e-mail is the same in whatever form its letters are composed', () => {
  const composed = 'jos\u00E9@example.org'
  const decomposed = 'jose\u0301@example.org'
  expect(normaliseEmail(decomposed)).toBe(composed)
  expect(normaliseEmail(` ${composed.toUpperCase()} `)).toBe(composed)
})
