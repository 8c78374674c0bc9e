import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeSite } from '../platform/site/change-site.ts'
import { siteTitles } from '../platform/site/site-settings.ts'
import { correctBalance } from '../ledger/credits/correct.ts'
import { createVouchers } from '../ledger/vouchers/voucher-batches.ts'
import { makeAttempt, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { makeOrder } from '../testing/make-order.ts'
import { makeUser } from '../testing/make-user.ts'
import { openEvent } from '../testing/open-event.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { placeStar } from '../stars/edit-stars.ts'
import { addOperator } from './operators.ts'
import { operatorRoles } from './roles.ts'
import type { OperatorRole } from './roles.ts'
import { dayText, pageRowsMax, timeText } from './tables.ts'
import { readButtons, readPage } from './testing/read-page.ts'

/** As lists show an id. */
const short = (id: string) => id.slice(0, 8)

let app: TestApp
let browsers: Record<OperatorRole, OperatorBrowser>
let now: Date
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  app.stopTime()
  now = app.context.clock()
  const open = async (role: OperatorRole) => [role, await openOperator(app, role)] as const
  browsers = Object.fromEntries(await Promise.all(operatorRoles.map(open))) as typeof browsers
})
afterAll(() => app[Symbol.asyncDispose]())

const minuteMs = 60_000
const ago = (minutes: number) => new Date(now.getTime() - minutes * minuteMs)
const read = async (path: string, role: OperatorRole = 'owner') =>
  readPage((await browsers[role].get(path)).text)
const buttons = async (path: string, role: OperatorRole) =>
  readButtons((await browsers[role].get(path)).text)

/** Lets an account have been made at that time. */
const madeAt = (id: string, at: Date) =>
  app.context.pool.query('update users set created_at = $2 where id = $1', [id, at])

async function account(
  { at = now, ...changes }: { at?: Date; [column: string]: unknown } = {},
  credits = 0,
) {
  const id = await makeUser(app.context.database, credits)
  await madeAt(id, at)
  return app.context.database
    .updateTable('users')
    .set({ username: `Somebody ${id}`, ...changes })
    .where('id', '=', id)
    .returning(['id', 'email', 'username', 'referral_code'])
    .executeTakeFirstOrThrow()
}

describe('the page of users', () => {
  test('has each with status, credits, purchases and picture, the newest first', async () => {
    const { database } = app.context
    const first = await account({ at: ago(3) }, 7)
    const second = await account({ at: ago(2), status: 'suspended' })
    const order = await makeOrder(database, { now: ago(1) })
    await order.settle({}, ago(1))
    await madeAt(order.userId, ago(1))
    const { generationId } = await makeDoneGeneration(database, { userId: first.id, at: ago(1) })
    const row = {
      'Newest selfie': '',
      Bought: '0',
      Credits: '0',
      Status: 'active',
      Actions: '[Suspend]',
    }
    const { tables } = await read('/admin/users')
    const rows = Object.values(tables)[0] ?? []
    expect(rows.slice(1).map(({ Email }) => Email)).toEqual([second.email, first.email])
    expect(rows[0]).toMatchObject({ ...row, Bought: '100', Credits: '100' })
    expect(rows.slice(1)).toEqual([
      {
        ...row,
        Email: second.email,
        Name: second.username,
        Status: 'suspended',
        Since: timeText(ago(2)),
        Actions: '[Open the account]',
      },
      {
        ...row,
        Email: first.email,
        'Newest selfie': 'Selfie',
        Name: first.username,
        Credits: '6',
        Since: timeText(ago(3)),
      },
    ])
    const { text } = await browsers.moderator.get('/admin/users')
    expect(text).toContain(`/admin/selfies/${generationId}/thumbnail.jpg`)
    expect((await browsers.support.get('/admin/users')).text).not.toContain('/admin/selfies/')
  })

  test('finds by the beginning of the e-mail, a part of the name and the id, and nobody else', async () => {
    const { id } = await account({ username: 'Grace 100% Hopper', email: 'grace@navy.example' })
    await account({ username: 'Grace 1000 Hopper', email: 'other@navy.example' })
    const found = async (search: string) => {
      const { tables } = await read(`/admin/users?q=${encodeURIComponent(search)}`)
      return Object.values(tables).flat().length
    }
    expect(await found(' Grace@NAVY ')).toBe(1)
    expect(await found('navy.example')).toBe(0)
    expect(await found('100% hop')).toBe(1)
    expect(await found(id)).toBe(1)
  })

  test('has guests of events only when they are asked for, or by their id', async () => {
    const event = await openEvent(app)
    const { userId: id } = await event.join()
    const found = async (query: string) => {
      const { text } = await browsers.owner.get(`/admin/users${query}`)
      return text.includes(`<a href="/admin/users/${id}">Guest of an event</a>`)
    }
    expect([await found(''), await found('?guests=on'), await found(`?q=${id}`)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('a user’s page', () => {
  test('tells who they are, what they bought, what they owe and where they are signed in', async () => {
    const { database } = app.context
    const person = await account({ email_confirmed_at: ago(1) }, 4)
    const plain = await account({ status: 'suspended' })
    expect((await read(`/admin/users/${person.id}`)).facts).toEqual({
      Email: `${person.email} (confirmed)`,
      Status: 'active',
      Credits: '4',
      'Ever bought': '0',
      'Referral code': person.referral_code,
      Since: timeText(now),
      Account: person.id,
    })
    const { facts } = await read(`/admin/users/${plain.id}`)
    expect(facts).toMatchObject({ Email: plain.email, Status: 'suspended', Credits: '0' })
    await database
      .updateTable('credit_accounts')
      .set({ owed: 12 })
      .where('user_id', '=', plain.id)
      .execute()
    expect((await read(`/admin/users/${plain.id}`)).facts['Credits']).toBe('owes 12')
    await database
      .updateTable('credit_accounts')
      .set({ owed: 0 })
      .where('user_id', '=', plain.id)
      .execute()
  })

  test('lists ledger, orders, selfies and sessions of that user alone', async () => {
    const { database } = app.context
    const order = await makeOrder(database, { now: ago(9) })
    await order.settle({}, ago(8))
    const { generationId } = await makeDoneGeneration(database, {
      userId: order.userId,
      at: ago(7),
    })
    await database
      .insertInto('sessions')
      .values([
        {
          token_hash: randomBytes(32),
          user_id: order.userId,
          created_at: ago(5),
          expires_at: new Date(now.getTime() + minuteMs),
          address: '203.0.113.9',
          user_agent: 'A browser',
        },
        {
          token_hash: randomBytes(32),
          user_id: order.userId,
          created_at: ago(6),
          expires_at: ago(1),
          address: '203.0.113.8',
          user_agent: 'An old one',
        },
      ])
      .execute()
    const path = `/admin/users/${order.userId}`
    const { tables } = await read(path)
    expect(tables['Orders']).toEqual([
      {
        Order: order.id,
        Package: 'basic',
        Price: '$10.00',
        Credits: '100',
        Status: 'paid',
        When: timeText(ago(9)),
      },
    ])
    expect(tables['Ledger']?.find(({ Reason }) => Reason === 'Purchase')).toMatchObject({
      When: timeText(ago(8)),
      Credits: '+100',
    })
    expect(tables['Selfies']).toMatchObject([
      { Picture: 'Selfie', State: 'done', When: timeText(ago(7)), Selfie: short(generationId) },
    ])
    expect(tables['Sessions']).toEqual([
      { Since: timeText(ago(5)), Address: '203.0.113.9', Browser: 'A browser' },
    ])
    expect(Object.keys((await read(path, 'support')).tables)).toEqual(
      expect.arrayContaining(['Orders', 'Ledger', 'Sessions']),
    )
    expect(Object.keys((await read(path, 'moderator')).tables)).toEqual(['Ledger', 'Selfies'])
  })

  test('offers what each role may do, and opening or closing as it stands', async () => {
    const open = await account()
    const closed = await account({ status: 'suspended' })
    const all = ['Give credits', 'Take credits', 'Suspend', 'Delete for good']
    expect(await buttons(`/admin/users/${open.id}`, 'owner')).toEqual(all)
    expect(await buttons(`/admin/users/${open.id}`, 'support')).toEqual(['Give credits', 'Suspend'])
    expect(await buttons(`/admin/users/${open.id}`, 'moderator')).toEqual(['Suspend'])
    expect(await buttons(`/admin/users/${closed.id}`, 'moderator')).toEqual(['Open the account'])
    const exports = await Promise.all(
      operatorRoles.map(async (role) => {
        const { text } = await browsers[role].get(`/admin/users/${open.id}`)
        return text.includes('Export their data')
      }),
    )
    expect(exports).toEqual([true, true, false])
  })
})

describe('orders', () => {
  test('are listed newest first with buyer, price and open flags, and flags oldest first', async () => {
    const { database } = app.context
    const [older, newer] = [
      await makeOrder(database, { now: new Date(now.getTime() + minuteMs) }),
      await makeOrder(database, { now: new Date(now.getTime() + 2 * minuteMs) }),
    ]
    const flag = (order_id: string | null, kind: 'underpaid' | 'unknown_order', at: Date) =>
      database
        .insertInto('order_flags')
        .values({
          order_id,
          payment_id: `of ${order_id}`,
          provider: 'nowpayments',
          kind,
          note: `note of ${kind}`,
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    await flag(null, 'unknown_order', ago(1))
    const { id } = await flag(older.id, 'underpaid', ago(2))
    const { tables } = await read('/admin/orders', 'support')
    expect(tables['Payments to review']).toEqual([
      {
        Flag: 'underpaid',
        Order: older.id,
        Payment: `of ${older.id}`,
        'What happened': 'note of underpaid',
        Since: timeText(ago(2)),
        Actions: '[Resolve]',
      },
      expect.objectContaining({ Flag: 'unknown order', Order: '', Payment: 'of null' }),
    ])
    const { email } = await database
      .selectFrom('users')
      .select('email')
      .where('id', '=', older.userId)
      .executeTakeFirstOrThrow()
    const [first, second] = tables['Orders'] ?? []
    expect(first).toMatchObject({ Order: newer.id, 'To review': '' })
    expect(second).toEqual({
      Order: older.id,
      Buyer: email,
      Price: '$10.00',
      Credits: '100',
      Provider: 'NOWPayments',
      Status: 'started',
      When: timeText(new Date(now.getTime() + minuteMs)),
      'To review': 'underpaid',
    })
    const found = async (search: string, status = '') => {
      const page = await read(`/admin/orders?q=${encodeURIComponent(search)}&status=${status}`)
      return page.tables['Orders']?.map(({ Order }) => Order) ?? []
    }
    expect(await found(email?.toUpperCase() ?? '')).toEqual([older.id])
    expect(await found('', 'initiated')).toContain(older.id)
    expect(await found('', 'completed')).not.toContain(older.id)
    expect(await found(email ?? '', 'initiated')).toEqual([older.id])
    expect(await found(email ?? '', 'completed')).toEqual([])
    const resolved = { id, reason: 'paid by hand' }
    expect((await browsers.support.submit('/admin/orders/resolve', resolved)).status).toBe(303)
    const row = await database
      .selectFrom('order_flags')
      .select(['resolution', 'resolved_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ resolution: 'paid by hand', resolved_at: now })
    expect((await read('/admin/orders')).tables['Payments to review']).toHaveLength(1)
  })

  test('have each a page with what was agreed, paid and done', async () => {
    const order = await makeOrder(app.context.database, { now: ago(30) })
    const path = `/admin/orders/${order.id}`
    const { email } = await app.context.database
      .selectFrom('users')
      .select('email')
      .where('id', '=', order.userId)
      .executeTakeFirstOrThrow()
    const agreed = {
      User: email,
      Package: 'basic: $10.00, 100 credits',
      Status: 'started',
      Provider: 'NOWPayments, invoice none',
    }
    expect((await read(path)).facts).toEqual(agreed)
    const part = { state: 'partial', providerStatus: 'partially_paid', paidAmount: 6 } as const
    await order.settle({ ...part, payAmount: 10, payCurrency: 'usdcmatic' }, ago(25))
    await order.settle({}, ago(20))
    const { facts, tables } = await read(path)
    expect(facts).toEqual({
      ...agreed,
      Status: 'paid',
      Credited: timeText(ago(20)),
    })
    expect(tables['Payments']).toMatchObject([{ Payment: order.paymentId, Credited: 'yes' }])
    const timeline = tables['Timeline'] ?? []
    expect(timeline[0]).toEqual({ When: timeText(ago(30)), What: 'ordered', Detail: '' })
    expect(timeline).toContainEqual({
      When: timeText(ago(25)),
      What: 'partial',
      Detail: 'partially paid, 6 of 10 USDC (Polygon)',
    })
    expect(timeline).toContainEqual({
      When: timeText(ago(20)),
      What: 'credits added',
      Detail: expect.stringContaining('100 credits, '),
    })
    const times = timeline.map(({ When = '' }) => When)
    expect(times).toEqual(times.toSorted((one, other) => one.localeCompare(other)))
  })

  test('offer what may be done as they stand, to whom may do it', async () => {
    const order = await makeOrder(app.context.database, { now: ago(30) })
    const path = `/admin/orders/${order.id}`
    const settle = 'Credit the whole order: 100 credits'
    expect(await buttons(path, 'support')).toEqual([settle])
    await order.settle({}, ago(20))
    const refund = 'Take the credits back after a refund'
    expect([await buttons(path, 'owner'), await buttons(path, 'support')]).toEqual([[refund], []])
    const sent = await browsers.owner.submit(`${path}/refund`, { reason: 'asked' })
    expect(sent.flash).toBe('done 100 credits taken back.')
    expect(await buttons(path, 'owner')).toEqual([])
    expect((await read(path)).facts['Taken back']).toBe(timeText(now))
  })

  test('tell of a refund what is due back, what was taken, and what the buyer owes', async () => {
    const { database } = app.context
    const order = await makeOrder(database, { now: ago(30) })
    await order.settle({}, ago(20))
    const spent = { userId: order.userId, amount: -2, description: 'spent', now: ago(10) }
    await correctBalance(database, { ...spent, reference: crypto.randomUUID() })
    const path = `/admin/orders/${order.id}`
    await browsers.owner.submit(`${path}/refund`, { reason: 'asked' })
    const last = (await read(path)).tables['Timeline']?.slice(-3)
    const details = last?.map(({ What, Detail }) => (What === 'credits due back' ? What : Detail))
    const owed = 'Of 100 credits 98 were taken back; the buyer owes 2'
    expect(details?.toSorted()).toEqual([
      expect.stringContaining(owed),
      expect.stringMatching(/^asked \(owner-/),
      'credits due back',
    ])
  })
})

describe('reports', () => {
  test('show support no address that opens a picture, a moderator every one', async () => {
    const { database } = app.context
    const { generationId } = await makeDoneGeneration(database)
    const link = `${app.context.config.publicUrl}/?selfie=${'A'.repeat(22)}`
    const values = {
      generation_id: generationId,
      link,
      reason: 'depicts_me',
      details: `see ${link}`,
      contact: `me@example.test ${link}`,
      good_faith: true,
      signature: 'Robin Example',
      behalf: 'somebody_else',
      created_at: ago(10),
      due_at: ago(5),
    } as const
    await database.insertInto('reports').values(values).execute()
    await database
      .insertInto('reports')
      .values({
        ...values,
        created_at: ago(11),
        resolved_at: ago(4),
        outcome: 'kept',
        note: `it is harmless: ${link}`,
      })
      .execute()
    const row = (text: string, actions: string) => ({
      Due: timeText(ago(5)),
      Selfie: actions === '' ? short(generationId) : `Selfie ${short(generationId)}`,
      'Reported link': text,
      Reason: 'It shows me and I did not agree',
      Details: `see ${text}`,
      Contact: `me@example.test ${text}`,
      Signed: 'Robin Example, for somebody else',
      Actions: actions,
    })
    const seen = await read('/admin/reports', 'moderator')
    expect(seen.tables['Open']).toEqual([
      row(link, '[Keep the picture] [Remove for good] [There is no such picture]'),
    ])
    expect(seen.tables['Decided']).toEqual([
      {
        Filed: timeText(ago(11)),
        Selfie: short(generationId),
        Reason: 'It shows me and I did not agree',
        Outcome: 'kept',
        Note: `it is harmless: ${link}`,
      },
    ])
    const hidden = await read('/admin/reports', 'support')
    expect(hidden.tables['Open']).toEqual([row('[a picture]', '')])
    expect(hidden.tables['Decided']?.[0]?.['Note']).toBe('it is harmless: [a picture]')

    // Nor does a reporter's text lead a moderator to a site that only begins like this one.
    const elsewhere = `${app.context.config.publicUrl}@elsewhere.example/?selfie=${'A'.repeat(22)}`
    await database
      .insertInto('reports')
      .values({ ...values, link: elsewhere })
      .execute()
    const { text } = await browsers['moderator'].get('/admin/reports')
    expect(text.match(/href="[^"]*selfie=/g)).toEqual([`href="${link.split('A')[0]}`])
    expect(text).toContain(elsewhere)
  })
})

test('selfies are listed by their time whatever their state, with who made them and how alike they are', async () => {
  const { database } = app.context
  await database.updateTable('generations').set({ deleted_at: now }).execute()
  const running = await makeGeneration(database, {
    at: ago(3),
    row: { stage: 'faces' },
  })
  const failed = await makeGeneration(database, {
    at: ago(2),
    row: { state: 'failed', error_code: 'generation_failed', finished_at: ago(1) },
  })
  const done = await makeDoneGeneration(database, {
    at: ago(1),
    row: { finished_at: now, provider: 'fal', model: 'a-model', preset_id: null },
  })
  await makeAttempt(database, done, { likeness: 0.614 })
  const { tables } = await read('/admin/selfies', 'moderator')
  const rows = Object.values(tables)[0] ?? []
  expect(rows.map(({ Selfie }) => Selfie)).toEqual([
    short(done.generationId),
    short(failed.generationId),
    short(running.generationId),
  ])
  expect(rows[0]).toMatchObject({
    Picture: 'Selfie',
    Star: 'Elena Vassandri',
    State: 'done',
    When: timeText(ago(1)),
    'Made by': 'fal a-model, likeness 61 %',
    Seconds: '60.0',
  })
  expect(rows[1]).toMatchObject({
    Picture: '',
    State: expect.stringContaining('generation_failed'),
    Seconds: '60.0',
  })
  expect(rows[2]).toMatchObject({ State: 'faces', Seconds: '' })
  expect(Object.values((await read('/admin/selfies', 'support')).tables)[0]?.[0]?.['Picture']).toBe(
    '',
  )
})

test('a selfie with two stars shows both of them, one that is hidden since too, where it is listed and on its page', async () => {
  const row = {
    preset_id: 'elena-vassandri',
    second_preset_id: 'henrik-solmark',
    star_names: ['Elena Vassandri', 'Henrik Solmark'],
  }
  const { database, presets } = app.context
  const { generationId } = await makeDoneGeneration(database, { row })
  const hide = async (isHidden: boolean) => {
    const stars = presets.listPlaced()
    await placeStar(database, stars, { id: row.second_preset_id, place: 2, isHidden })
    await presets.refresh()
  }
  await hide(true)
  for (const path of ['/admin/selfies', `/admin/selfies/${generationId}`]) {
    const { text } = await browsers.owner.get(path)
    for (const id of [row.preset_id, row.second_preset_id]) {
      const face = presets.listPlaced().find((star) => star.id === id)!.thumbnail.jpeg
      expect(text, path).toContain(`<img class="face" src="${face}"`)
    }
    expect(text).toContain('Elena Vassandri, Henrik Solmark')
  }
  await hide(false)
})

test('selfies are found by the start of an e-mail, an id, a name or either star', async () => {
  const { database } = app.context
  const userId = await makeUser(database, 2)
  const { email } = await database
    .updateTable('users')
    .set({ username: '50% Nobody' })
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow()
  const at = ago(1)
  const celebrity = 'Nia Unheard'
  const star_names = [celebrity, 'Lou Unseen']
  const alone = await makeDoneGeneration(database, { userId, at })
  const both = await makeGeneration(database, { userId, at, row: { celebrity, star_names } })
  const find = async (search: string) => {
    const { tables } = await read(`/admin/selfies?q=${encodeURIComponent(search)}`)
    return new Set((Object.values(tables)[0] ?? []).map(({ Selfie }) => Selfie))
  }
  const own = new Set([short(alone.generationId), short(both.generationId)])
  for (const search of [email.slice(0, -3).toUpperCase(), userId, '50% n']) {
    expect(await find(search)).toEqual(own)
  }
  expect(await find('done')).toContain(short(alone.generationId))
  expect(await find('done')).not.toContain(short(both.generationId))
  for (const search of ['unheard', 'Lou Uns', both.generationId]) {
    expect(await find(search)).toEqual(new Set([short(both.generationId)]))
  }
  expect(await find('Nia%Unheard')).toEqual(new Set())
  const { text } = await browsers.owner.get('/admin/selfies?q=nobody-at-all')
  expect(text).toContain('Nothing was found.')
})

test('batches of vouchers tell how much of them was redeemed and how long they hold', async () => {
  const { database, clock, keys } = app.context
  const parts = { database, clock, randomBytes: app.context.randomBytes, keys }
  const rules = {
    name: 'Fair',
    credits: 5,
    codes: 3,
    usesMax: 4,
    personUsesMax: 2,
    startsAt: ago(60),
    endsAt: undefined,
    createdBy: 'kim',
  }
  const { batchId } = await createVouchers(parts, rules)
  const row = {
    Name: 'Fair',
    Redeemed: '0 of 12',
    Credits: '5',
    'Per code': '4',
    'Per user': '2',
    'Valid (UTC)': `from ${dayText(ago(60))}`,
    Made: `${timeText(now)} by kim`,
    Actions: '[Void]',
  }
  const batches = async (role: OperatorRole) =>
    (await read('/admin/vouchers', role)).tables['Batches']
  expect(await batches('owner')).toEqual([row])
  expect(await batches('support')).toEqual([{ ...row, Actions: '' }])
  expect(await buttons('/admin/vouchers', 'support')).toEqual([])
  const sent = await browsers.owner.submit('/admin/vouchers/void', {
    id: batchId,
    reason: 'stolen',
  })
  expect(sent.flash).toBe('done The batch is void.')
  expect(await batches('owner')).toEqual([
    { ...row, 'Valid (UTC)': `void since ${timeText(now)}`, Actions: '' },
  ])
})

test('operators are listed by name with role, second factor and whether they are shut out', async () => {
  const { database } = app.context
  const add = (name: string, role: OperatorRole) =>
    addOperator(database, { name, role, password: 'long enough to be one' })
  await add('zoe', 'support')
  await add('amy', 'moderator')
  await database
    .updateTable('operators')
    .set({ totp_confirmed_at: now, totp_secret: Buffer.alloc(20) })
    .where('name', '=', 'amy')
    .execute()
  await database
    .updateTable('operators')
    .set({ disabled_at: now })
    .where('name', '=', 'zoe')
    .execute()
  const rows = Object.values((await read('/admin/operators')).tables)[0] ?? []
  const names = rows.map(({ Name = '' }) => Name)
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)))
  expect(rows[0]).toMatchObject({ Name: 'amy', Role: 'moderator', 'Second factor': 'yes' })
  expect(rows.at(-1)).toMatchObject({ Name: 'zoe', Role: 'disabled', 'Second factor': 'no' })
})

describe('the log', () => {
  test('says of each act who did what to what, why, and what it was before and after', async () => {
    const { id } = await account({}, 3)
    const fields = { credits: '5', reason: 'a lost picture', once: crypto.randomUUID() }
    await browsers.support.submit(`/admin/users/${id}/grant`, fields)
    const rows = (await read('/admin/log')).tables['History'] ?? []
    expect(rows[0]).toEqual({
      When: timeText(now),
      Who: expect.stringMatching(/^support-/),
      What: 'user grant',
      About: id,
      Reason: 'a lost picture',
      Before: '3',
      After: '8',
      Outcome: 'done',
    })
    const found = (await read(`/admin/log?q=${id}`)).tables['History']
    expect(found).toEqual([rows[0]])
  })

  test('names fields and times as people write them', async () => {
    const made = { name: 'Spring', credits: '5', to: '2099-01-31' }
    await browsers.owner.submit('/admin/vouchers/create', made)
    const [row] = (await read('/admin/log')).tables['History'] ?? []
    expect(row).toMatchObject({ What: 'voucher create', Outcome: 'done' })
    expect(row?.['After']).toContain('; uses max: 1; ')
    expect(row?.['After']).toContain('; ends at: 2099-02-01 00:00 UTC; ')
  })

  test('says of a setting what it was and became, and has a way back', async () => {
    const by = { operatorName: 'kim', now }
    await changeSite(app.context.database, { 'legal.operator': 'Ada Ltd' }, by)
    await changeSite(app.context.database, { 'legal.operator': 'Grace Ltd' }, by)
    const [row] = (await read('/admin/log')).tables['Changed settings'] ?? []
    expect(row).toEqual({
      When: timeText(now),
      Who: 'kim',
      What: siteTitles['legal.operator'],
      Before: 'Ada Ltd',
      After: 'Grace Ltd',
      Actions: '[Undo]',
    })
    await changeSite(app.context.database, { 'legal.operator': 'Ada Ltd' }, by)
    const [undoing, undone] = (await read('/admin/log')).tables['Changed settings'] ?? []
    expect([undoing?.['Actions'], undone?.['Actions']]).toEqual(['[Undo]', 'Undone'])
  })
})

test('the log says of a changed package which it is, and its price alone', async () => {
  const { database, site } = app.context
  const { packages } = site.values()
  const dearer = packages.map((one, n) => (n === 0 ? { ...one, priceCents: 1_234 } : one))
  await changeSite(database, { packages }, { operatorName: 'kim', now })
  await changeSite(database, { packages: dearer }, { operatorName: 'kim', now })
  const [row] = (await read('/admin/log')).tables['Changed settings'] ?? []
  expect(row?.['Before']).toBe(`id: ${packages[0]?.id}; price cents: ${packages[0]?.priceCents}`)
  expect(row?.['After']).toBe(`id: ${packages[0]?.id}; price cents: 1234`)
  await changeSite(database, { packages }, { operatorName: 'kim', now })
})

test('selfies go on page by page, each once', async () => {
  const { database } = app.context
  const userId = await makeUser(database, 53)
  for (let n = 0; n < 53; n += 1) await makeDoneGeneration(database, { userId, at: ago(1_000 + n) })
  const found: string[] = []
  let path: string | undefined = '/admin/selfies'
  while (path !== undefined) {
    const { text }: { text: string } = await browsers.owner.get(path)
    found.push(...Array.from(text.matchAll(/<code title="([\w-]{36})"/g), ([, id = '']) => id))
    path = /href="([^"]+)">Next</.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  const rows = await database
    .selectFrom('generations')
    .select('id')
    .where('deleted_at', 'is', null)
    .execute()
  expect(found.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
})

test('a list is full without a next page at its length, and has one beyond it', async () => {
  const { database } = app.context
  const { count } = await database
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  for (let n = Number(count); n < pageRowsMax; n += 1) await makeOrder(database, { now: ago(99) })
  const hasNext = async () => (await browsers.owner.get('/admin/orders')).text.includes('>Next</a>')
  expect(await hasNext()).toBe(false)
  await makeOrder(database, { now: ago(99) })
  expect(await hasNext()).toBe(true)
  const { text } = await browsers.owner.get('/admin/orders?from=100')
  expect(text).toContain('href="/admin/orders?from=0"')
  expect(text).not.toContain('>Next</a>')
  const third = await browsers.owner.get('/admin/orders?from=200')
  expect(third.text).toContain('href="/admin/orders?from=100">Before</a>')
  const searched = await browsers.owner.get('/admin/orders?status=initiated&from=100')
  expect(searched.text).toContain('href="/admin/orders?from=0&amp;status=initiated">Before</a>')
  const beyond = await browsers.owner.get(`/admin/orders?from=${'9'.repeat(20)}`)
  expect(beyond.status).toBe(200)
})
