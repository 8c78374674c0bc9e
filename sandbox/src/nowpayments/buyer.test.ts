import { expect, test, vi } from 'vitest'
import { createBuyer } from './buyer.ts'
import type { ActOptions } from './buyer.ts'
import type { Callbacks } from './callbacks.ts'
import { createPayments, orderBody } from './payments.ts'
import type { Action, Payment, PaymentStatus } from './payments.ts'

const options: ActOptions = {
  stepDelayMs: 100,
  stopAt: null,
  share: null,
  status: null,
  duplicates: 0,
  reorder: false,
  silent: false,
  forge: null,
}

/** A buyer whose clock stands still, waits as long as it is told to, and whose callbacks are only noted. */
function open(sleep: () => Promise<void> = () => Promise.resolve()) {
  let drawn = 0
  const payments = createPayments({
    outcomeCoin: 'usdcmatic',
    now: () => 1_000,
    random: () => (drawn += 1) / 2e9,
  })
  const send = vi.fn<Callbacks['send']>()
  const stop = new AbortController()
  const waits: number[] = []
  const clock = {
    now: () => 1_000,
    sleep: (ms: number) => {
      waits.push(ms)
      return sleep()
    },
  }
  const callbacks = { send } as unknown as Callbacks
  const buyer = createBuyer({ payments, callbacks, clock, signal: stop.signal })
  const order = orderBody.parse({ price_amount: 10, price_currency: 'usd' })
  const under = { pay_currency: 'usdtbsc', invoice_id: 7, parent_payment_id: null }
  const payment = payments.open(order, under)
  const now = () => payments.find(String(payment.payment_id))
  const act = async (action: Action, change: Partial<ActOptions> = {}) => {
    const concerned = buyer.act(now(), action, { ...options, ...change })
    await buyer.whenQuiet()
    return payments.find(String(concerned.payment_id))
  }
  const sent = (): PaymentStatus[] => send.mock.calls.map(([{ payment_status }]) => payment_status)
  return { payments, buyer, payment, now, act, send, sent, waits, stop }
}

test('each status comes after a wait, is newer than the one before, and says what may still come', async () => {
  const { act, send, waits } = open()
  await act('pay')
  const told = send.mock.calls.map(([payment, , windowMs]) => [payment.payment_status, windowMs])
  expect(told).toEqual([
    ['confirming', 300],
    ['confirmed', 200],
    ['sending', 100],
    ['finished', 0],
  ])
  expect(send.mock.calls.map(([{ updated_at }]) => updated_at)).toEqual([1001, 1002, 1003, 1004])
  expect(send.mock.calls.map(([{ actually_paid }]) => actually_paid)).toEqual([10, 10, 10, 10])
  expect(waits).toEqual([100, 100, 100, 100])
})

test('while statuses are to come only a repetition is possible, and afterwards what its status allows', async () => {
  const gate = Promise.withResolvers<void>()
  const { buyer, payment, now } = open(() => gate.promise)
  expect(buyer.possibleActions(payment)).toContain('pay')
  buyer.act(payment, 'pay', options)
  expect(buyer.possibleActions(now())).toEqual(['resend'])
  expect([buyer.isMoving(payment.payment_id), buyer.isMoving(1), buyer.isMoving()]).toEqual([
    true,
    false,
    true,
  ])
  expect(() => buyer.act(now(), 'fail', options)).toThrow("'fail' is not possible")
  gate.resolve()
  await buyer.whenQuiet()
  expect([buyer.isMoving(payment.payment_id), buyer.isMoving()]).toEqual([false, false])
  expect(buyer.possibleActions(now())).toEqual(['deposit-again', 'wrong-asset', 'refund', 'resend'])
})

test('nothing moves on once the gateway is closed', async () => {
  const gate = Promise.withResolvers<void>()
  const { buyer, payment, now, send, stop } = open(() => gate.promise)
  buyer.act(payment, 'pay', options)
  stop.abort()
  gate.resolve()
  await buyer.whenQuiet()
  expect(now().payment_status).toBe('waiting')
  expect(send).not.toHaveBeenCalled()
})

test.each<[PaymentStatus, Action[]]>([
  ['confirming', ['fail', 'resend']],
  ['confirmed', ['fail', 'resend']],
  ['sending', ['resend']],
  ['partially_paid', ['pay-rest', 'refund', 'resend']],
  ['failed', ['resend']],
  ['refunded', ['resend']],
  ['expired', ['pay-late', 'resend']],
])('a payment that is %s can: %j', (status, actions) => {
  const { buyer, payment } = open()
  expect(buyer.possibleActions({ ...payment, payment_status: status })).toEqual(actions)
})

test('who pays late finds the time over once, and who pays the rest pays no more than that', async () => {
  const late = open()
  await late.act('pay-late')
  expect(late.sent()).toEqual(['expired', 'confirming', 'confirmed', 'sending', 'finished'])
  const later = open()
  await later.act('expire')
  await later.act('pay-late')
  expect(later.sent().filter((status) => status === 'expired')).toHaveLength(1)
  const rest = open()
  expect(await rest.act('underpay', { share: 0.25 })).toMatchObject({ actually_paid: 2.5 })
  expect(await rest.act('pay-rest')).toMatchObject({ actually_paid: 10 })
})

test('a copy that comes late says what was, and changes nothing', async () => {
  const { act, send, now } = open()
  const before: Payment = now()
  await act('resend', { status: 'finished' })
  expect(send.mock.calls.map(([{ payment_status }, , ms]) => [payment_status, ms])).toEqual([
    ['finished', 0],
  ])
  expect(now()).toEqual(before)
})

test('a second deposit is a payment of the same invoice under its first one', async () => {
  const { act, payment, payments } = open()
  await act('pay')
  const child = await act('deposit-again')
  expect(child).toMatchObject({
    parent_payment_id: payment.payment_id,
    invoice_id: 7,
    pay_currency: 'usdtbsc',
    payment_status: 'finished',
  })
  expect(payments.ofInvoice('7').map(({ payment_id }) => payment_id)).toEqual([
    payment.payment_id,
    child.payment_id,
  ])
})
