import { statusChecksMax, statusPollIntervalMs } from '@starside/contract/limits.ts'
import { isFinal } from '@starside/contract/order-statuses.ts'
import type { Order } from '@starside/contract/orders.ts'
import { call, ApiError } from '../api/call.ts'
import { applyEvent, confirmOrder, findOrder, saveOrder } from './order-store.ts'

/** The order at the server; null for any failure but `success: false`, which throws its sentence. */
export async function lookUpOrder(orderId: string, userId: string): Promise<Order | null> {
  try {
    const query = { order_id: orderId, user_id: userId }
    // While it is waited for, no other check begins.
    const signal = AbortSignal.timeout(30_000)
    return (await call('GET /api/orders/status', { query, signal })).data
  } catch (error) {
    if (error instanceof ApiError && error.status >= 200 && error.status < 300) throw error
    return null
  }
}

/** For who has just paid and come back: the provider's word may follow them by some seconds. */
const askAgainMs = 2_000
const askAgainTimes = 5
const monitored = new Map<string, () => void>()

/** Asks for no order any more, as when its page or its user's session ends. */
export const stopMonitoring = (): void => monitored.forEach((stop) => stop())

/** Asks for an open order once, every 10 s, and every 2 s for who has just come back, 180 times at most. `onEnded` hears of its success or failure. */
export function monitorOrder(
  orderId: string,
  userId: string,
  onEnded: (order: Order) => void,
  lookUp = lookUpOrder,
): void {
  if (monitored.has(orderId)) return
  let checks = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const returns = new AbortController()
  const stop = (): void => {
    clearTimeout(timer)
    returns.abort()
    monitored.delete(orderId)
  }
  const check = async (again = 0): Promise<void> => {
    timer = undefined
    // While nobody looks, nothing is asked.
    if (!document.hidden) {
      checks += 1
      // The server's refusal shows nothing about the payment; the next check asks again.
      const order = await lookUp(orderId, userId).catch(() => null)
      if (!monitored.has(orderId)) return
      if (!findOrder(orderId)) return stop()
      applyAnswer(orderId, order)
      const now = findOrder(orderId)
      if (order && (now?.status === 'completed' || now?.status === 'failed')) {
        stop()
        return onEnded(order)
      }
      if (now && isFinal(now.status) && now.status !== 'expired') return stop()
      if (checks >= statusChecksMax) {
        stop()
        return void applyEvent(orderId, { type: 'checks-exhausted' })
      }
    }
    const nextMs = again > 0 ? askAgainMs : statusPollIntervalMs
    timer = setTimeout(() => void check(again - 1), nextMs)
  }
  const checkNow = (): void => {
    // One that is under way tells as much.
    if (timer === undefined) return
    clearTimeout(timer)
    void check(askAgainTimes)
  }
  for (const event of ['focus', 'visibilitychange']) {
    addEventListener(event, checkNow, { signal: returns.signal })
  }
  monitored.set(orderId, stop)
  timer = setTimeout(() => void check(), 0)
}

/** Brings the stored copy in step with the server's answer; null is 'not found there'. */
export function applyAnswer(orderId: string, answer: Order | null): void {
  if (!answer) return void applyEvent(orderId, { type: 'not-found' })
  const { status, credits, paymentUrl, underpaid, receivedAmount } = answer
  const stored = findOrder(orderId)
  if (stored) saveOrder({ ...stored, credits, paymentUrl, underpaid, receivedAmount })
  applyEvent(orderId, { type: 'answer', status })
  if (status === 'completed' && stored && stored.status !== 'completed') {
    confirmOrder(orderId, answer.completedAt ?? new Date().toISOString())
  }
}
