import { expect, test } from 'vitest'
import { createMailer, describeMissingMail } from './mailer.ts'

const mail = {
  to: 'person@example.test',
  subject: 'Set a new password',
  text: 'https://selfie.example/auth?mode=reset#token=secret',
}
const open = (writeToConsole?: (text: string) => void) => {
  const logged: unknown[] = []
  const log = { error: (...line: unknown[]) => logged.push(line) }
  const from = () => 'Starside <no-reply@selfie.example>'
  return { mailer: createMailer({ smtpUrl: undefined, from, writeToConsole, log }), logged }
}

test('without a mail server the terminal shows mails, where there is somebody to read it', async () => {
  const printed: string[] = []
  const { mailer } = open((text) => printed.push(text))
  await mailer.send(mail)
  expect(printed.join('')).toContain(mail.text)
  expect(mailer.isSetUp).toBe(true)
  expect(describeMissingMail(mailer)).toBeUndefined()
})

test('without either, nothing is written anywhere, and what does not work is said', async () => {
  const { mailer, logged } = open()
  await mailer.send(mail)
  expect(logged).toEqual([])
  expect(mailer.isSetUp).toBe(false)
  expect(describeMissingMail(mailer)).toMatch(/^SMTP_URL is not set.*passwords/)
})
