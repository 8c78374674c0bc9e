import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { makePaymentDue } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentFacts, PaymentProvider } from './provider.ts'
import { reconcileOrders } from './reconcile-orders.ts'
import { createPaymentWatcher } from './watch-payments.ts'

let moment = Date.parse('2026-11-20T12:00:00Z')
const second = 1_000

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())
// What other tests have left due is none of the next one's.
beforeEach(async () => {
  await db.pool.query('update payments set next_read_at = null')
  await db.pool.query('update orders set next_search_at = null')
})

type Answer = Partial<PaymentFacts> | Error | undefined

interface Told {
  level: string
  text: string | undefined
  error: unknown
}

/** A program with a provider of payments whose answers a test gives. */
function open(more: { isSetUp?: boolean } = {}) {
  let now = new Date((moment += 100 * 24 * 60 * 60_000))
  const asked: string[] = []
  const searched: string[] = []
  const told: Told[] = []
  const answers = new Map<string, Answer[]>()
  const listed = new Map<string, string[] | Error>()
  const note = (level: string) => (details: { err?: unknown }, text?: string) => {
    told.push({ level, text, error: details.err })
  }
  const provider = {
    async fetchPayment(paymentId: string) {
      asked.push(paymentId)
      const left = answers.get(paymentId) ?? []
      const answer = left.length > 1 ? left.shift() : left[0]
      if (answer instanceof Error) throw answer
      return answer && finishedPayment({ paymentId, ...answer })
    },
    async findPayments({ orderId }: { orderId: string }) {
      searched.push(orderId)
      const found = listed.get(orderId) ?? []
      if (found instanceof Error) throw found
      return found.map((paymentId) => finishedPayment({ paymentId, orderId }))
    },
  } as Partial<PaymentProvider> as PaymentProvider
  const parts = {
    database: db.database,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    clock: () => now,
    findProvider: () => (more.isSetUp === false ? undefined : provider),
    enqueueReceipt: async () => {},
  }
  const watcher = createPaymentWatcher(parts)
  return {
    parts,
    watcher,
    asked,
    searched,
    told,
    listed,
    now: () => now,
    pass: (seconds: number) => (now = new Date(now.getTime() + seconds * second)),
    answer: (order: TestOrder, ...all: Answer[]) => answers.set(order.paymentId, all),
    key: (order: TestOrder) => ({ provider: 'nowpayments', payment_id: order.paymentId }) as const,
    order: () => makeOrder(db.database, { now }),
    readDue: () => watcher.readDue(new AbortController().signal),
  }
}

async function read({ paymentId }: TestOrder) {
  return db.database
    .selectFrom('payments')
    .select(['state', 'next_read_at', 'last_read_at', 'read_count', 'callback_count'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
}

describe('after a callback', () => {
  test('the payment is read at its provider, settled, and read again when it is due', async () => {
    const program = open()
    const order = await program.order()
    program.answer(order, { orderId: order.id, state: 'waiting', paidAmount: 0 })
    await program.watcher.noticeCallback(program.key(order))
    await program.watcher.whenIdle()
    expect(program.asked).toEqual([order.paymentId])
    expect(await order.read()).toMatchObject({ status: 'pending' })
    const next = new Date(program.now().getTime() + 15 * second)
    expect(await read(order)).toMatchObject({
      state: 'waiting',
      next_read_at: next,
      last_read_at: program.now(),
      callback_count: 1,
    })

    program.answer(order, { orderId: order.id })
    program.pass(14)
    await program.readDue()
    expect(program.asked).toHaveLength(1)
    program.pass(1)
    await program.readDue()
    expect(program.asked).toHaveLength(2)
    expect(await order.read()).toMatchObject({ status: 'completed' })
    expect(program.told.map(({ level, text }) => [level, text])).toEqual([
      ['info', 'a payment was read'],
      ['info', 'a payment was read'],
    ])
  })

  test('however often a buyer has it read meanwhile, the next reading comes no later', async () => {
    const program = open()
    const order = await program.order()
    const waiting = { orderId: order.id, state: 'waiting', paidAmount: 0 } as const
    program.answer(order, ...Array.from({ length: 12 }, () => waiting))
    for (let n = 0; n < 12; n += 1) {
      await program.watcher.readSoon(program.key(order))
      await program.watcher.whenIdle()
    }
    expect(program.asked).toHaveLength(12)
    const next = new Date(program.now().getTime() + 15 * second)
    expect(await read(order)).toMatchObject({ next_read_at: next, read_count: 0 })
  })

  /** A watcher whose provider answers once it is let. */
  function openSlow({ parts, asked }: ReturnType<typeof open>, orderId: string) {
    const { promise: isAsked, resolve: reportAsked } = Promise.withResolvers<void>()
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
    const provider = {
      async fetchPayment(paymentId: string) {
        asked.push(paymentId)
        reportAsked()
        await mayAnswer
        return finishedPayment({ paymentId, orderId, state: 'waiting' })
      },
    } as Partial<PaymentProvider> as PaymentProvider
    const slow = createPaymentWatcher({ ...parts, findProvider: () => provider })
    return { slow, isAsked, letAnswer }
  }

  test('that comes while the payment is read, it is read once more', async () => {
    const program = open()
    const order = await program.order()
    const { slow, isAsked, letAnswer } = openSlow(program, order.id)
    await slow.noticeCallback(program.key(order))
    await isAsked
    // Of another node, so that this one's queue doesn't know of it.
    const now = program.now()
    await makePaymentDue(db.database, { ...program.key(order), at: now, now, isCallback: true })
    letAnswer()
    await slow.whenIdle()
    expect(program.asked).toEqual([order.paymentId, order.paymentId])
    expect(await read(order)).toMatchObject({ callback_count: 2 })
  })

  test('however many come while the payment is read, it is read once more', async () => {
    const program = open()
    const order = await program.order()
    const { slow, isAsked, letAnswer } = openSlow(program, order.id)
    await slow.noticeCallback(program.key(order))
    await isAsked
    for (let count = 0; count < 3; count += 1) await slow.noticeCallback(program.key(order))
    letAnswer()
    await slow.whenIdle()
    expect(program.asked).toEqual([order.paymentId, order.paymentId])
    expect(await read(order)).toMatchObject({ callback_count: 4 })
  })

  test('what waits for its turn at a stop is not begun, and stays due', async () => {
    const program = open()
    const orders = await Promise.all(Array.from({ length: 9 }, program.order))
    const { slow, isAsked, letAnswer } = openSlow(program, orders[0]!.id)
    await Promise.all(orders.map((order) => slow.noticeCallback(program.key(order))))
    await isAsked
    await expect.poll(() => program.asked.length).toBe(8)
    const closed = slow.close()
    letAnswer()
    await closed
    const left = orders.filter(({ paymentId }) => !program.asked.includes(paymentId))
    expect(left).toHaveLength(1)
    expect(await read(left[0]!)).toMatchObject({ next_read_at: program.now(), read_count: 0 })
    expect(program.told.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('payments that are noticed', () => {
  test('at once are each read', async () => {
    const program = open()
    const orders = await Promise.all(Array.from({ length: 10 }, program.order))
    for (const order of orders) program.answer(order, { orderId: order.id })
    await Promise.all(orders.map((order) => program.watcher.noticeCallback(program.key(order))))
    await program.watcher.whenIdle()
    expect(program.asked.toSorted()).toEqual(orders.map(({ paymentId }) => paymentId).toSorted())
  })

  test('and are not due any more when their turn comes are left to whoever was first', async () => {
    const program = open()
    const order = await program.order()
    const times = [program.now(), new Date(program.now().getTime() - second)]
    const clock = () => times.shift() ?? program.now()
    const watcher = createPaymentWatcher({ ...program.parts, clock })
    await watcher.readSoon(program.key(order))
    await watcher.whenIdle()
    expect([program.asked, program.told]).toEqual([[], []])
  })

  test('and can’t be claimed because of us are told', async () => {
    const program = open()
    const order = await program.order()
    const times = [program.now()]
    const clock = () => {
      const time = times.shift()
      if (time === undefined) throw new Error('no clock')
      return time
    }
    const watcher = createPaymentWatcher({ ...program.parts, clock })
    await watcher.readSoon(program.key(order))
    await watcher.whenIdle()
    expect(program.told).toMatchObject([{ level: 'error', error: new Error('no clock') }])
  })
})

describe('a payment that can’t be read', () => {
  const failing = async (answer: Answer, more: { isSetUp?: boolean } = {}) => {
    const program = open(more)
    const order = await program.order()
    program.answer(order, answer)
    await program.watcher.readSoon(program.key(order))
    await program.watcher.whenIdle()
    const { next_read_at: next, ...row } = (await read(order)) ?? {}
    const seconds = ((next?.getTime() ?? 0) - program.now().getTime()) / second
    return { ...row, seconds, told: program.told, order }
  }

  test('is tried again, and said to be the provider’s fault', async () => {
    const { told, ...row } = await failing(new PaymentProviderError('down'))
    expect(row).toMatchObject({ state: 'unread', last_read_at: null, seconds: 15 })
    expect(row.callback_count).toBe(0)
    expect(told).toMatchObject([{ level: 'warn', text: 'a payment could not be read' }])
  })

  test('for a fault of our own is tried again, and said to be an error', async () => {
    const { told, ...row } = await failing(new TypeError('a bug'))
    expect(row).toMatchObject({ state: 'unread', last_read_at: null, seconds: 15 })
    expect(told).toMatchObject([{ level: 'error', text: 'a payment could not be settled' }])
  })

  test('as its provider is not set up any more, is kept for when it is again', async () => {
    const { told, ...row } = await failing({}, { isSetUp: false })
    expect(row).toMatchObject({ state: 'unread', seconds: 15 })
    expect(String(told[0]?.error)).toContain('nowpayments is not set up any more')
  })

  test('as the provider doesn’t know it, is missing, and tried again', async () => {
    const { told, order, ...row } = await failing(undefined)
    expect(row).toMatchObject({ state: 'missing', seconds: 15 })
    expect(row.last_read_at).not.toBeNull()
    expect(told).toEqual([])
    await order.settle()
    expect(await read(order)).toMatchObject({ state: 'finished' })
  })

  test('as it is known but not told any more, keeps its state', async () => {
    const program = open()
    const order = await program.order()
    await order.settle({ state: 'processing' })
    program.answer(order, undefined)
    await program.watcher.readSoon(program.key(order))
    await program.watcher.whenIdle()
    expect(program.asked).toEqual([order.paymentId])
    expect(await read(order)).toMatchObject({ state: 'processing' })
  })

  test.each([
    ['unknown', 'a payment has an unknown status'],
    ['finished', 'a payment is for no order of ours'],
  ] as const)('of the state %s for no order of ours is told: %s', async (state, text) => {
    const { told } = await failing({ state, orderId: null })
    expect(told).toMatchObject([{ level: 'warn', text }])
  })
})

describe('reading what is due', () => {
  test('takes all of it, in several rounds', async () => {
    const program = open()
    const orders = await Promise.all(Array.from({ length: 20 }, program.order))
    const now = program.now()
    for (const order of orders) {
      program.answer(order, { orderId: order.id })
      await makePaymentDue(db.database, { ...program.key(order), at: now, now, isCallback: false })
    }
    await program.readDue()
    expect(program.asked.toSorted()).toEqual(orders.map(({ paymentId }) => paymentId).toSorted())
    expect(
      (await Promise.all(orders.map((order) => order.read()))).map((row) => row.status),
    ).toEqual(Array(20).fill('completed'))
  })

  test('ends when it is stopped, and begins nothing once it is closed', async () => {
    const program = open()
    const order = await program.order()
    program.answer(order, { orderId: order.id })
    const now = program.now()
    await makePaymentDue(db.database, { ...program.key(order), at: now, now, isCallback: false })
    await program.watcher.readDue(AbortSignal.abort())
    expect(program.asked).toEqual([])
    await program.watcher.close()
    await program.readDue()
    await program.watcher.noticeCallback(program.key(order))
    await program.watcher.whenIdle()
    expect(program.asked).toEqual([])
  })
})

test('a stop ends a reading that the provider doesn’t answer', async () => {
  const program = open()
  const order = await program.order()
  const { promise: isAsked, resolve: reportAsked } = Promise.withResolvers<void>()
  const watcher = createPaymentWatcher({
    ...program.parts,
    findProvider: () =>
      ({
        fetchPayment: (_paymentId: string, signal: AbortSignal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
            reportAsked()
          }),
      }) as Partial<PaymentProvider> as PaymentProvider,
  })
  await watcher.noticeCallback(program.key(order))
  await isAsked
  await watcher.close()
  expect(program.told).toMatchObject([{ error: new Error('aborted') }])
})

describe('the search for payments whose callbacks were lost', () => {
  async function searchable(program: ReturnType<typeof open>) {
    const order = await program.order()
    await db.pool.query('update orders set next_search_at = $2, invoice_id = $3 where id = $1', [
      order.id,
      program.now(),
      order.paymentId,
    ])
    return order
  }
  const reconcile = (program: ReturnType<typeof open>, signal = new AbortController().signal) =>
    reconcileOrders(
      {
        ...program.parts,
        payments: { find: program.parts.findProvider, watcher: program.watcher },
      },
      signal,
    )
  const nextOf = async (program: ReturnType<typeof open>, order: TestOrder) => {
    const { next_search_at: next } = await order.read()
    return next === null ? null : (next.getTime() - program.now().getTime()) / second
  }

  test('reads what the provider lists, and credits it', async () => {
    const program = open()
    const [paid, unpaid] = [await searchable(program), await searchable(program)]
    program.listed.set(paid.id, [paid.paymentId])
    program.answer(paid, { orderId: paid.id })
    await reconcile(program)
    expect(program.searched.toSorted()).toEqual([paid.id, unpaid.id].toSorted())
    expect(program.asked).toEqual([paid.paymentId])
    expect(await paid.read()).toMatchObject({ status: 'completed', next_search_at: null })
    expect(await read(paid)).toMatchObject({ callback_count: 0 })
    expect(await unpaid.read()).toMatchObject({ status: 'initiated', search_count: 1 })
    expect(await nextOf(program, unpaid)).toBe(60)
    await reconcile(program)
    expect(program.searched).toHaveLength(2)
  })

  test('takes all orders that are due, those alone that have an invoice', async () => {
    const program = open()
    const orders = []
    for (let index = 0; index < 20; index += 1) orders.push(await searchable(program))
    const [without] = orders
    await db.pool.query('update orders set invoice_id = null where id = $1', [without?.id])
    await reconcile(program)
    expect(program.searched).toHaveLength(19)
    expect(program.searched).not.toContain(without?.id)
  })

  test('that fails is repeated a minute later', async () => {
    const program = open()
    const order = await searchable(program)
    await db.pool.query('update orders set search_count = 8 where id = $1', [order.id])
    program.listed.set(order.id, new PaymentProviderError('down'))
    await reconcile(program)
    expect(await nextOf(program, order)).toBe(60)
    expect(program.told).toMatchObject([
      { level: 'warn', text: 'payments of an order could not be searched for' },
    ])
  })

  test('comes at growing intervals for nine days', async () => {
    const program = open()
    const order = await searchable(program)
    await db.pool.query('update orders set search_count = 8 where id = $1', [order.id])
    await reconcile(program)
    expect(await nextOf(program, order)).toBe(12 * 3_600)
    program.pass(10 * 24 * 3_600)
    await reconcile(program)
    expect(await nextOf(program, order)).toBeNull()
  })

  test('ends with an order that is credited meanwhile, and asks nobody who is not set up', async () => {
    const program = open()
    const order = await searchable(program)
    const findProvider = () =>
      ({
        async findPayments() {
          await order.settle()
          return []
        },
      }) as Partial<PaymentProvider> as PaymentProvider
    const { watcher, parts } = program
    const { signal } = new AbortController()
    await reconcileOrders({ ...parts, payments: { find: findProvider, watcher } }, signal)
    expect(await order.read()).toMatchObject({ status: 'completed', next_search_at: null })
    const other = await searchable(program)
    await reconcileOrders({ ...parts, payments: { find: () => undefined, watcher } }, signal)
    expect(await nextOf(program, other)).toBe(60)
    expect(program.told).toEqual([])
  })

  test('is none when it is stopped', async () => {
    const program = open()
    const order = await searchable(program)
    await reconcile(program, AbortSignal.abort())
    expect(program.searched).not.toContain(order.id)
  })
})
