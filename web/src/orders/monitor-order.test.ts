import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { statusChecksMax, statusPollIntervalMs } from '@starside/contract/limits.ts'
import type { Order } from '@starside/contract/orders.ts'
import { lookUpOrder, monitorOrder, stopMonitoring } from './monitor-order.ts'
import { findOrder, rememberOrder } from './order-store.ts'
import { testAnswer } from './testing/test-order.ts'

const order: Order = {
  ...testAnswer,
  orderId: 'order_1',
  createdAt: '2026-11-01T10:00:00.000Z',
}
let hidden = false

function watch(answers: (Order | null)[], onCompleted = vi.fn()) {
  const lookUp = vi.fn<typeof lookUpOrder>(() =>
    Promise.resolve(answers.length > 1 ? (answers.shift() ?? null) : (answers[0] ?? null)),
  )
  monitorOrder('order_1', 'u1', onCompleted, lookUp)
  return { lookUp, onCompleted }
}
const statusNow = () => findOrder('order_1')?.status

beforeEach(() => {
  vi.useFakeTimers()
  hidden = false
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  localStorage.clear()
  rememberOrder(order, { previousCredits: 1, previousTotalBought: 0 })
})
afterEach(() => {
  stopMonitoring()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('keeps what came of an order’s price, and the credits that were granted for it', async () => {
  const taken = { status: 'completed', credits: 60, receivedAmount: 6 } as const
  watch([{ ...order, ...taken }])
  await vi.advanceTimersByTimeAsync(0)
  expect(findOrder('order_1')).toMatchObject(taken)
})

it('asks at once and then every ten seconds', async () => {
  const { lookUp } = watch([order])
  await vi.advanceTimersByTimeAsync(0)
  expect(lookUp).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(3 * statusPollIntervalMs)
  expect(lookUp).toHaveBeenCalledTimes(4)
})

it('takes an order that the server does not know as pending', async () => {
  watch([null])
  expect(statusNow()).toBe('initiated')
  await vi.advanceTimersByTimeAsync(0)
  expect(statusNow()).toBe('pending')
})

it('stops when the payment is there, and says so once', async () => {
  const { lookUp, onCompleted } = watch([
    order,
    { ...order, status: 'processing' },
    { ...order, status: 'completed', completedAt: '2026-11-01T10:05:00.000Z' },
  ])
  await vi.advanceTimersByTimeAsync(10 * statusPollIntervalMs)
  expect(statusNow()).toBe('completed')
  expect(findOrder('order_1')?.completedAt).toBe('2026-11-01T10:05:00.000Z')
  expect(onCompleted).toHaveBeenCalledTimes(1)
  expect(lookUp).toHaveBeenCalledTimes(3)
})

it('takes a payment that is the first thing heard of', async () => {
  const { onCompleted } = watch([{ ...order, status: 'completed' }])
  await vi.advanceTimersByTimeAsync(0)
  expect(statusNow()).toBe('completed')
  expect(onCompleted).toHaveBeenCalled()
})

it('gives up after 180 questions, and the order has expired', async () => {
  const { lookUp } = watch([order])
  await vi.advanceTimersByTimeAsync((statusChecksMax + 5) * statusPollIntervalMs)
  expect(lookUp).toHaveBeenCalledTimes(statusChecksMax)
  expect(statusNow()).toBe('expired')
})

it('asks nothing while nobody looks', async () => {
  hidden = true
  const { lookUp } = watch([order])
  await vi.advanceTimersByTimeAsync(5 * statusPollIntervalMs)
  expect(lookUp).not.toHaveBeenCalled()
  hidden = false
  await vi.advanceTimersByTimeAsync(statusPollIntervalMs)
  expect(lookUp).toHaveBeenCalledTimes(1)
})

it.each(['focus', 'visibilitychange'])(
  'asks at once when somebody comes back to the page (%s), some times soon after, and goes on from there',
  async (event) => {
    const { lookUp } = watch([order])
    await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(4_000)
    dispatchEvent(new Event(event))
    await vi.advanceTimersByTimeAsync(0)
    expect(lookUp).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(lookUp).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(lookUp).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(4 * 2_000)
    expect(lookUp).toHaveBeenCalledTimes(7)
    await vi.advanceTimersByTimeAsync(statusPollIntervalMs - 1)
    expect(lookUp).toHaveBeenCalledTimes(7)
    await vi.advanceTimersByTimeAsync(1)
    expect(lookUp).toHaveBeenCalledTimes(8)
    stopMonitoring()
    dispatchEvent(new Event(event))
    await vi.advanceTimersByTimeAsync(0)
    expect(lookUp, 'no more once it is stopped').toHaveBeenCalledTimes(8)
  },
)

it('who comes back twice while a question is under way asks no second one', async () => {
  const lookUp = vi.fn<typeof lookUpOrder>(() => new Promise(() => undefined))
  monitorOrder('order_1', 'u1', vi.fn(), lookUp)
  await vi.advanceTimersByTimeAsync(0)
  dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(0)
  expect(lookUp).toHaveBeenCalledTimes(1)
})

it('takes no answer in once it is stopped, and asks no more', async () => {
  const answer = Promise.withResolvers<Order | null>()
  const lookUp = vi.fn<typeof lookUpOrder>(() => answer.promise)
  const onCompleted = vi.fn()
  monitorOrder('order_1', 'u1', onCompleted, lookUp)
  await vi.advanceTimersByTimeAsync(0)
  stopMonitoring()
  answer.resolve({ ...order, status: 'completed', completedAt: order.createdAt })
  await vi.advanceTimersByTimeAsync(5 * statusPollIntervalMs)
  expect([statusNow(), lookUp.mock.calls.length, onCompleted.mock.calls]).toEqual([
    'initiated',
    1,
    [],
  ])
})

it('stops when the order is gone', async () => {
  const { lookUp } = watch([order])
  await vi.advanceTimersByTimeAsync(0)
  localStorage.clear()
  await vi.advanceTimersByTimeAsync(5 * statusPollIntervalMs)
  expect(lookUp).toHaveBeenCalledTimes(2)
})

it.each([
  [404, { success: false, error: 'Order not found' }, null],
  [502, 'Bad gateway', null],
  [200, { success: true, data: order }, order],
])('looking up an order: %s is answered with %j as %j', async (status, answer, found) => {
  vi.stubGlobal('fetch', async () => Response.json(answer, { status }))
  expect(await lookUpOrder('order_1', 'u1')).toEqual(found)
  vi.unstubAllGlobals()
})

it('looking up an order: a refusal within a good answer throws its sentence', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: false, error: 'Ask later' }))
  await expect(lookUpOrder('order_1', 'u1')).rejects.toThrow('Ask later')
  vi.unstubAllGlobals()
})

it('goes on asking about an order whose window has closed, as money may come late', async () => {
  const { onCompleted } = watch([
    { ...order, status: 'expired' },
    { ...order, status: 'completed', completedAt: '2026-11-01T11:00:00.000Z' },
  ])
  await vi.advanceTimersByTimeAsync(0)
  expect(statusNow()).toBe('expired')
  await vi.advanceTimersByTimeAsync(statusPollIntervalMs)
  expect([statusNow(), onCompleted.mock.calls.length]).toEqual(['completed', 1])
})

it.each(['failed', 'cancelled'] as const)(
  'asks no more about an order that is %s',
  async (status) => {
    const { lookUp } = watch([{ ...order, status }])
    await vi.advanceTimersByTimeAsync(3 * statusPollIntervalMs)
    expect([statusNow(), lookUp.mock.calls.length]).toEqual([status, 1])
  },
)

it('watches an order once, however often it is begun', async () => {
  const { lookUp } = watch([order])
  const second = vi.fn<typeof lookUpOrder>()
  monitorOrder('order_1', 'u1', vi.fn(), second)
  stopMonitoring()
  await vi.advanceTimersByTimeAsync(statusPollIntervalMs)
  expect([lookUp.mock.calls, second.mock.calls], 'stopped before it has begun').toEqual([[], []])
})

it('keeps of an answer what it says of credits, payment page and a part payment', async () => {
  const underpaid = {
    paidAmount: '6',
    missingAmount: '4',
    currency: 'USDC',
    payUrl: 'http://pay/rest',
    worthCredits: 20,
  }
  watch([{ ...order, credits: 90, paymentUrl: 'http://pay/2', underpaid }])
  await vi.advanceTimersByTimeAsync(0)
  expect(findOrder('order_1')).toMatchObject({ credits: 90, paymentUrl: 'http://pay/2', underpaid })
})

it('goes on after a refusal, which says nothing about the payment', async () => {
  const lookUp = vi.fn<typeof lookUpOrder>(() => Promise.reject(new Error('Ask later')))
  monitorOrder('order_1', 'u1', vi.fn(), lookUp)
  await vi.advanceTimersByTimeAsync(statusPollIntervalMs)
  expect([lookUp.mock.calls.length, statusNow()]).toEqual([2, 'pending'])
})

it('is asked for no longer than half a minute, as no other check begins meanwhile', async () => {
  const timeUp = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal)
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    timeUp.abort(new DOMException('late', 'TimeoutError'))
    return Promise.reject(signal!.reason as Error)
  })
  expect(await lookUpOrder('order_1', 'u1')).toBeNull()
  expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000)
  vi.unstubAllGlobals()
})
