import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShopper } from '../../testing/open-shopper.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { sendReceipt } from '../../payments/jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    worker: false,
    settings: { REFERRAL_BONUS_AFTER_CONFIRMATION: 'true', SIGN_IN_ALERTS: 'on' },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const asks = (language: string) => ({ 'accept-language': language })

test('mails follow the language that somebody registered with, then the one of the last sign-in', async () => {
  const person = newPerson()
  const subjects = () =>
    app.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
  await app.call('/api/auth?action=register', { json: person, headers: asks('es-MX,en;q=0.5') })
  await expect.poll(() => subjects()).toEqual(['Confirma tu correo en Starside'])
  const forget = () =>
    // Whoever asks for the mail is not always the one who gets it.
    app.call('/api/auth?action=forgot-password', {
      json: { email: person.email },
      headers: asks('en'),
    })
  await forget()
  await expect.poll(() => subjects()[1]).toBe('Pon una contraseña nueva en Starside')
  const { email, password } = person
  const signedIn = await app.call('/api/auth?action=login', {
    json: { email, password },
    headers: { ...asks('zh-CN'), 'user-agent': 'Another Browser 1.0' },
  })
  expect(signedIn.body).toMatchObject({ success: true })
  await expect.poll(() => subjects()[2]).toBe('Starside 有新的登录')
  await forget()
  await expect.poll(() => subjects()[3]).toBe('重设你在 Starside 的密码')
})

test('a receipt says in each language what was paid', async () => {
  const { database, mailer } = app.context
  const texts: string[] = []
  for (const language of ['en', 'es', 'zh', 'xx']) {
    const json = newPerson()
    const { body } = await app.call('/api/auth?action=register', { json, headers: asks('en') })
    await database.updateTable('users').set({ language }).where('email', '=', json.email).execute()
    const { orderId } = await openShopper(app).order('basic', { token: body.token, userId: '' })
    const parts = { database, mailer, publicUrl: 'https://selfie.example', siteName: 'Glitter' }
    await sendReceipt(parts, orderId)
    texts.push(app.mails.at(-1)?.text ?? '')
    expect(texts.at(-1)).toContain(orderId)
    expect(texts.at(-1)).not.toMatch(/[{}]/)
  }
  expect(texts[0]).toContain('Your payment of $10.00 of test money has arrived and 100 credits')
  expect(texts[1]).toContain('tu pago de $10.00 en dinero de prueba y se han añadido 100 créditos')
  expect(texts[2]).toContain('你的付款（$10.00 测试金额），100 个积分')
  // A language that a newer version stored.
  expect(texts[3]).toContain('Your payment of')
})
