import { hash } from 'node:crypto'
import { difficultyOf, leadingZeroBits, proofMessage } from '@starside/contract/proof-of-work.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { openBrowser } from '../../testing/open-browser.ts'

const registrationsMax = 3
const failuresMax = 2
/** Five times as many as of one account. */
const addressFailuresMax = failuresMax * 5

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    settings: {
      REGISTRATIONS_PER_ADDRESS_PER_DAY: String(registrationsMax),
      SIGN_IN_FAILURES_MAX: String(failuresMax),
      TRUST_PROXY: '1',
    },
    worker: false,
  })
})
afterAll(() => app[Symbol.asyncDispose]())

/** An address that no other test counts by. */
const newAddress = () => `${newNetwork()}.1`
const newSite = () => crypto.randomUUID().slice(0, 4)
const register = (address: string, extra: object = {}) =>
  openBrowser(app, { address }).call('/api/auth?action=register', { ...newPerson(), ...extra })
const fetchChallenge = async (address: string): Promise<string> =>
  (await openBrowser(app, { address }).call('/api/auth?action=challenge')).body.challenge

/** Any text in front of a number: the challenge as it is, or one that somebody has changed. */
function solve(challenge: string, bits = difficultyOf(challenge)): string {
  for (let answer = 0; ; answer += 1) {
    const proof = proofMessage(challenge, answer)
    if (leadingZeroBits(hash('sha256', proof, 'buffer')) >= bits) return proof
  }
}

async function useUpRegistrations(address: string) {
  for (let index = 0; index < registrationsMax; index += 1) {
    expect((await register(address)).status).toBe(200)
  }
}

describe('registrations of one network', () => {
  test('past the limit of a day they take a proof of work, and then go through', async () => {
    const address = newAddress()
    await useUpRegistrations(address)
    const refused = await register(address)
    expect([refused.status, refused.body.code]).toEqual([429, 'proof_required'])
    const proof = solve(await fetchChallenge(address))
    const { status, body } = await register(address, { proof })
    expect(status).toBe(200)
    const profile = await app.call('/api/user?action=profile', { token: body.token })
    expect(profile.body.user.creditsBalance).toBe(1)
  })

  test('a proof opens one call, for its network, while its challenge is fresh', async () => {
    const address = newAddress()
    await useUpRegistrations(address)
    const proof = solve(await fetchChallenge(address))
    const elsewhere = newAddress()
    await useUpRegistrations(elsewhere)
    expect((await register(elsewhere, { proof })).body.code).toBe('proof_required')
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(address, { proof })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

    const late = solve(await fetchChallenge(address))
    app.passTime(5 * 60_000)
    expect((await register(address, { proof: late })).body.code).toBe('proof_required')
  })

  test.for([
    ['no proof', () => 'x'],
    ['a number that was not worked for', (challenge: string) => proofMessage(challenge, 0)],
    [
      'a challenge that was made easier',
      (challenge: string) => solve(challenge.replace(/^\d+/, '1'), 1),
    ],
    [
      'a challenge of one’s own',
      () => solve(`1.${Date.now() + 60_000}.${'a'.repeat(16)}.${'b'.repeat(43)}`, 1),
    ],
  ] as const)('%s is refused', async ([, makeProof]) => {
    const address = newAddress()
    await useUpRegistrations(address)
    const proof = makeProof(await fetchChallenge(address))
    expect((await register(address, { proof })).body.code).toBe('proof_required')
  })

  test('many that are sent at once do not outrun the limit', async () => {
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(address)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(registrationsMax)
  })

  test('the addresses of one IPv6 customer count as one', async () => {
    const site = newSite()
    const answers = []
    for (let index = 1; index <= registrationsMax + 2; index += 1) {
      answers.push(await register(`2001:db8:77:${site}::${index.toString(16)}`))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(registrationsMax)
    expect((await register(`2001:db8:76:${site}::1`)).status).toBe(200)
  })

  test('the more there were, the harder is the challenge; what is refused makes it no harder', async () => {
    const address = newAddress()
    await useUpRegistrations(address)
    const before = difficultyOf(await fetchChallenge(address))
    for (let index = 0; index < 2 * registrationsMax; index += 1) await register(address)
    expect(difficultyOf(await fetchChallenge(address))).toBe(before)
    await sql`update rate_limits set points = ${registrationsMax * 4}
      where key like 'registration:%' and points = ${registrationsMax}`.execute(
      app.context.database,
    )
    expect(difficultyOf(await fetchChallenge(address))).toBe(before + 2)
    await sql`update rate_limits set points = 1000000
      where key like 'registration:%' and points = ${registrationsMax * 4}`.execute(
      app.context.database,
    )
    expect(difficultyOf(await fetchChallenge(address))).toBe(22)
  })
})

describe('wrong passwords of one network', () => {
  const logIn = (
    address: string,
    input: { email: string; password: string; proof?: string },
    cookie?: string,
  ) => openBrowser(app, { address, cookie }).call('/api/auth?action=login', input)

  /** Guesses at many accounts, as one careless person in an office does. */
  async function useUpFailures(address: string) {
    for (let guess = 0; guess < addressFailuresMax; guess += 1) {
      const email = `nobody-${crypto.randomUUID()}@example.test`
      expect((await logIn(address, { email, password: 'a guess' })).status).toBe(401)
    }
  }

  test('do not shut out a colleague whose browser is known', async () => {
    const address = newAddress()
    const person = newPerson()
    const own = openBrowser(app, { address })
    await own.call('/api/auth?action=register', person)
    await useUpFailures(address)
    expect((await own.call('/api/auth?action=login', person)).status).toBe(200)
  })

  test('cost a colleague with a new browser a proof of work', async () => {
    const address = newAddress()
    const person = newPerson()
    await openBrowser(app, { address }).call('/api/auth?action=register', person)
    await useUpFailures(address)
    expect((await logIn(address, person)).body.code).toBe('proof_required')
    const proof = solve(await fetchChallenge(address))
    expect((await logIn(address, { ...person, proof })).status).toBe(200)
    expect((await logIn(address, { ...person, proof })).body.code).toBe('proof_required')
  })

  test('with a proof they still count for the account', async () => {
    const address = newAddress()
    const person = newPerson()
    await openBrowser(app, { address }).call('/api/auth?action=register', person)
    for (let guess = 0; guess < failuresMax; guess += 1) {
      const proof = solve(await fetchChallenge(address))
      expect((await logIn(address, { ...person, password: 'a guess', proof })).status).toBe(401)
    }
    const proof = solve(await fetchChallenge(address))
    expect((await logIn(address, { ...person, proof })).body.code).toBe('sign_in_limited')
  })

  test('that are sent at once, each at another account, do not outrun the limit', async () => {
    const address = newAddress()
    const guesses = Array.from({ length: 40 }, (_, index) =>
      logIn(address, {
        email: `nobody-${index}-${crypto.randomUUID()}@example.test`,
        password: 'a guess',
      }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(
      addressFailuresMax,
    )
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30)
  })

  test('of one IPv6 customer count together', async () => {
    const site = newSite()
    const statuses = []
    for (let guess = 0; guess < addressFailuresMax + 3; guess += 1) {
      const email = `nobody-${crypto.randomUUID()}@example.test`
      const { status } = await logIn(`2001:db8:78:${site}::${guess}`, {
        email,
        password: 'a guess',
      })
      statuses.push(status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(addressFailuresMax)
  })
})

test('no limit keeps an address or an e-mail that can be read', async () => {
  const address = newAddress()
  const site = `2001:db8:79:${newSite()}`
  const person = newPerson()
  const browser = openBrowser(app, { address })
  await browser.call('/api/auth?action=register', person)
  await openBrowser(app, { address: `${site}::5` }).call('/api/auth?action=login', {
    email: person.email,
    password: 'a guess',
  })
  await browser.call('/api/auth?action=login', { ...person, password: 'a guess' })
  await browser.call('/api/auth?action=forgot-password', { email: person.email })
  await browser.call('/api/auth?action=reset-password', { token: 'x', password: 'long enough' })
  const { rows } = await sql<{ key: string }>`select key from rate_limits`.execute(
    app.context.database,
  )
  const keys = rows.map(({ key }) => key)
  expect(new Set(keys.map((key) => key.split(':')[0]))).toEqual(
    new Set([
      'registration',
      'sign-in-account',
      'sign-in-address',
      'reset-account',
      'reset-address',
      'wrong-token',
      'proof-of-work',
    ]),
  )
  for (const key of keys) expect(key).toMatch(/^[a-z-]+:[\w-]+$/)
  // Nor one that can be found by trying all addresses: it takes our key.
  const plain = [address, site].map((text) => hash('sha256', text, 'base64url'))
  expect(keys.filter((key) => plain.some((digest) => key.endsWith(digest)))).toEqual([])
})
