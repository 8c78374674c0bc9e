import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

const failuresMax = 4

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    settings: { SIGN_IN_FAILURES_MAX: String(failuresMax), TRUST_PROXY: '1' },
    worker: false,
  })
})
afterAll(() => app[Symbol.asyncDispose]())

/** A browser at an address of its own, which keeps the one cookie that it is given. */
function openBrowser(agent = 'a browser', planted?: string) {
  const address = `${newNetwork()}.1`
  let cookie = planted
  return async (path: string, json: unknown, token?: string) => {
    const answer = await app.call(path, {
      json,
      ...(token === undefined ? {} : { token }),
      headers: {
        'user-agent': agent,
        'x-forwarded-for': address,
        ...(cookie === undefined ? {} : { cookie }),
      },
    })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return answer
  }
}

type Browser = ReturnType<typeof openBrowser>

async function registerIn(browser: Browser, person: ReturnType<typeof newPerson>): Promise<string> {
  const { body } = await browser('/api/auth?action=register', person)
  return body.token
}

const logIn = async (browser: Browser, person: { email: string; password: string }) =>
  (await browser('/api/auth?action=login', person)).status

/** Guesses until the account is closed to strangers; answers the browser that did it. */
async function lockFromOutside(person: { email: string }): Promise<Browser> {
  const stranger = openBrowser()
  for (let guess = 0; guess < failuresMax; guess += 1) {
    expect(await logIn(stranger, { email: person.email, password: `guess ${guess}` })).toBe(401)
  }
  return stranger
}

test('strangers who guess do not keep the owner out of their own browser', async () => {
  const person = newPerson()
  const own = openBrowser()
  await registerIn(own, person)
  const stranger = await lockFromOutside(person)
  expect(await logIn(stranger, person)).toBe(429)
  expect(await logIn(openBrowser(), person)).toBe(429)
  expect(await logIn(own, person)).toBe(200)
  // What the owner does forgives nothing to strangers.
  expect(await logIn(openBrowser(), person)).toBe(429)
})

test('guesses in the owner’s own browser are counted too, by themselves', async () => {
  const person = newPerson()
  const own = openBrowser()
  await registerIn(own, person)
  for (let guess = 0; guess < failuresMax; guess += 1) {
    expect(await logIn(own, { ...person, password: `guess ${guess}` })).toBe(401)
  }
  expect(await logIn(own, person)).toBe(429)
  expect(await logIn(openBrowser(), person)).toBe(200)
})

/** A cookie that we signed for somebody else’s browser. */
async function cookieOfStranger(): Promise<string> {
  const { headers } = await app.call('/api/auth?action=register', { json: newPerson() })
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

test.for([
  [
    'that we never signed',
    async () => `__Host-device=${'A'.repeat(22)}.${'A'.repeat(22)}.${'A'.repeat(43)}`,
  ],
  ['of another form', async () => `device=${'A'.repeat(22)}`],
  ['of their own browser', cookieOfStranger],
] as const)(
  'strangers who put a cookie %s into the owner’s browser are strangers still',
  async ([, make]) => {
    const planted = await make()
    for (const isPlantedFirst of [true, false]) {
      const person = newPerson()
      const own = openBrowser('the owner', isPlantedFirst ? planted : undefined)
      await registerIn(isPlantedFirst ? own : openBrowser(), person)
      const later = isPlantedFirst ? own : openBrowser('the owner', planted)
      expect(await logIn(later, person)).toBe(200)
      await lockFromOutside(person)
      expect(await logIn(openBrowser('a stranger', planted), person)).toBe(429)
      expect(await logIn(later, person)).toBe(200)
    }
  },
)

test('a right password forgets the failures of its own browser, and never those of strangers', async () => {
  const person = newPerson()
  const own = openBrowser()
  await registerIn(own, person)
  await lockFromOutside(person)
  for (let round = 0; round < 2; round += 1) {
    for (let guess = 0; guess < failuresMax - 1; guess += 1) {
      expect(await logIn(own, { ...person, password: `guess ${guess}` })).toBe(401)
    }
    expect(await logIn(own, person)).toBe(200)
  }
  expect(await logIn(openBrowser(), person)).toBe(429)
})

test('a browser is trusted by its cookie, not by its looks', async () => {
  const person = newPerson()
  await registerIn(openBrowser('the browser of everybody'), person)
  await lockFromOutside(person)
  expect(await logIn(openBrowser('the browser of everybody'), person)).toBe(429)
})

test.for([
  ['/api/user?action=delete-account', 'password'],
  ['/api/auth?action=change-password', 'currentPassword'],
] as const)('guesses with a stolen session at %s are stopped', async ([path, field]) => {
  const person = newPerson()
  const own = openBrowser()
  const token = await registerIn(own, person)
  // Failures without a session don't count here.
  await lockFromOutside(person)
  const attempt = async (password: string) => {
    const { body } = await own(path, { [field]: password, newPassword: 'another secret' }, token)
    return body.code
  }
  for (let guess = 0; guess < failuresMax; guess += 1) {
    expect(await attempt(`guess ${guess}`)).toBe('password_wrong')
  }
  expect(await attempt(person.password)).toBe('sign_in_limited')
})

test('a right password forgets the failures before it', async () => {
  const person = newPerson()
  await registerIn(openBrowser(), person)
  for (let round = 0; round < 3; round += 1) {
    const stranger = openBrowser()
    for (let guess = 0; guess < failuresMax - 1; guess += 1) {
      expect(await logIn(stranger, { ...person, password: `guess ${guess}` })).toBe(401)
    }
    expect(await logIn(openBrowser(), person)).toBe(200)
  }
})

test('failures count until their time is over, and no longer', async () => {
  const person = newPerson()
  await registerIn(openBrowser(), person)
  await lockFromOutside(person)
  const moveExpiry = (toMs: number) =>
    sql`update rate_limits set expire = ${Date.now() + toMs} where key like 'sign-in-account:%'`.execute(
      app.context.database,
    )
  await moveExpiry(60_000)
  expect(await logIn(openBrowser(), person)).toBe(429)
  await moveExpiry(-1)
  expect(await logIn(openBrowser(), person)).toBe(200)
})
