import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteExpiredSecrets } from '../auth/jobs.ts'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { openBrowser } from '../../testing/open-browser.ts'
import { untilWaiting } from '../../testing/until-waiting.ts'

const perAddressMax = 3
const perDeviceMax = 2
const perReferrerMax = 5

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    settings: {
      REFERRALS_PER_ADDRESS_PER_DAY: String(perAddressMax),
      REFERRALS_PER_DEVICE_MAX: String(perDeviceMax),
      REFERRALS_PER_REFERRER_MAX: String(perReferrerMax),
      TRUST_PROXY: '1',
    },
    worker: false,
  })
})
afterAll(() => app[Symbol.asyncDispose]())

let network: string
beforeEach(() => {
  network = newNetwork()
})

async function openReferrer(): Promise<string> {
  const { token } = await app.register()
  const { body } = await app.call('/api/user?action=profile', { token })
  return body.user.referralCode
}

/** The beginning of an e-mail that nobody has registered with. */
const newMailbox = () => `m${crypto.randomUUID().replaceAll('-', '')}`

/** Registers somebody with the code; answers whether they got a bonus beside the signup credit. */
async function join(
  referralCode: string,
  from: { address: string; cookie?: string | undefined; email?: string },
): Promise<boolean> {
  const person = { ...newPerson(), ...(from.email === undefined ? {} : { email: from.email }) }
  const browser = openBrowser(app, from)
  const { body } = await browser.call('/api/auth?action=register', { ...person, referralCode })
  const { token } = body
  const profile = await app.call('/api/user?action=profile', { token })
  return profile.body.user.creditsBalance === 3
}

/**
 * How many of the registrations bring a bonus when all of them have looked at the limits before the
 * first is written down. Whatever keeps them apart must make the others wait before they look.
 */
async function countBonuses(begin: () => Promise<boolean>[]): Promise<number> {
  const { pool } = app.context
  const held = await pool.connect()
  try {
    await held.query('begin')
    // Who writes a referral waits; who reads them doesn't.
    await held.query('lock table referrals in exclusive mode')
    const joins = begin()
    await untilWaiting(pool, joins.length)
    await held.query('commit')
    return (await Promise.all(joins)).filter(Boolean).length
  } finally {
    held.release()
  }
}

describe('bonuses for registrations that are sent at once', () => {
  test('of one network block, each with another code, stay within its limit of a day', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, openReferrer))
    const joins = () =>
      codes.map((code, index) => join(code, { address: `${network}.${index + 1}` }))
    expect(await countBonuses(joins)).toBe(perAddressMax)
  })

  test('of one IPv6 site count together, however its addresses are written', async () => {
    const codes = await Promise.all(Array.from({ length: 5 }, openReferrer))
    const site = crypto.randomUUID().slice(0, 4)
    const joins = () =>
      codes.map((code, index) =>
        join(code, {
          address: index % 2 ? `2001:db8:${site}:${index}::1` : `2001:0DB8:${site}:${index}:0::1`,
        }),
      )
    expect(await countBonuses(joins)).toBe(perAddressMax)
  })

  test('of one browser in many networks, each with another code, stay within its limit', async () => {
    const browser = openBrowser(app, { address: `${network}.1` })
    await browser.call('/api/auth?action=register', newPerson())
    const codes = await Promise.all(Array.from({ length: 6 }, openReferrer))
    const joins = () =>
      codes.map((code) => join(code, { address: `${newNetwork()}.1`, cookie: browser.cookie() }))
    expect(await countBonuses(joins)).toBe(perDeviceMax)
  })

  test('with one code from many networks stay within the limit of its owner', async () => {
    const code = await openReferrer()
    const joins = () =>
      Array.from({ length: 9 }, () => join(code, { address: `${newNetwork()}.1` }))
    expect(await countBonuses(joins)).toBe(perReferrerMax)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('count for a day: on the next one the block gets bonuses again', async () => {
    const codes = await Promise.all(Array.from({ length: perAddressMax + 2 }, openReferrer))
    for (const [index, code] of codes.slice(0, -1).entries()) {
      expect(await join(code, { address: `${network}.1` })).toBe(index < perAddressMax)
    }
    const next = codes.at(-1) ?? ''
    app.passTime(23 * 60 * 60_000)
    expect(await join(next, { address: `${network}.1` })).toBe(false)
    app.passTime(60 * 60_000)
    expect(await join(next, { address: `${network}.1` })).toBe(true)
  })
})

test('the code of a suspended account is as good as none', async () => {
  const { token, userId } = await app.register()
  const { body } = await app.call('/api/user?action=profile', { token })
  await sql`update users set status = 'suspended' where id = ${userId}`.execute(
    app.context.database,
  )
  const { referralCode } = body.user
  const person = newPerson()
  const refused = await app.call('/api/auth?action=register', { json: { ...person, referralCode } })
  expect(refused.body.code).toBe('referral_unknown')
  expect((await app.call('/api/auth?action=register', { json: person })).status).toBe(200)
})

describe('a new account is told', () => {
  const noticesOf = async (
    person: { email?: string; referralCode?: string },
    from = { address: `${network}.1` },
  ) => {
    const browser = openBrowser(app, from)
    const { body } = await browser.call('/api/auth?action=register', { ...newPerson(), ...person })
    return body.notices as string[]
  }

  test('nothing when it gets all that it may expect', async () => {
    expect(await noticesOf({})).toEqual([])
    expect(await noticesOf({ referralCode: await openReferrer() })).toEqual([])
  })

  test('that its mailbox had the free credit, and that there is no bonus either', async () => {
    const name = newMailbox()
    await noticesOf({ email: `${name}@example.org` })
    const email = `${name}+2@example.org`
    expect(await noticesOf({ email })).toEqual(['signup_credit_used'])
    expect(
      await noticesOf({ email: `${name}+3@example.org`, referralCode: await openReferrer() }),
    ).toEqual(['signup_credit_used', 'referral_bonus_withheld'])
  })

  test('that the bonus is withheld past a limit', async () => {
    const notices = []
    for (let joined = 0; joined <= perAddressMax; joined += 1) {
      notices.push(await noticesOf({ referralCode: await openReferrer() }))
    }
    expect(notices.slice(0, -1).flat()).toEqual([])
    expect(notices.at(-1)).toEqual(['referral_bonus_withheld'])
  })
})

describe('the free credit', () => {
  const credits = async (email: string) => {
    const { body } = await app.call('/api/auth?action=register', {
      json: { ...newPerson(), email },
    })
    const { token } = body as { token: string }
    const profile = await app.call('/api/user?action=profile', { token })
    return { token, balance: profile.body.user.creditsBalance as number }
  }

  test('is given once for a mailbox, whatever its addresses are called', async () => {
    const balances = []
    const name = newMailbox()
    for (const email of [
      `free.${name}@gmail.com`,
      `free${name}@gmail.com`,
      `Free${name.toUpperCase()}+more@googlemail.com`,
      `f.r.e.e.${name}@googlemail.com`,
    ]) {
      balances.push((await credits(email)).balance)
    }
    expect(balances).toEqual([1, 0, 0, 0])
    expect((await credits(`free.${name}@example.org`)).balance).toBe(1)
  })

  test('is given once to registrations of one mailbox that are sent at once', async () => {
    const name = newMailbox()
    const accounts = await Promise.all(
      Array.from({ length: 8 }, (_, index) => credits(`${name}+${index}@example.org`)),
    )
    expect(accounts.filter(({ balance }) => balance === 1)).toHaveLength(1)
  })

  test('does not come back with a new account after the first is deleted', async () => {
    const email = `${newMailbox()}@example.org`
    const { token } = await credits(email)
    await app.call('/api/user?action=delete-account', {
      token,
      json: { password: newPerson().password },
    })
    expect((await credits(email)).balance).toBe(0)
  })

  test('is given again to a mailbox that had it more than a year ago', async () => {
    const name = newMailbox()
    await credits(`${name}@example.org`)
    const forget = (days: number) =>
      deleteExpiredSecrets(
        app.context.database,
        new Date(app.context.clock().getTime() + days * 24 * 60 * 60_000),
      )
    await forget(360)
    expect((await credits(`${name}+1@example.org`)).balance).toBe(0)
    await forget(370)
    expect((await credits(`${name}+2@example.org`)).balance).toBe(1)
  })

  test('a mailbox that had it brings no bonus either', async () => {
    const name = newMailbox()
    await credits(`${name}@example.org`)
    const code = await openReferrer()
    expect(await join(code, { address: `${network}.1`, email: `${name}+2@example.org` })).toBe(
      false,
    )
  })

  test('is remembered without the address', async () => {
    const name = newMailbox()
    await credits(`${name}@example.org`)
    const { rows } = await sql<{ dump: string }>`
      select string_agg(signup_credits::text, ' ') as dump from signup_credits
    `.execute(app.context.database)
    expect(rows[0]?.dump).not.toContain(name)
  })
})

test('an account is one in whatever form its e-mail is composed', async () => {
  const person = newPerson()
  const name = newMailbox()
  const register = (email: string) =>
    app.call('/api/auth?action=register', { json: { ...person, email } })
  expect((await register(`${name}\u00E9@example.org`)).status).toBe(200)
  expect((await register(`${name}e\u0301@example.org`)).body.code).toBe('email_taken')
  const login = await app.call('/api/auth?action=login', {
    json: { email: `${name.toUpperCase()}E\u0301@example.org`, password: person.password },
  })
  expect(login.status).toBe(200)
})
