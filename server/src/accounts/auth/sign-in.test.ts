import { hash, randomBytes } from 'node:crypto'
import type { Language } from '@starside/contract/languages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { newDevice } from '../../testing/new-device.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import type { DeviceMark } from './device.ts'
import { createGuessLimits } from './guess-limits.ts'
import { hashPassword } from './password.ts'
import { signIn } from './sign-in.ts'

const password = 'correct horse'
const failuresMax = 3

let db: Awaited<ReturnType<typeof openTestDatabase>>
let passwordHash: string
beforeAll(async () => {
  db = await openTestDatabase(4)
  passwordHash = await hashPassword(password)
})
afterAll(() => db[Symbol.asyncDispose]())

async function openPerson() {
  const userId = await makeUser(db.database)
  const email = `${crypto.randomUUID()}@example.org`
  await db.pool.query('update users set email = $2, password_hash = $3 where id = $1', [
    userId,
    email,
    passwordHash,
  ])
  return { userId, email }
}
/** A browser at an address of its own, which shows what it was last given. */
function openBrowser() {
  let shown: DeviceMark | undefined
  const device = newDevice()
  const origin = { address: `${newNetwork()}.1`, userAgent: 'a browser' }
  const limits = createGuessLimits(db.pool, {
    failuresMax,
    digest: (text) => hash('sha256', text, 'buffer'),
  })
  return async (
    email: string,
    { word = password, language = 'en' }: { word?: string; language?: Language } = {},
  ) => {
    const signedIn = await signIn(
      db,
      { email, password: word },
      {
        now: new Date(),
        randomBytes,
        origin,
        // What a browser may be given is another one each time.
        device: { ...device, fresh: newDevice().fresh, shown },
        limits,
        hasProof: false,
        language,
      },
    )
    shown = signedIn.deviceMark
    return signedIn
  }
}
async function languageOf(userId: string): Promise<string> {
  const { language } = await db.database
    .selectFrom('users')
    .select('language')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return language
}

test('mails follow the language of the last sign-in, of that person alone', async () => {
  const [person, other] = [await openPerson(), await openPerson()]
  const logIn = openBrowser()
  expect((await logIn(person.email, { language: 'es' })).language).toBe('es')
  expect([await languageOf(person.userId), await languageOf(other.userId)]).toEqual(['es', 'en'])
  await logIn(person.email, { language: 'es' })
  expect(await languageOf(person.userId)).toBe('es')
  await logIn(person.email, { language: 'zh' })
  expect(await languageOf(person.userId)).toBe('zh')
})

test('failures in one of a person’s browsers close no other one of theirs', async () => {
  const person = await openPerson()
  const [one, other] = [openBrowser(), openBrowser()]
  await one(person.email)
  await other(person.email)
  for (let guess = 0; guess < failuresMax; guess += 1) {
    await expect(one(person.email, { word: 'a guess' })).rejects.toMatchObject({
      code: 'credentials_wrong',
    })
  }
  await expect(one(person.email)).rejects.toMatchObject({ code: 'sign_in_limited' })
  expect((await other(person.email)).isNewDevice).toBe(false)
})

test('a browser keeps its mark for who is known by it, and gets a new one from everybody else', async () => {
  const [person, other] = [await openPerson(), await openPerson()]
  const logIn = openBrowser()
  const { deviceMark } = await logIn(person.email)
  expect((await logIn(person.email)).deviceMark).toEqual(deviceMark)
  expect((await logIn(other.email)).deviceMark).not.toEqual(deviceMark)
})
