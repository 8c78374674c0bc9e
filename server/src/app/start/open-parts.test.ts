import { expect, test } from 'vitest'
import { openMailer } from './open-parts.ts'

test.each([
  ['development', true],
  ['production', false],
])('without a mail server mails are shown on the console of %s: %s', (environment, isSetUp) => {
  const config = { environment, smtpUrl: undefined }
  // In production the console is a log, which may hold no link.
  expect(openMailer({ config } as never, {} as never)).toMatchObject({ isSetUp })
})
