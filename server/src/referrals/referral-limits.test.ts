import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteExpiredSecrets } from '../auth/jobs.ts'
import { auditBooks } from '../credits/audit.ts'
import { newPerson, openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { openBrowser } from '../testing/open-browser.ts'

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

let networks = 0
/** The beginning of a /24 that no other test counts by. */
let network: string
beforeEach(() => {
  networks += 1
  network = `10.77.${networks}`
})

async function openReferrer(): Promise<string> {
  const { token } = await app.register()
  const { body } = await app.call('/api/user?action=profile', { token })
  return body.user.referralCode
}

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
    const countWaiting = async () => {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::integer from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows[0]?.count
    }
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(joins.length)
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
    const joins = () =>
      codes.map((code, index) =>
        join(code, {
          address: index % 2 ? `2001:db8:0:${index}::1` : `2001:0DB8::${index}:0:0:0:1`,
        }),
      )
    expect(await countBonuses(joins)).toBe(perAddressMax)
  })

  test('of one browser in many networks, each with another code, stay within its limit', async () => {
    const browser = openBrowser(app, { address: `${network}.1` })
    await browser.call('/api/auth?action=register', newPerson())
    const codes = await Promise.all(Array.from({ length: 6 }, openReferrer))
    const joins = () =>
      codes.map((code, index) =>
        join(code, { address: `10.78.${networks * 10 + index}.1`, cookie: browser.cookie() }),
      )
    expect(await countBonuses(joins)).toBe(perDeviceMax)
  })

  test('with one code from many networks stay within the limit of its owner', async () => {
    const code = await openReferrer()
    const joins = () =>
      Array.from({ length: 9 }, (_, index) =>
        join(code, { address: `10.79.${networks * 10 + index}.1` }),
      )
    expect(await countBonuses(joins)).toBe(perReferrerMax)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('count for a day: on the next one the block gets bonuses again', async () => {
    const codes = await Promise.all(Array.from({ length: perAddressMax + 2 }, openReferrer))
    for (const [index, code] of codes.slice(0, -1).entries()) {
      expect(await join(code, { address: `${network}.1` })).toBe(index < perAddressMax)
    }
    app.passTime(24 * 60 * 60_000)
    expect(await join(codes.at(-1) ?? '', { address: `${network}.1` })).toBe(true)
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
    for (const email of [
      'free.credit@gmail.com',
      'freecredit@gmail.com',
      'FreeCredit+more@googlemail.com',
      'f.r.e.e.c.r.e.d.i.t@googlemail.com',
    ]) {
      balances.push((await credits(email)).balance)
    }
    expect(balances).toEqual([1, 0, 0, 0])
    expect((await credits('free.credit@example.org')).balance).toBe(1)
  })

  test('is given once to registrations of one mailbox that are sent at once', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, (_, index) => credits(`burst+${index}@example.org`)),
    )
    expect(accounts.filter(({ balance }) => balance === 1)).toHaveLength(1)
  })

  test('does not come back with a new account after the first is deleted', async () => {
    const { token } = await credits('comes.back@example.org')
    await app.call('/api/user?action=delete-account', {
      token,
      json: { password: newPerson().password },
    })
    expect((await credits('comes.back@example.org')).balance).toBe(0)
  })

  test('is given again to a mailbox that had it more than a year ago', async () => {
    await credits('long.ago@example.org')
    const forget = (days: number) =>
      deleteExpiredSecrets(app.context.database, new Date(Date.now() + days * 24 * 60 * 60_000))
    await forget(360)
    expect((await credits('long.ago+1@example.org')).balance).toBe(0)
    await forget(370)
    expect((await credits('long.ago+2@example.org')).balance).toBe(1)
  })

  test('a mailbox that had it brings no bonus either', async () => {
    await credits('bonus@example.org')
    const code = await openReferrer()
    expect(await join(code, { address: `${network}.1`, email: 'bonus+2@example.org' })).toBe(false)
  })

  test('is remembered without the address', async () => {
    await credits('remembered@example.org')
    const { rows } = await sql<{ dump: string }>`
      select string_agg(signup_credits::text, ' ') as dump from signup_credits
    `.execute(app.context.database)
    expect(rows[0]?.dump).not.toContain('remembered')
  })
})

test('an account is one in whatever form its e-mail is composed', async () => {
  const person = newPerson()
  const register = (email: string) =>
    app.call('/api/auth?action=register', { json: { ...person, email } })
  expect((await register('jos\u00E9@example.org')).status).toBe(200)
  expect((await register('jose\u0301@example.org')).body.code).toBe('email_taken')
  const login = await app.call('/api/auth?action=login', {
    json: { email: 'JOSE\u0301@example.org', password: person.password },
  })
  expect(login.status).toBe(200)
})
