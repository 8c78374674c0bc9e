import { expect, test } from 'vitest'
import { alertSignIn } from './sign-in.ts'

function mailOf(userAgent: string): string {
  const texts: string[] = []
  alertSignIn(
    { isSetUp: true, send: async ({ text }) => void texts.push(text) },
    { email: 'me@example.org', language: 'en' },
    {
      origin: { address: '10.0.0.1', userAgent },
      now: new Date('2026-11-20T12:00:00Z'),
      publicUrl: 'https://selfie.example',
      siteName: 'Starside',
    },
  )
  return texts.join()
}

test('an alert has when, from where and with which program somebody signed in', () => {
  const text = mailOf('A browser 1.0')
  expect(text).toContain(
    'Time: Fri, 20 Nov 2026 12:00:00 GMT\nAddress: 10.0.0.1\nProgram: A browser 1.0\n\n',
  )
  expect(text).toContain('https://selfie.example/auth?mode=forgot')
})

test('a program can’t write lines of its own into the mail, nor a link', () => {
  expect(mailOf('Prize: evil.example/x 1.0')).toContain('Program: Prize: evil example/x 1.0\n')
  expect(mailOf('A\r\n\r\nClick\u200bhere')).toContain('Program: A Click here\n')
  expect(mailOf('\u0000 ')).toContain('Program: unknown\n')
  expect(mailOf('')).toContain('Program: unknown\n')
})
