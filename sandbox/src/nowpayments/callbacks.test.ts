import { createHmac } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { createCallbacks } from './callbacks.ts'
import type { CallbackOptions } from './callbacks.ts'
import { createPayments, orderBody } from './payments.ts'

const honest: CallbackOptions = { duplicates: 0, reorder: false, silent: false, forge: null }
const order = orderBody.parse({
  price_amount: 10,
  price_currency: 'usd',
  ipn_callback_url: 'https://shop.example/ipn',
})
const under = { pay_currency: 'ltc', invoice_id: null, parent_payment_id: null }
const payment = createPayments({ outcomeCoin: 'ltc', now: () => 0, random: () => 0 }).open(
  { ...order },
  under,
)

/** Callbacks to a shop that answers with these statuses, the last one again and again; `random` is a half. */
function open(statuses: (number | Error)[], { secret = 'secret' } = {}) {
  const sent: { address: string; init: RequestInit }[] = []
  const waits: number[] = []
  const cancel = vi.fn(async () => undefined)
  const stop = new AbortController()
  const callbacks = createCallbacks({
    clock: { now: () => 0, sleep: async (ms) => void waits.push(ms) },
    fetch: async (address, init = {}) => {
      sent.push({ address: address as string, init })
      const status = statuses.length > 1 ? statuses.shift() : statuses[0]
      if (status instanceof Error) throw status
      return { status, body: { cancel } } as unknown as Response
    },
    random: () => 0.5,
    ipnSecret: secret,
    retryDelaysMs: [1_000, 5_000],
    signal: stop.signal,
  })
  const send = async (change: Partial<CallbackOptions> = {}, windowMs = 0) => {
    callbacks.send(payment, { ...honest, ...change }, windowMs)
    await callbacks.whenQuiet()
  }
  return { callbacks, send, sent, waits, cancel, stop }
}

afterEach(() => vi.restoreAllMocks())

test.each([
  ['taken', [200], 1, 200],
  ['taken without a word', [204], 1, 204],
  ['sent elsewhere', [302], 3, 302],
  ['refused', [400], 3, 400],
  ['refused at first', [500, 299], 2, 299],
  ['not reached', [new Error('lost')], 3, null],
])('a callback that is %s: %j, is sent %d times', async (_what, statuses, times, last) => {
  const { callbacks, send, sent, waits, cancel } = open(statuses)
  await send()
  expect([sent.length, callbacks.lastStatus()]).toEqual([times, last])
  expect(waits).toEqual([0, 1_000, 5_000].slice(0, times))
  expect(cancel, 'each connection is free again').toHaveBeenCalledTimes(last === null ? 0 : times)
  expect(sent[0]).toMatchObject({
    address: 'https://shop.example/ipn',
    init: { method: 'POST', redirect: 'manual' },
  })
})

test('a shop that takes its time to answer is given up after three seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const { send, sent } = open([200])
  await send()
  expect(timeout).toHaveBeenCalledExactlyOnceWith(3_000)
  expect(sent[0]?.init.signal?.aborted).toBe(false)
  timeout.mockReturnValue(AbortSignal.abort())
  await send()
  expect(sent[1]?.init.signal?.aborted).toBe(true)
})

test('copies are sent beside the callback, and out of order within what an action takes', async () => {
  const { send, sent, waits } = open([200])
  await send({ duplicates: 2, reorder: true }, 400)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ init }) => init.body)).size).toBe(1)
  expect(waits).toEqual([225, 225, 225])
  await send({ reorder: true })
  expect(waits.at(-1), 'also one that comes alone').toBe(25)
})

test('the secret is signed with as it was meant, without the blanks of a file', async () => {
  const { send, sent } = open([200], { secret: ' secret\n' })
  await send()
  const { body, headers } = sent[0]!.init
  const signature = createHmac('sha512', 'secret')
    .update(body as string)
    .digest('hex')
  expect(headers).toMatchObject({ 'x-nowpayments-sig': signature })
})

test('nothing is sent where it is to get lost, or once the gateway is closed', async () => {
  const { callbacks, send, sent, stop } = open([200])
  await send({ silent: true })
  callbacks.send({ ...payment, ipn_callback_url: null }, honest, 0)
  expect(callbacks.isSending()).toBe(false)
  stop.abort()
  callbacks.send(payment, honest, 0)
  expect([callbacks.isSending(payment.payment_id), callbacks.isSending(1)]).toEqual([true, false])
  await callbacks.whenQuiet()
  expect([sent.length, callbacks.isSending(payment.payment_id)]).toEqual([0, false])
})
