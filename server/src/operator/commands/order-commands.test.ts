import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { auditOrders } from '../../payments/audit-orders.ts'
import { makeOrder } from '../../testing/make-order.ts'
import { openShopper } from '../../testing/open-shopper.ts'
import type { Shopper } from '../../testing/open-shopper.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { actCommands } from './act-commands.ts'
import type { OperatorCommands, OperatorParts } from './operator-command.ts'
import { booksCommands } from './books-commands.ts'
import { listCommands } from './list-commands.ts'
import { runWords } from '../../testing/call-command.ts'

let app: TestApp
let shopper: Shopper
let printed: string[]
beforeAll(async () => {
  app = await openTestApp()
  shopper = openShopper(app)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  printed = []
})

const commands: OperatorCommands = { ...listCommands, ...actCommands, ...booksCommands }

async function run(name: string, ...words: string[]): Promise<number | undefined> {
  const parts: OperatorParts = {
    config: app.context.config,
    database: app.context.database,
    databaseUrl: app.databaseUrl,
    clock: app.context.clock,
    print: (line) => printed.push(line),
  }
  printed = []
  return runWords(commands[name], parts, words)
}

const output = () => printed.join('\n')

test('an underpaid order is listed as flagged, and credited on the operator’s word, once', async () => {
  const purchase = await shopper.order('basic')
  await purchase.act('underpay')
  expect(await run('orders list', '--flagged')).toBe(0)
  expect(output()).toMatch(new RegExp(`${purchase.orderId}.*processing.*! underpaid`))

  expect(await run('orders settle', purchase.orderId)).toBe(2)
  expect(await run('orders settle', purchase.orderId, '--reason', 'Seen on the chain')).toBe(0)
  expect(output()).toBe('100 credits granted.')
  expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
  expect(await run('orders settle', purchase.orderId, '--reason', 'Again')).toBe(1)

  // The provider's own word afterwards grants nothing, and is told.
  await purchase.act('pay-rest')
  expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })

  expect(await run('orders show', purchase.orderId)).toBe(0)
  expect(output()).toMatch(/settled by operator\s+detail +Seen on the chain/)
  expect(await run('orders list', '--flagged')).toBe(0)
  expect(output()).toMatch(new RegExp(`${purchase.orderId}.*completed.*! second_payment`))
})

test('a refund takes the credits back once, and no more than there are', async () => {
  const purchase = await shopper.order('premium')
  expect(await run('orders refund', purchase.orderId, '--reason', 'None')).toBe(1)
  await purchase.act('pay')
  expect(await run('orders refund', purchase.orderId, '--reason', 'Bought by mistake')).toBe(0)
  expect(output()).toBe('200 credits taken back.')
  expect(await purchase.credits()).toEqual({ balance: 1, bought: 200 })
  expect(await run('orders refund', purchase.orderId, '--reason', 'Again')).toBe(1)
  // The provider reports its own refund later: nothing is taken twice.
  await purchase.act('refund')
  expect(await purchase.credits()).toEqual({ balance: 1, bought: 200 })
})

test('a flag is resolved once, with a reason', async () => {
  const purchase = await shopper.order('basic')
  await purchase.act('overpay')
  await run('orders list', '--flagged')
  const line = printed.find((text) => text.startsWith('flag') && text.includes(purchase.orderId))
  const [, flagId = ''] = line?.split(' ') ?? []
  expect(await run('flag resolve', flagId, '--reason', 'Sent the rest back')).toBe(0)
  expect(await run('flag resolve', flagId, '--reason', 'Again')).toBe(1)
  expect(await run('flag resolve', 'nonsense', '--reason', 'x')).toBe(1)
})

test('credits are given and taken with a reason, never below zero, and the audit stays clean', async () => {
  const { userId, token } = await app.register({ username: 'Ada 100%' })
  expect(await run('user find', 'Ada 100%')).toBe(0)
  expect(output()).toContain(userId)
  expect(await run('user find', 'Ada 1_0%')).toBe(1)
  expect(await run('user grant', userId, '5', '--reason', 'For the trouble')).toBe(0)
  expect(await shopper.credits(token)).toEqual({ balance: 6, bought: 0 })
  expect(await run('user take', userId, '10', '--reason', 'Too many')).toBe(1)
  expect(output()).toContain('6 credits taken')
  expect(await shopper.credits(token)).toEqual({ balance: 0, bought: 0 })
  expect(await run('user grant', userId, '1.5', '--reason', 'x')).toBe(2)
  expect(await run('user grant', 'nobody@example.test', '5', '--reason', 'x')).toBe(1)
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditOrders(app.context.database)).toEqual([])
})

test('the audit finds a purchase that no order stands behind', async () => {
  expect(await run('audit')).toBe(0)
  expect(printed.at(-1)).toBe('The books are sound.')
  const { userId } = await app.register()
  const { grantCredits } = await import('../../ledger/credits/grant.ts')
  await grantCredits(app.context.database, {
    userId,
    amount: 100,
    reason: 'purchase',
    description: 'From nowhere',
    reference: 'order:order_0_nowher',
    now: new Date(),
  })
  expect(await run('audit')).toBe(1)
  expect(output()).toContain('The purchase order:order_0_nowher has no credited order.')
})

test('the provider is asked after the payments of as many days as are said', async () => {
  const { database, clock } = app.context
  const read = async (days: number) => {
    await run('audit', '--provider', '--days', String(days))
    return Number(/^(\d+) payments were read/m.exec(output())?.[1])
  }
  const before = [await read(2), await read(4)]
  for (const days of [1, 3]) {
    const now = new Date(clock().getTime() - days * 24 * 60 * 60_000)
    await (await makeOrder(database, { provider: 'sandbox', now })).settle()
  }
  const after = [await read(2), await read(4)]
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 2])
})
