import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseFlag } from '../../payments/order-records.ts'
import { openEvent } from '../../testing/open-event.ts'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { makeOrder } from '../../testing/make-order.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { acts } from '../acts.ts'
import type { ActOutcome, ActParts } from '../act.ts'

let app: TestApp
let parts: ActParts
let now: Date
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  app.stopTime()
  const { context } = app
  now = context.clock()
  parts = {
    ...context,
    operatorName: 'kim',
    store: async () => context.store,
    keys: async () => context.keys,
    listStars: async () => context.presets.listPlaced(),
  }
})
afterAll(() => app[Symbol.asyncDispose]())

/** Does an act by its name, with what its form or command sends. */
function act(name: string, fields: Record<string, string>): Promise<ActOutcome> {
  const found = acts.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no act ${name}`)
  return found.run(parts, { fields, files: {} })
}

const reason = 'the user asked'
const emailOf = async (id: string) => {
  const { email } = await app.context.database
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return email
}

test('credits are given and taken as far as they go, with the balance before and after', async () => {
  const id = await makeUser(app.context.database, 4)
  const once = () => crypto.randomUUID()
  const given = await act('user grant', { id, credits: '3', reason, once: once() })
  expect(given).toEqual({
    done: '3 credits given; the balance is 7.',
    isPartial: false,
    log: { subject: id, before: 4, after: 7 },
  })
  const taken = await act('user take', { id, credits: '9', reason, once: once() })
  expect(taken).toEqual({
    done: 'Only 7 credits taken; the balance is 0.',
    isPartial: true,
    log: { subject: id, before: 7, after: 0 },
  })
})

test('a link is withdrawn by its own event alone, once', async () => {
  const [event, other] = [await openEvent(app), await openEvent(app)]
  await event.open('wall')
  const { id: link } = await app.context.database
    .selectFrom('event_links')
    .select('id')
    .where('event_id', '=', event.row.id)
    .executeTakeFirstOrThrow()
  const refused = { refused: 'There is no such link.' }
  expect(await act('event withdraw', { id: other.row.id, link })).toEqual(refused)
  expect(await act('event withdraw', { id: event.row.id, link })).toMatchObject({
    done: 'The link no longer works.',
  })
  expect(await act('event withdraw', { id: event.row.id, link })).toEqual(refused)
})

test('what a deleted guest has left goes back to their event', async () => {
  const event = await openEvent(app, { budget: 10 })
  const { userId, lend } = await event.join()
  await lend()
  expect(await event.budget()).toBe(9)
  const email = await emailOf(userId)
  await act('user delete', { id: userId, email, reason })
  expect(await event.budget()).toBe(10)
})

test('an account is closed, opened and deleted, each once', async () => {
  const id = await makeUser(app.context.database)
  const email = await emailOf(id)
  const log = { subject: id }
  const asked = { id: email, reason }
  expect(await act('user unsuspend', asked)).toEqual({ refused: 'The account is active already.' })
  expect(await act('user suspend', asked)).toEqual({ done: `${email} is suspended.`, log })
  expect(await act('user suspend', asked)).toEqual({
    refused: 'The account is suspended already.',
  })
  expect(await act('user unsuspend', asked)).toEqual({ done: `${email} is open again.`, log })
  expect(await act('user delete', { ...asked, email: 'other@example.test' })).toEqual({
    refused: 'Nothing was deleted.',
    problems: { email: 'This is not the e-mail of the account.' },
  })
  expect(await act('user delete', { ...asked, email: ` ${email.toUpperCase()} ` })).toEqual({
    done: 'The account and its pictures are deleted.',
    to: '/admin/users',
    log,
  })
  for (const name of ['user suspend', 'user unsuspend', 'user delete']) {
    const outcome = await act(name, { ...asked, email })
    expect(outcome).toEqual({ refused: 'There is no such account.' })
  }
})

/** An open order, and what a flag of its payment is about. */
async function orderWithPayment() {
  const order = await makeOrder(app.context.database, { now })
  const payment = { provider: 'nowpayments' as const, paymentId: order.paymentId }
  return { order, subject: { ...payment, orderId: order.id, now } }
}

test('an order is credited on an operator’s word and refunded, each once, and its flags are settled', async () => {
  const { database } = app.context
  const { order, subject } = await orderWithPayment()
  await raiseFlag(database, { ...subject, kind: 'underpaid', note: 'a half came' })
  const asked = { id: order.id, reason }
  expect(await act('orders refund', asked)).toEqual({ refused: 'The order was never credited.' })
  expect(await act('orders credit-worth', asked)).toMatchObject({ refused: expect.any(String) })
  const done = '100 credits granted.'
  expect(await act('orders settle', asked)).toEqual({ done, log: { after: done } })
  expect(await order.openFlags()).toEqual([])
  expect(await order.read()).toMatchObject({ status: 'completed', paid_late: false })
  expect(await act('orders settle', asked)).toEqual({ refused: 'The order is already credited.' })
  const back = '100 credits taken back.'
  expect(await act('orders refund', asked)).toEqual({ done: back, log: { after: back } })
  expect(await act('orders refund', asked)).toEqual({ refused: 'The order was already refunded.' })
  for (const name of ['orders settle', 'orders refund']) {
    const outcome = await act(name, { id: 'order_none_000000', reason })
    expect(outcome).toEqual({ refused: 'There is no such order.' })
  }
})

test('a refund takes the credits that are left, and tells what the buyer owes', async () => {
  const order = await makeOrder(app.context.database, { now })
  await order.settle({}, now)
  const spent = { id: order.userId, credits: '30', reason, once: crypto.randomUUID() }
  await act('user take', spent)
  const done = '70 credits taken back; the buyer owes 30.'
  const outcome = await act('orders refund', { id: order.id, reason })
  expect(outcome).toEqual({ done, log: { after: done } })
})

test.each(['expired', 'cancelled'] as const)(
  'an order that was %s and is credited on an operator’s word counts as paid late',
  async (status) => {
    const { database } = app.context
    const order = await makeOrder(database, { now })
    await database.updateTable('orders').set({ status }).where('id', '=', order.id).execute()
    await act('orders settle', { id: order.id, reason })
    expect(await order.read()).toMatchObject({ status: 'completed', paid_late: true })
  },
)

test('what an underpaid order is worth is credited, and its history names the operator', async () => {
  const { database } = app.context
  const order = await makeOrder(database, { now })
  await order.settle({
    state: 'partial',
    paidAmount: 4,
    settledAmount: 4,
    payAmount: 10,
  })
  const done = '40 credits granted.'
  const outcome = await act('orders credit-worth', { id: order.id, reason })
  expect(outcome).toEqual({ done, log: { after: done } })
  const events = await database
    .selectFrom('payment_events')
    .select('detail')
    .where('order_id', '=', order.id)
    .execute()
  expect(events.map(({ detail }) => detail).join()).toContain(`${reason} (kim)`)
})

test('a flag is resolved once, with what was done', async () => {
  const { database } = app.context
  const { order, subject } = await orderWithPayment()
  await raiseFlag(database, { ...subject, kind: 'second_payment', note: 'twice' })
  const { id } = await database
    .selectFrom('order_flags')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  expect(await act('flag resolve', { id, reason: 'sent back' })).toEqual({ done: 'Resolved.' })
  const again = { refused: 'There is no such open flag.' }
  expect(await act('flag resolve', { id, reason })).toEqual(again)
  expect(await act('flag resolve', { id: 'no number', reason })).toEqual(again)
  const row = await database
    .selectFrom('order_flags')
    .select(['resolution', 'resolved_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ resolution: 'sent back', resolved_at: now })
})

test('a picture is removed for good, with those that are the same', async () => {
  const { database } = app.context
  const made = (picture_hash: string) => makeDoneGeneration(database, { row: { picture_hash } })
  const [picture, same, near] = [await made('12345'), await made('12345'), await made('12344')]
  const asked = { id: picture.generationId, reason }
  expect(await act('picture remove', asked)).toEqual({
    done:
      `Removed. 1 hashes are blocked. Its owner is ${picture.userId}.` +
      ` Removed too, as they look the same: ${same.generationId}.` +
      ` These look nearly the same: ${near.generationId}.`,
    log: { subject: picture.generationId, after: { copies: [same.generationId] } },
  })
  const unknown = { refused: 'There is no such finished picture.' }
  expect(await act('picture remove', { id: crypto.randomUUID(), reason })).toEqual(unknown)
})

test('a report is kept or not found, once', async () => {
  const { database } = app.context
  const report = async (generation_id: string | null) => {
    const { id } = await database
      .insertInto('reports')
      .values({
        generation_id,
        link: 'x',
        reason: 'other',
        details: '',
        contact: 'me@example.test',
        good_faith: true,
        created_at: now,
        due_at: new Date(now.getTime() + 48 * 60 * 60_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const { generationId } = await makeDoneGeneration(database)
  const id = await report(generationId)
  const kept = await act('reports resolve', { id, outcome: 'kept', reason })
  expect(kept).toEqual({ done: 'The picture stays.' })
  const again = await act('reports resolve', { id, outcome: 'removed', reason })
  expect(again).toEqual({ refused: 'This report was decided already.' })
  const other = await report(null)
  expect(await act('reports resolve', { id: other, outcome: 'removed', reason })).toEqual({
    refused: 'Which picture it is about is not known. Remove it by its id.',
  })
  expect(await act('reports resolve', { id: other, outcome: 'not_found', reason })).toEqual({
    done: 'There is no such picture.',
  })
  const logged = await database
    .selectFrom('moderation_log')
    .select(['act', 'actor', 'detail', 'report_id', 'generation_id'])
    .where('report_id', 'in', [id, other])
    .orderBy('id')
    .execute()
  const row = { act: 'report resolved', actor: 'operator' }
  expect(logged).toEqual([
    { ...row, detail: `kept: ${reason}`, report_id: id, generation_id: generationId },
    { ...row, detail: `not_found: ${reason}`, report_id: other, generation_id: null },
  ])
})

test('a setting is set, put back step by step and to its default, with what it was and became', async () => {
  const key = 'legal.operator'
  const was = app.context.site.values()[key]
  const set = (value: string) => act('settings set', { id: key, value })
  expect(await set('Ada Ltd')).toEqual({
    done: 'Changed: Name of the operator.',
    log: { after: 'Ada Ltd' },
  })
  expect(await set('Ada Ltd')).toEqual({ refused: 'Nothing changed.' })
  expect(await set('"Ada Ltd"'), 'as JSON too').toEqual({ refused: 'Nothing changed.' })
  expect(await set('Grace Ltd')).toMatchObject({ log: { before: 'Ada Ltd', after: 'Grace Ltd' } })
  expect(await act('settings undo', { id: key })).toEqual({
    done: 'Changed: Name of the operator.',
    log: { before: 'Grace Ltd', after: 'Ada Ltd' },
  })
  expect(await act('settings unset', { id: key })).toEqual({
    done: 'Back to the default: Name of the operator.',
    log: { before: 'Ada Ltd' },
  })
  await app.context.site.refresh()
  expect(app.context.site.values()[key]).toBe(was)
  const wrong = await act('settings set', { id: 'packages', value: '[]' })
  expect(wrong).toMatchObject({
    refused: 'Nothing was changed.',
    problems: { value: expect.stringMatching(/^Not accepted: ./) },
  })
  const popular = app.context.site.values().packages.map((each) => ({ ...each, isPopular: true }))
  const twice = await act('settings set', { id: 'packages', value: JSON.stringify(popular) })
  expect(twice).toMatchObject({
    problems: { value: expect.stringContaining('At most one package is the most popular one.') },
  })
  const unknown = await act('settings set', { id: 'no.such', value: '1' })
  expect(unknown).toMatchObject({
    problems: { id: expect.stringContaining("There is no setting 'no.such'. There are: ") },
  })
})

test('an operator is added, changed and reset under the name, each password shown once', async () => {
  const added = await act('operator add', { id: ' Zoe ', role: 'support' })
  expect(added).toMatchObject({
    done: 'zoe is support.',
    shownOnce: { text: expect.stringMatching(/^[\w-]{20}$/) },
    log: { subject: 'zoe', after: { name: 'zoe', role: 'support' } },
  })
  expect(await act('operator add', { id: 'zoe', role: 'support' })).toEqual({
    refused: 'Nobody was added.',
    problems: { id: 'There is an operator zoe.' },
  })
  expect(await act('operator change', { id: 'zoe', role: 'moderator', disabled: 'on' })).toEqual({
    done: 'zoe is changed.',
    log: {
      before: { role: 'support', isDisabled: false },
      after: { role: 'moderator', isDisabled: true },
    },
  })
  const reset = await act('operator reset', { id: 'ZOE' })
  expect(reset).toMatchObject({
    done: 'zoe has no second factor now; all sessions ended.',
    shownOnce: { text: expect.stringMatching(/^[\w-]{20}$/) },
  })
  const unknown = { refused: 'There is no such operator.' }
  expect(await act('operator change', { id: 'nobody', role: 'owner' })).toEqual(unknown)
  expect(await act('operator reset', { id: 'nobody' })).toEqual(unknown)
})

test('a token opens the pages for as long as it says, and all of them end at once', async () => {
  expect(await act('operator token', { name: 'guest', days: '2' })).toMatchObject({
    done: `Sign in at ${app.context.config.publicUrl}/admin within 2 days with this token:`,
    log: { subject: 'guest' },
  })
  const { expires_at } = await app.context.database
    .selectFrom('operator_keys')
    .select('expires_at')
    .where('name', '=', 'guest')
    .executeTakeFirstOrThrow()
  expect(expires_at.getTime() - now.getTime()).toBe(2 * 24 * 60 * 60_000)
  expect(await act('operator revoke', {})).toEqual({ done: '1 token or session ended.' })
  expect(await act('operator token', { days: '366' })).toMatchObject({
    problems: { days: 'Please enter 365 or less.' },
  })
  expect(await act('operator token', {})).toMatchObject({
    done: expect.stringContaining('within 7 days'),
  })
})

test.for([
  ['event create', 'budget', ['-1', '100001', '1.5']],
  ['event budget', 'credits', ['-100001', '0', '100001', '1.5']],
] as const)('%s takes no %s out of bounds', async ([name, field, values]) => {
  for (const value of values) {
    const given = { id: 'party', name: 'party', reason: 'asked', [field]: value }
    expect(await act(name, given), value).toMatchObject({
      problems: { [field]: expect.any(String) },
    })
  }
})

test('a star is placed where it is told, behind the last at most, and hidden or shown', async () => {
  const stars = app.context.presets.listPlaced()
  const [first] = stars
  if (first === undefined) throw new Error('there are no stars')
  const placed = await act('preset place', { id: first.id, position: '999', hidden: 'on' })
  expect(placed).toEqual({
    done: `${first.name} is hidden.`,
    log: {
      before: { place: 1, isHidden: false },
      after: { place: stars.length, isHidden: true },
    },
  })
  await app.context.presets.refresh()
  expect(app.context.presets.listPlaced().at(-1)).toMatchObject({ id: first.id, isHidden: true })
  const back = await act('preset place', { id: first.id, position: '1' })
  expect(back).toMatchObject({ done: `${first.name} is number 1 of ${stars.length}.` })
  const unknown = { refused: 'There is no such star.' }
  expect(await act('preset place', { id: 'nobody', position: '1' })).toEqual(unknown)
})

test('vouchers are made by their rules and taken back as a batch or one by one', async () => {
  const rules = { name: 'Fair', credits: '5', codes: '2', from: '2026-12-01', to: '2026-12-24' }
  const made = await act('voucher create', rules)
  expect(made).toMatchObject({
    done: '2 codes, each for 5 credits.',
    shownOnce: { file: { name: 'vouchers.csv', codes: [expect.any(String), expect.any(String)] } },
    log: {
      after: {
        usesMax: 1,
        startsAt: new Date('2026-12-01T00:00:00Z'),
        endsAt: new Date('2026-12-25T00:00:00Z'),
      },
    },
  })
  if (!('done' in made)) throw new Error('nothing was made')
  const [head, line = ''] = made.shownOnce?.text.split(/\r?\n/) ?? []
  expect(head).toBe('\uFEFFnumber,code,link,credits,valid from (UTC),valid until (UTC)')
  const [number, code = '', link, ...rest] = line.split(',')
  expect([number, link, ...rest]).toEqual([
    '1',
    `${app.context.config.publicUrl}/?voucher=${code}`,
    '5',
    '2026-12-01 00:00',
    '2026-12-25 00:00',
  ])
  const one = { id: code, reason }
  expect(await act('voucher void', one)).toEqual({ done: 'The code is void.' })
  const gone = { refused: 'There is no such valid voucher.' }
  expect(await act('voucher void', one)).toEqual(gone)
  const all = { id: made.log?.subject ?? '', reason }
  expect(await act('voucher void', all)).toEqual({ done: 'The batch is void.' })
  expect(await act('voucher void', all)).toEqual(gone)
})

test.each(
  acts.filter(({ fields }) => 'reason' in fields).map((each) => [each.name, each] as const),
)('%s asks why, and does nothing without a reason', async (_name, { run }) => {
  const outcome = await run(parts, { fields: { id: 'x', reason: ' ' }, files: {} })
  expect(outcome).toMatchObject({ problems: { reason: 'Please say why.' } })
})
