import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { deleteExpiredSecrets } from '../../accounts/auth/jobs.ts'
import { readAccount } from '../credits/account.ts'
import { auditBooks } from '../credits/audit.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { auditAll } from '../../operator/audit-all.ts'
import { booksCommands } from '../../operator/commands/books-commands.ts'
import { callCommand } from '../../testing/call-command.ts'
import { makeUser } from '../../testing/make-user.ts'
import { roundsOr } from '../../testing/rounds-or.ts'
import { untilWaiting } from '../../testing/until-waiting.ts'
import {
  auditVouchers,
  createVouchers,
  voucherSheet,
  listBatches,
  voidBatch,
  voidCode,
} from './voucher-batches.ts'
import { createVoucherGuessLimits } from './limit-voucher-guesses.ts'
import { redeemVoucher } from './redeem-voucher.ts'
import { readVoucherCode } from './voucher-code.ts'
import { voucherRules } from './voucher-rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false, settings: { TRUST_PROXY: '1' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const issue = (rules: Record<string, unknown> = {}) =>
  createVouchers(app.context, {
    ...voucherRules.parse({ name: 'Spring', credits: 5, ...rules }),
    createdBy: 'operator',
  })

const redeem = (token: string, code: string, headers: Record<string, string> = {}) =>
  app.call('/api/user?action=redeem-voucher', { token, json: { code }, headers })

const digests = () => ({
  codes: createKeyedDigest(app.context.keys.vouchers),
  mailboxes: createKeyedDigest(app.context.keys.bonuses),
})

const expectSound = async () => {
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditVouchers(app.context.database)).toEqual([])
}

describe('a code', () => {
  test('has 65 bits, no letter that is taken for another, and is read as people type it', async () => {
    const { codes } = await issue({ codes: 1000 })
    expect(new Set(codes).size).toBe(1000)
    for (const code of codes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]$/)
    const [code = ''] = codes
    expect(readVoucherCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(
      code.replaceAll('-', ''),
    )
    expect(readVoucherCode('oil0-oil0-oil0-o')).toBe('0110011001100')
    expect(readVoucherCode(code.replaceAll('-', '–')), 'with the dashes of a text').toBe(
      code.replaceAll('-', ''),
    )
  })

  test('is kept as a digest that is nothing without the key', async () => {
    const { batchId, codes } = await issue()
    const { rows } = await sql<{ text: string }>`
      select v::text || b::text as text from vouchers as v join voucher_batches as b
      on b.id = v.batch_id where b.id = ${batchId}
    `.execute(app.context.database)
    expect(rows[0]?.text.toUpperCase()).not.toContain(codes[0]?.replaceAll('-', ''))
    expect(rows[0]?.text.toUpperCase()).not.toContain(codes[0])
  })

  test('lies in the sheet with its link, once', async () => {
    const rules = voucherRules.parse({ name: '=1+1', credits: 5, codes: 2, to: '2026-12-31' })
    const made = await createVouchers(app.context, { ...rules, createdBy: 'operator' })
    const lines = voucherSheet(made, rules, 'https://selfie.example').trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe('number,code,link,credits,valid from (UTC),valid until (UTC)')
    const later = { ...rules, startsAt: new Date('2026-12-24T00:00:00Z'), endsAt: undefined }
    expect(voucherSheet(made, later, 'https://selfie.example/')).toContain(
      `2,${made.codes[1]},https://selfie.example/?voucher=${made.codes[1]},5,2026-12-24 00:00,\r\n`,
    )
    expect(lines[1]).toBe(
      `1,${made.codes[0]},https://selfie.example/?voucher=${made.codes[0]},5,,2027-01-01 00:00`,
    )
  })
})

test('the newest batches come first, so many as are asked for, with all that their rules say', async () => {
  const { database } = app.context
  const stopped = app.stopTime()
  const rules = { credits: 7, codes: 2, usesMax: 3, personUsesMax: 2 }
  await issue({ name: 'Earlier' })
  app.passTime(1_000)
  const { batchId } = await issue({ ...rules, from: '2026-12-01', to: '2026-12-02' })
  const createdAt = app.context.clock()
  stopped()
  const [newest, ...others] = await listBatches(database, 2)
  expect(newest).toEqual({
    id: batchId,
    name: 'Spring',
    credits: 7,
    codes: 2,
    uses_max: 3,
    person_uses_max: 2,
    starts_at: new Date('2026-12-01T00:00:00Z'),
    ends_at: new Date('2026-12-03T00:00:00Z'),
    created_at: createdAt,
    created_by: 'operator',
    voided_at: null,
    issued: 6,
    redeemed: 0,
  })
  expect(others.map(({ name }) => name)).toEqual(['Earlier'])
  await voidBatch(database, { batchId, now: createdAt })
  expect((await listBatches(database, 1))[0]?.voided_at).toEqual(createdAt)
})

test.each([
  ['name', '', 'x'.repeat(81)],
  ['credits', 0, 10_001],
  ['usesMax', 0, 1_000_001],
  ['personUsesMax', 0, 1_001],
  ['codes', 0, 1_001],
  ['from', '2026-02-30', '1.12.2026'],
  ['to', '2026-02-30', '2025-12-31'],
])('a batch is refused for a wrong %s', (name, ...wrong) => {
  const good = { name: 'Spring', credits: 5, from: '2026-01-01' }
  for (const value of wrong) {
    const { error } = voucherRules.safeParse({ ...good, [name]: value })
    expect(error?.issues.map(({ path }) => path)).toEqual([[name]])
  }
})

test('a batch may have as many of everything as its rules name, for one day, or for ever', () => {
  const most = { credits: '10000', usesMax: '1000000', personUsesMax: '1000', codes: '1000' }
  const name = 'x'.repeat(80)
  const day = { from: '2026-12-24', to: '2026-12-24' }
  expect(voucherRules.parse({ name: ` ${name} `, ...most, ...day })).toEqual({
    name,
    credits: 10_000,
    usesMax: 1_000_000,
    personUsesMax: 1_000,
    codes: 1_000,
    startsAt: new Date('2026-12-24T00:00:00Z'),
    endsAt: new Date('2026-12-25T00:00:00Z'),
  })
  expect(voucherRules.parse({ name, credits: 1, from: '', to: '' })).toEqual({
    name,
    credits: 1,
    usesMax: 1,
    personUsesMax: 1,
    codes: 1,
    startsAt: undefined,
    endsAt: undefined,
  })
})

describe('redeeming', () => {
  test('gives the credits, shows them in the books, and leaves the brand mark', async () => {
    const { codes } = await issue()
    const { token, userId } = await app.register()
    const answer = await redeem(token, codes[0]?.toLowerCase() ?? '')
    expect(answer).toMatchObject({ status: 200, body: { credits: 5, creditsBalance: 6 } })
    const { body } = await app.call('/api/user?action=credit-history', { token })
    expect(body.items[0]).toMatchObject({ reason: 'voucher', amount: 5 })
    expect(await readAccount(app.context.database, userId)).toMatchObject({ boughtTotal: 0 })
    await expectSound()
  })

  test('the same call again is the same redemption, another one is refused', async () => {
    const { codes } = await issue()
    const [code = ''] = codes
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await redeem(token, code, headers)
    expect(await redeem(token, code, headers)).toMatchObject({ body: first.body })
    expect(await redeem(token, code)).toMatchObject({
      status: 409,
      body: { code: 'voucher_redeemed' },
    })
    const other = await app.register()
    expect(await redeem(other.token, code)).toMatchObject({ body: { code: 'voucher_used_up' } })
    await expectSound()
  })

  test('a key is its person’s: somebody else’s redemption under it is their own', async () => {
    const { codes } = await issue({ usesMax: 2 })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (const { token } of [await app.register(), await app.register()]) {
      const answer = await redeem(token, codes[0] ?? '', headers)
      expect(answer).toMatchObject({ status: 200, body: { creditsBalance: 6 } })
    }
    await expectSound()
  })

  test('a key of one code is refused for another, which stays to be redeemed', async () => {
    const { codes } = await issue({ codes: 2, personUsesMax: 2 })
    const [code = '', other = ''] = codes
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    await redeem(token, code, headers)
    for (const wrong of [other, '0000-0000-0000-0', 'nonsense']) {
      expect(await redeem(token, wrong, headers)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_conflict' },
      })
    }
    expect(await redeem(token, ` ${code.toLowerCase()}`, headers)).toMatchObject({ status: 200 })
    expect(await redeem(token, other)).toMatchObject({ status: 200, body: { creditsBalance: 11 } })
    await expectSound()
  })

  test.for([
    ['voucher_not_yet', { from: '2099-01-01' }],
    ['voucher_over', { to: '2020-01-01' }],
  ] as const)('is refused out of its time: %s', async ([code, rules]) => {
    const { codes } = await issue(rules)
    const { token } = await app.register()
    expect(await redeem(token, codes[0] ?? '')).toMatchObject({ status: 409, body: { code } })
  })

  test('is taken from the instant on that it names until the one before its end', async () => {
    const { codes, batchId } = await issue({ codes: 2, from: '2020-01-01', to: '2020-01-31' })
    const { starts_at: from, ends_at: to } = await app.context.database
      .selectFrom('voucher_batches')
      .select(['starts_at', 'ends_at'])
      .where('id', '=', batchId)
      .executeTakeFirstOrThrow()
    const at = async (index: number, ms: number) => {
      const userId = await makeUser(app.context.database)
      const [code = '', now] = [codes[index], new Date(ms)]
      const request = { userId, mailbox: userId, code, idempotencyKey: undefined, now }
      return redeemVoucher(app.context.database, request, digests()).then(
        ({ credits }) => credits,
        ({ code: refusal }: AppError) => refusal,
      )
    }
    const [fromMs, toMs] = [Number(from), Number(to)]
    expect([await at(0, fromMs - 1), await at(0, fromMs)]).toEqual(['voucher_not_yet', 5])
    expect([await at(1, toMs), await at(1, toMs - 1)]).toEqual(['voucher_over', 5])
  })

  test('is refused once the voucher, or its batch, was taken back', async () => {
    const { batchId, codes } = await issue({ codes: 2 })
    const { database } = app.context
    const now = new Date()
    const [one = '', two = ''] = codes
    const { token } = await app.register()
    const voidOne = (code: string) => voidCode(database, { code, now, digest: digests().codes })
    const typed = one.toLowerCase().replaceAll('-', '')
    expect([await voidOne(typed), await voidOne(one)]).toEqual([true, false])
    expect([await voidOne('nonsense'), await voidOne('0000-0000-0000-0')]).toEqual([false, false])
    expect(await redeem(token, one)).toMatchObject({ body: { code: 'voucher_void' } })
    expect(await voidBatch(database, { batchId, now })).toBe(true)
    expect(await voidBatch(database, { batchId, now })).toBe(false)
    expect(await redeem(token, two)).toMatchObject({ body: { code: 'voucher_void' } })
  })

  test('is refused where its batch is being taken back at that moment', async () => {
    const { batchId, codes } = await issue()
    const { token } = await app.register()
    const { pool } = app.context
    const operator = await pool.connect()
    onTestFinished(() => operator.release())
    await operator.query('begin')
    await operator.query('update voucher_batches set voided_at = now() where id = $1', [batchId])
    const redeeming = redeem(token, codes[0] ?? '')
    await untilWaiting(pool, 1, redeeming)
    await operator.query('commit')
    expect(await redeeming).toMatchObject({ body: { code: 'voucher_void' } })
  })

  test('who registers anew with the same mailbox is the same person, for a year', async () => {
    const { codes } = await issue({ codes: 3 })
    const person = newPerson()
    const { token } = await app.register(person)
    expect((await redeem(token, codes[0] ?? '')).status).toBe(200)
    await app.call('/api/user?action=delete-account', {
      token,
      json: { password: person.password },
    })
    const again = await app.register({ ...person, email: person.email.replace('@', '+again@') })
    expect(await redeem(again.token, codes[1] ?? '')).toMatchObject({
      body: { code: 'voucher_redeemed' },
    })
    await expectSound()
    const inAYear = new Date(Date.now() + 366 * 24 * 60 * 60_000)
    await deleteExpiredSecrets(app.context.database, inAYear)
    const { rows } = await sql`
      select from voucher_redemptions where mailbox_hash is not null
    `.execute(app.context.database)
    expect(rows).toHaveLength(0)
  })

  test('wrong codes are limited by person and by network, right ones are not', async () => {
    const { codes } = await issue({ usesMax: 20, personUsesMax: 20 })
    const { token } = await app.register()
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n}.7` })
    for (let n = 0; n < 12; n += 1) {
      expect((await redeem(token, codes[0] ?? '', from(n))).status).toBe(200)
    }
    const wrong = await Promise.all(
      Array.from({ length: 15 }, (_, n) => redeem(token, '0000-0000-0000-0', from(n))),
    )
    expect(wrong.filter(({ body }) => body.code === 'voucher_unknown')).toHaveLength(10)
    const limited = wrong.filter(({ body }) => body.code === 'voucher_limited')
    expect(limited).toHaveLength(5)
    const retryAfterSeconds = Number(limited[0]?.headers.get('retry-after'))
    expect(retryAfterSeconds).toBeGreaterThan(1_800)
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600)

    const people = await Promise.all(Array.from({ length: 6 }, () => app.register()))
    const answers = []
    for (const { token: other } of people) {
      for (let n = 0; n < 9; n += 1) {
        answers.push((await redeem(other, 'not even a code', from(99))).body.code)
      }
    }
    expect(answers.filter((code) => code === 'voucher_unknown')).toHaveLength(50)
  })

  test('a try that fails otherwise than by a wrong code is not counted', async () => {
    const limit = createVoucherGuessLimits(app.context.pool, digests().codes)
    const guesser = { userId: crypto.randomUUID(), address: '203.0.113.77' }
    const attempt = (error: Error) => limit(guesser, () => Promise.reject(error))
    for (let n = 0; n < 12; n += 1) {
      await expect(attempt(new AppError('voucher_over'))).rejects.toThrow(AppError)
      await expect(attempt(new Error('the database is gone'))).rejects.toThrow('is gone')
    }
    for (let n = 0; n < 10; n += 1) {
      const wrong = attempt(new AppError('voucher_unknown'))
      await expect(wrong).rejects.toMatchObject({ code: 'voucher_unknown' })
    }
    const right = limit(guesser, () => Promise.resolve('redeemed'))
    await expect(right).rejects.toMatchObject({ code: 'voucher_limited' })
  })

  test('tries of somebody who is limited take none from others in the network', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const [one, other] = [await app.register(), await app.register()]
    for (let n = 0; n < 60; n += 1) await redeem(one.token, 'not even a code', from)
    expect((await redeem(other.token, 'not even a code', from)).body.code).toBe('voucher_unknown')
  })
})

test('no code is redeemed more often than its rules allow, whatever redeems beside it', async () => {
  const { database } = app.context
  const act = fc.record({ person: fc.nat(2), code: fc.nat(2), key: fc.option(fc.nat(1)) })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.array(act, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (usesMax, personUsesMax, rounds) => {
        const { batchId, codes } = await issue({ codes: 3, usesMax, personUsesMax })
        // Two accounts of one mailbox, and another person.
        const accounts = await Promise.all([0, 1, 2].map(() => makeUser(database)))
        const mailboxes = ['one', 'one', 'other'].map((name) => `${name}-${batchId}`)
        const redeemOnce = async ({
          person,
          code,
          key,
        }: {
          person: number
          code: number
          key: number | null
        }) => {
          try {
            await redeemVoucher(
              database,
              {
                userId: accounts[person] ?? '',
                mailbox: mailboxes[person] ?? '',
                code: codes[code] ?? '',
                idempotencyKey: key === null ? undefined : `key-${key}`,
                now: new Date(),
              },
              digests(),
            )
          } catch (error) {
            if (!(error instanceof AppError)) throw error
          }
        }
        for (const round of rounds) await Promise.all(round.map(redeemOnce))
        const { rows } = await sql<{ byCode: number; byMailbox: number; total: number }>`
          select
            (select coalesce(max(n), 0)::integer from (select count(*) as n
              from voucher_redemptions where batch_id = ${batchId} group by voucher_id) as c) as "byCode",
            (select coalesce(max(n), 0)::integer from (select count(*) as n
              from voucher_redemptions where batch_id = ${batchId} group by mailbox_hash) as m) as "byMailbox",
            (select count(*)::integer from voucher_redemptions where batch_id = ${batchId}) as total
        `.execute(database)
        const found = rows[0] ?? { byCode: 0, byMailbox: 0, total: 0 }
        expect(found.byCode).toBeLessThanOrEqual(usesMax)
        expect(found.byMailbox).toBeLessThanOrEqual(personUsesMax)
        const balances = await Promise.all(accounts.map((id) => readAccount(database, id)))
        expect(balances.reduce((sum, { balance }) => sum + balance, 0)).toBe(5 * found.total)
        const [report] = (await listBatches(database, 100)).filter(({ id }) => id === batchId)
        expect(report).toMatchObject({ issued: 3 * usesMax, redeemed: found.total })
      },
    ),
    { numRuns: roundsOr(20) },
  )
  await expectSound()
})

test('a hundred people at once get a code of seven uses seven times', async () => {
  const { database } = app.context
  const { codes } = await issue({ usesMax: 7 })
  const accounts = await Promise.all(Array.from({ length: 100 }, () => makeUser(database)))
  const outcomes = await Promise.all(
    accounts.map((userId) =>
      redeemVoucher(
        database,
        {
          userId,
          mailbox: userId,
          code: codes[0] ?? '',
          idempotencyKey: undefined,
          now: new Date(),
        },
        digests(),
      ).then(
        () => 'redeemed',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(7)
  expect(outcomes.filter((outcome) => outcome === 'voucher_used_up')).toHaveLength(93)
})

test.for([
  ['voucher_redemptions_use_allowed', 'use_number = use_number + uses_max'],
  [
    'voucher_redemptions_person_use_allowed',
    'person_use_number = person_use_number + person_uses_max',
  ],
  ['voucher_redemptions_by_rules', 'credits = credits + 1'],
  ['voucher_redemptions_by_rules', 'uses_max = uses_max + 1'],
] as const)('is kept by the database itself: %s (%s)', async ([constraint, change]) => {
  const { codes } = await issue()
  const { token, userId } = await app.register()
  await redeem(token, codes[0] ?? '')
  await expect(
    sql`update voucher_redemptions set ${sql.raw(change)} where user_id = ${userId}`.execute(
      app.context.database,
    ),
  ).rejects.toMatchObject({ constraint })
})

test('the audit finds a redemption without its entry', async () => {
  const { database } = app.context
  const { batchId } = await issue()
  await sql`
    insert into voucher_redemptions (id, voucher_id, batch_id, credits, uses_max, person_uses_max,
      use_number, person_use_number, redeemed_at)
    select gen_random_uuid(), id, batch_id, 5, 1, 1, 1, 1, now() from vouchers
    where batch_id = ${batchId}
  `.execute(database)
  const finding = expect.stringMatching(/do not agree/)
  expect(await auditVouchers(database)).toEqual([finding])
  const { lines } = await callCommand(app, booksCommands, { name: 'audit', words: [] })
  expect(lines).toContainEqual(finding)
  expect((await auditAll(database)).findings).toContainEqual(finding)
})
