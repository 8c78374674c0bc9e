import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../app/context.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { makeUser, neverVerified } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createVouchers } from '../../ledger/vouchers/voucher-batches.ts'
import { redeemVoucher } from '../../ledger/vouchers/redeem-voucher.ts'
import { voucherRules } from '../../ledger/vouchers/voucher-rules.ts'
import { confirmEmail, sendConfirmation } from './confirm-email.ts'
import { deleteExpiredLimits, deleteExpiredSecrets } from './jobs.ts'
import { listSessions, createSessionReader, guardsOf, openSession, endSessions } from './session.ts'
import { resetPassword, sendResetMail } from './change-password.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

type GuardParts = Parameters<typeof guardsOf>[0]

const now = new Date('2026-11-20T12:00:00Z')
const hour = 60 * 60_000
const day = 24 * hour
const after = (ms: number) => new Date(now.getTime() + ms)

async function openPerson() {
  const userId = await makeUser(db.database)
  const email = `${crypto.randomUUID()}@example.org`
  await db.pool.query('update users set email = $2 where id = $1', [userId, email])
  return { userId, email, username: 'Someone', language: 'en' as const }
}
const open = (userId: string, at = now) =>
  openSession(db.database, {
    userId,
    passwordHash: neverVerified,
    now: at,
    randomBytes,
    origin: { address: '10.0.0.1', userAgent: 'a browser' },
  })
const sessionsOf = async (userId: string, at = now) => {
  const [first] = await db.database
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return listSessions(db.database, { userId, sessionId: first?.id ?? '' }, at)
}
async function count(table: string, userId: string): Promise<number> {
  const { rowCount } = await db.pool.query(`select from ${table} where user_id = $1`, [userId])
  return rowCount ?? 0
}
function mailing() {
  const mails: string[] = []
  const subjects: string[] = []
  const parts = {
    database: db.database,
    clock: () => now,
    randomBytes,
    mailer: {
      isSetUp: true,
      async send({ subject, text }: { subject: string; text: string }) {
        subjects.push(subject)
        mails.push(text)
      },
    },
    config: { publicUrl: 'https://selfie.example' },
    site: { values: () => ({ 'brand.name': 'Fototeca' }) },
  } as unknown as Context
  return {
    parts,
    mails,
    subjects,
    tokens: () => mails.map((text) => /#token=([\w-]{43})/.exec(text)?.[1] ?? ''),
  }
}

describe('sessions', () => {
  test('are listed while they are open, newest first, one’s own marked, no other’s', async () => {
    const [person, other] = [await openPerson(), await openPerson()]
    await open(person.userId)
    await open(person.userId, after(1))
    await open(other.userId)
    expect(await sessionsOf(person.userId)).toEqual([
      {
        id: expect.any(String),
        createdAt: after(1).toISOString(),
        expiresAt: after(30 * day + 1).toISOString(),
        address: '10.0.0.1',
        userAgent: 'a browser',
        isCurrent: false,
      },
      expect.objectContaining({ createdAt: now.toISOString(), isCurrent: true }),
    ])
    expect(await sessionsOf(person.userId, after(30 * day))).toHaveLength(1)
    expect(await sessionsOf(person.userId, after(30 * day + 1))).toEqual([])
  })

  test('are opened by their own token, up to their end', async () => {
    const { userId, email } = await openPerson()
    const token = (await open(userId)) ?? ''
    let at = after(30 * day - 1)
    const findSession = createSessionReader(db.pool, () => at)
    const limits = {} as GuardParts['limits']
    const guards = guardsOf({ findSession, limits, config: { publicUrl: 'http://host' } })
    expect(guards.limits).toBe(limits)
    const enter = (word: string) =>
      guards.authenticate({ headers: { authorization: `Bearer ${word}` } } as never, 'user')
    expect(await enter(token)).toMatchObject({ userId, email })
    await expect(enter('A'.repeat(43))).rejects.toMatchObject({ code: 'token_invalid' })
    at = after(30 * day)
    await expect(enter(token)).rejects.toMatchObject({ code: 'token_invalid' })
  })

  test('are ended one by one or all, and never another person’s', async () => {
    const [person, other] = [await openPerson(), await openPerson()]
    for (const { userId } of [person, person, person, other]) await open(userId)
    const [first, second] = await sessionsOf(person.userId)
    const end = async (userId: string, id = '') =>
      (await endSessions(db.database, { user_id: userId, id })) > 0
    expect(await end(other.userId, first?.id)).toBe(false)
    expect(await end(person.userId, first?.id)).toBe(true)
    expect(await end(person.userId, first?.id)).toBe(false)
    expect([await count('sessions', person.userId), await count('sessions', other.userId)]).toEqual(
      [2, 1],
    )
    await end(person.userId, second?.id)
    expect(await count('sessions', person.userId)).toBe(1)
    await endSessions(db.database, { user_id: person.userId })
    expect([await count('sessions', person.userId), await count('sessions', other.userId)]).toEqual(
      [0, 1],
    )
  })
})

describe('a link that confirms an address', () => {
  const confirm = async (token: string, at = now) => {
    const confirmed: string[] = []
    await confirmEmail(db.database, token, {
      now: at,
      onConfirmed: async (_transaction, { userId }) => void confirmed.push(userId),
    })
    return confirmed
  }
  const confirmedAt = async (userId: string) => {
    const { rows } = await db.pool.query<{ at: Date | null }>(
      'select email_confirmed_at as at from users where id = $1',
      [userId],
    )
    return rows[0]?.at
  }

  test('works for a week, once, and voids the person’s others', async () => {
    const [person, other] = [await openPerson(), await openPerson()]
    const { parts, tokens } = mailing()
    for (const user of [person, person, other]) {
      await sendConfirmation(parts, user)
    }
    const [first = '', second = '', ofOther = ''] = tokens()
    await expect(confirm(first, after(7 * day))).rejects.toThrow()
    expect(await confirmedAt(person.userId)).toBeNull()
    expect(await confirm(second, after(7 * day - 1))).toEqual([person.userId])
    expect(await confirmedAt(person.userId)).toEqual(after(7 * day - 1))
    await expect(confirm(second)).rejects.toThrow()
    await expect(confirm(first)).rejects.toThrow()
    expect(await confirmedAt(other.userId)).toBeNull()
    expect(await confirm(ofOther)).toEqual([other.userId])
  })

  test('keeps the time of the first confirmation', async () => {
    const person = await openPerson()
    const { parts, tokens } = mailing()
    await sendConfirmation(parts, person)
    await confirm(tokens()[0] ?? '')
    await sendConfirmation(parts, person)
    await confirm(tokens()[1] ?? '', after(day))
    expect(await confirmedAt(person.userId)).toEqual(now)
  })

  test('confirms nothing when the account has another address now', async () => {
    const person = await openPerson()
    const { parts, tokens } = mailing()
    await sendConfirmation(parts, person)
    await db.pool.query('update users set email = $2 where id = $1', [
      person.userId,
      `new-${person.email}`,
    ])
    await expect(confirm(tokens()[0] ?? '')).rejects.toMatchObject({
      code: 'confirmation_token_invalid',
    })
    expect(await confirmedAt(person.userId)).toBeNull()
  })
})

test('mailed links lead to their pages, in the person’s language and with the site’s name', async () => {
  const person = await openPerson()
  await db.pool.query(`update users set language = 'es' where id = $1`, [person.userId])
  const { parts, mails, subjects } = mailing()
  await sendConfirmation(parts, { ...person, language: 'es' })
  await sendResetMail(parts, person.email)
  expect(subjects).toEqual([
    'Confirma tu correo en Fototeca',
    'Pon una contraseña nueva en Fototeca',
  ])
  expect(mails[0]).toMatch(/^https:\/\/selfie\.example\/\?confirm#token=[\w-]{43}$/m)
  expect(mails[1]).toMatch(/^https:\/\/selfie\.example\/auth\?mode=reset#token=[\w-]{43}$/m)
})

test('what has expired is deleted in its last moment, and no sooner', async () => {
  const person = await openPerson()
  const { parts } = mailing()
  await open(person.userId)
  await sendConfirmation(parts, person)
  await sendResetMail(parts, person.email)
  const left = () =>
    Promise.all(
      ['sessions', 'email_confirmations', 'password_resets'].map((table) =>
        count(table, person.userId),
      ),
    )
  await deleteExpiredSecrets(db.database, after(hour - 1))
  expect(await left()).toEqual([1, 1, 1])
  await deleteExpiredSecrets(db.database, after(hour))
  expect(await left()).toEqual([1, 1, 0])
  await deleteExpiredSecrets(db.database, after(7 * day))
  expect(await left()).toEqual([1, 0, 0])
  await deleteExpiredSecrets(db.database, after(30 * day - 1))
  expect(await left()).toEqual([1, 0, 0])
  await deleteExpiredSecrets(db.database, after(30 * day))
  expect(await left()).toEqual([0, 0, 0])
})

test('that a mailbox had its credit or redeemed a voucher is forgotten after a year, and no sooner', async () => {
  const mailboxHash = randomBytes(32)
  const key = randomBytes(32)
  const { userId } = await openPerson()
  await db.database
    .insertInto('signup_credits')
    .values({ mailbox_hash: mailboxHash, granted_at: now })
    .execute()
  const { codes } = await createVouchers(
    { database: db.database, clock: () => now, randomBytes, keys: { vouchers: key } as Keys },
    { ...voucherRules.parse({ name: 'Spring', credits: 5 }), createdBy: 'operator' },
  )
  const digest = createKeyedDigest(key)
  const request = { userId, mailbox: userId, code: codes[0] ?? '', idempotencyKey: undefined, now }
  await redeemVoucher(db.database, request, { codes: digest, mailboxes: digest })
  const isKnown = async () => {
    const credited = await db.pool.query('select from signup_credits where mailbox_hash = $1', [
      mailboxHash,
    ])
    const redeemed = await db.pool.query(
      'select from voucher_redemptions where user_id = $1 and mailbox_hash is not null',
      [userId],
    )
    return [credited.rowCount, redeemed.rowCount]
  }
  await deleteExpiredSecrets(db.database, after(365 * day - 1))
  expect(await isKnown()).toEqual([1, 1])
  await deleteExpiredSecrets(db.database, after(365 * day))
  expect(await isKnown()).toEqual([0, 0])
  expect(await count('voucher_redemptions', userId)).toBe(1)
})

test('counters of limits are deleted when their time is over', async () => {
  const key = `test:${crypto.randomUUID()}`
  await db.pool.query('insert into rate_limits (key, points, expire) values ($1, 1, $2)', [
    key,
    now.getTime(),
  ])
  const isThere = async () =>
    (await db.pool.query('select from rate_limits where key = $1', [key])).rowCount === 1
  await deleteExpiredLimits(db.database, now)
  expect(await isThere()).toBe(true)
  await deleteExpiredLimits(db.database, after(1))
  expect(await isThere()).toBe(false)
})

test('a reset link sets the password of its own account and ends its sessions alone', async () => {
  const [person, other] = [await openPerson(), await openPerson()]
  const { parts, tokens } = mailing()
  for (const { userId } of [person, other]) await open(userId)
  await sendResetMail(parts, person.email)
  await sendResetMail(parts, 'nobody@example.org')
  expect(tokens()).toHaveLength(1)
  const token = tokens()[0] ?? ''
  await expect(
    resetPassword(db.database, { token, password: 'short' }, { now }),
  ).rejects.toMatchObject({ code: 'password_too_short' })
  await resetPassword(db.database, { token, password: 'a fresh one' }, { now: after(hour - 1) })
  const hashes = await db.pool.query<{ hash: string }>(
    'select password_hash as hash from users where id = any ($1) order by id = $2',
    [[person.userId, other.userId], person.userId],
  )
  await expect(
    resetPassword(db.database, { token, password: 'another one' }, { now }),
  ).rejects.toMatchObject({ code: 'reset_token_invalid' })
  await expect(
    resetPassword(db.database, { token: 'x', password: 'another one' }, { now }),
  ).rejects.toMatchObject({ code: 'reset_token_invalid' })
  expect(hashes.rows.map(({ hash }) => hash.slice(0, 8))).toEqual(['never ve', '$argon2i'])
  expect([await count('sessions', person.userId), await count('sessions', other.userId)]).toEqual([
    0, 1,
  ])
})

test('a used reset link keeps its time, and voids its person’s other links alone', async () => {
  const [person, other] = [await openPerson(), await openPerson()]
  const { parts, tokens } = mailing()
  for (const { email } of [person, other, person]) {
    await sendResetMail(parts, email)
  }
  const [first = '', ofOther = '', second = ''] = tokens()
  const reset = (token: string, at: Date) =>
    resetPassword(db.database, { token, password: 'a fresh one' }, { now: at })
  await reset(first, after(1))
  await expect(reset(second, after(2))).rejects.toMatchObject({ code: 'reset_token_invalid' })
  await sendResetMail(parts, person.email)
  await reset(tokens()[3] ?? '', after(3))
  const usedAt = await db.database
    .selectFrom('password_resets')
    .select('used_at')
    .where('user_id', '=', person.userId)
    .orderBy('used_at')
    .execute()
  expect(usedAt.map(({ used_at }) => used_at)).toEqual([after(1), after(1), after(3)])
  await reset(ofOther, after(4))
})
