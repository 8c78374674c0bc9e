import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeSite } from '../../platform/site/change-site.ts'
import { siteKeys } from '../../platform/site/site-settings.ts'
import { raiseFlag } from '../../payments/order-records.ts'
import { makeOrder } from '../../testing/make-order.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openEvent } from '../../testing/open-event.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { callCommand } from '../../testing/call-command.ts'
import { listCommands } from './list-commands.ts'

let app: TestApp
let now: Date
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  app.stopTime()
  now = app.context.clock()
})
afterAll(() => app[Symbol.asyncDispose]())

async function run(name: string, ...words: string[]) {
  return await callCommand(app, listCommands, { name, words })
}

const userOf = (id: string) =>
  app.context.database
    .selectFrom('users')
    .select(['email', 'username', 'referral_code', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('orders are listed newest first, by status, buyer and flags, up to a limit', async () => {
  const { database } = app.context
  const older = await makeOrder(database, { now: minutesAgo(2) })
  const newer = await makeOrder(database, { now: minutesAgo(1) })
  const { email } = await userOf(older.userId)
  const { email: other } = await userOf(newer.userId)
  await older.settle({}, minutesAgo(1))
  const subject = { provider: 'nowpayments' as const, paymentId: '77', orderId: newer.id, now }
  await raiseFlag(database, { ...subject, kind: 'underpaid', note: 'a half came' })
  const first = `${newer.id}  ${minutesAgo(1).toISOString()}  initiated    $10.00  nowpayments  ${other}  ! underpaid`
  const second = `${older.id}  ${minutesAgo(2).toISOString()}  completed    $10.00  nowpayments  ${email}  `
  expect(await run('orders list')).toEqual({ status: 0, lines: [first, second, '2 orders.'] })
  expect((await run('orders list', '--limit', '1')).lines).toEqual([first, '1 orders.'])
  expect((await run('orders list', '--status', 'completed')).lines).toEqual([second, '1 orders.'])
  const byMail = await run('orders list', '--email', ` ${email.toUpperCase()}`)
  expect(byMail.lines).toEqual([second, '1 orders.'])
  const flagged = await run('orders list', '--flagged')
  expect(flagged.lines).toEqual([
    first,
    '1 orders.',
    expect.stringMatching(new RegExp(`^flag \\d+  .*  ${newer.id}  underpaid: a half came$`)),
  ])
  expect(await run('orders list', '--status', 'paid')).toMatchObject({ status: 2 })
  for (const limit of ['0', '1001', '1.5']) {
    expect(await run('orders list', '--limit', limit)).toEqual({
      status: 2,
      lines: ['The limit is a whole number from 1 to 1000.'],
    })
  }
  expect((await run('orders list', '--limit', '1000')).status).toBe(0)
})

test('a user is found by e-mail, id, referral code or a part of the name', async () => {
  const id = await makeUser(app.context.database, 3)
  const { email, username, referral_code: code, created_at } = await userOf(id)
  const line = `${id}  ${email}  ${username}  active  3 credits, 0 bought, since ${created_at.toISOString()}`
  for (const text of [email.toUpperCase(), id.toUpperCase(), code, username.slice(1)]) {
    expect(await run('user find', text)).toEqual({ status: 0, lines: [line] })
  }
  await app.context.database
    .updateTable('credit_accounts')
    .set({ owed: 5, balance: 0 })
    .where('user_id', '=', id)
    .execute()
  expect((await run('user find', id)).lines[0]).toContain('active  0 credits, 5 owed, 0 bought')
  expect(await run('user find', 'nobody at all')).toEqual({
    status: 1,
    lines: ['Nobody was found.'],
  })
  expect((await run('user find')).status).toBe(2)
})

test('a guest of an event is found by a part of the name, too', async () => {
  const { database } = app.context
  const id = await makeUser(database)
  const { row } = await openEvent(app)
  await database.updateTable('users').set({ guest_of: row.id }).where('id', '=', id).execute()
  const { username } = await userOf(id)
  const { lines } = await run('user find', username.slice(1))
  expect(lines.map((line) => line.split(' ')[0])).toEqual([id])
})

test('reports are listed by their deadlines, and each is shown in one line a value', async () => {
  const { database } = app.context
  expect((await run('reports list')).lines).toEqual(['No report is open.'])
  expect((await run('reports list', '--all')).lines).toEqual(['There are no reports.'])
  const report = async (due_at: Date, outcome: 'kept' | null) => {
    const { id } = await database
      .insertInto('reports')
      .values({
        generation_id: null,
        link: 'a link\u001B[31m of two\nlines',
        reason: 'other',
        details: '',
        contact: 'me@example.test',
        good_faith: true,
        created_at: minutesAgo(outcome === null ? 9 : 8),
        due_at,
        resolved_at: outcome === null ? null : now,
        outcome,
        note: outcome === null ? null : 'fine',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const due = new Date(now.getTime() + 60_000)
  const later = await report(due, null)
  const overdue = await report(minutesAgo(1), null)
  const kept = await report(due, 'kept')
  const about = 'other  picture unknown'
  const open = [`${overdue}  OVERDUE  ${about}`, `${later}  due ${due.toISOString()}  ${about}`]
  expect(await run('reports list')).toEqual({ status: 0, lines: open })
  const all = await run('reports list', '--all')
  expect(all.lines[0]).toBe(`${kept}  kept  ${about}`)
  expect(all.lines.toSorted()).toEqual([...open, `${kept}  kept  ${about}`].toSorted())
  await database
    .insertInto('moderation_log')
    .values({
      at: now,
      actor: 'operator',
      act: 'report resolved',
      report_id: kept,
      detail: 'kept: \u001B[2Jfine\nand more',
    })
    .execute()
  const { status, lines } = await run('reports show', kept)
  expect(status).toBe(0)
  expect(lines[0]).toContain('  link               a link [31m of two lines')
  expect(lines.at(-1)).toBe(
    `  ${now.toISOString()}  operator  report resolved  kept:  [2Jfine and more`,
  )
  expect(await run('reports show', crypto.randomUUID())).toEqual({
    status: 1,
    lines: ['There is no such report.'],
  })
})

test('settings are listed with their values, and of one its changes, newest first', async () => {
  const { database } = app.context
  const key = 'legal.operator'
  expect((await run('settings list', key)).lines).toEqual([`${key} was never changed: ""`])
  await changeSite(database, { [key]: 'Ada Ltd' }, { operatorName: 'kim', now })
  await changeSite(database, { [key]: 'Grace Ltd' }, { operatorName: 'zoe', now })
  const { lines } = await run('settings list')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(siteKeys)
  expect(lines.find((line) => line.startsWith(key))).toBe(`${key.padEnd(22)} "Grace Ltd"`)
  const changes = await run('settings list', key)
  expect(changes.lines.map((line) => line.replace(/^\d+ {2}\S+ {2}/, ''))).toEqual([
    `${key}: "Ada Ltd" → "Grace Ltd", by zoe`,
    `${key}: (default) → "Ada Ltd", by kim`,
  ])
  expect((await run('settings list', 'no.such')).status).toBe(2)
})
