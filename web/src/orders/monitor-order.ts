import { statusChecksMax, statusPollIntervalMs } from '@starside/contract/limits.ts'
import type { Order } from '@starside/contract/orders.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { applyEvent, confirmOrder, findOrder, saveOrder } from './order-store.ts'
import { isFinal } from './order-transitions.ts'

/** What the monitor needs of its surroundings; replaced in tests. */
export interface MonitorEnvironment {
  lookUp: (orderId: string, userId: string) => Promise<Order | null>
  /** True while the page is hidden: nobody looks, so nothing is asked. */
  isHidden: () => boolean
  schedule: (callback: () => void, delayMs: number) => () => void
}

/**
 * The order as the server knows it. A 404 and any other answer than 2xx give null, as does a
 * server that cannot be reached; `success: false` throws its sentence.
 */
export async function lookUpOrder(orderId: string, userId: string): Promise<Order | null> {
  try {
    const { data } = await call('GET /api/orders/status', {
      query: { order_id: orderId, user_id: userId },
    })
    return data
  } catch (error) {
    if (error instanceof ApiError && error.status >= 200 && error.status < 300) throw error
    return null
  }
}

export const browserEnvironment: MonitorEnvironment = {
  lookUp: lookUpOrder,
  isHidden: () => document.hidden,
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

const monitored = new Map<string, () => void>()

/**
 * Asks for an order's state every 10 seconds, 180 times at most, while it is open, and keeps the
 * stored copy in step. The first question is asked at once. One monitor per order. Gives the way
 * to stop.
 */
export function monitorOrder(
  orderId: string,
  userId: string,
  onCompleted: (order: Order) => void,
  environment: MonitorEnvironment = browserEnvironment,
): () => void {
  const running = monitored.get(orderId)
  if (running) return running
  let checks = 0
  let cancelTimer: () => void = () => undefined
  const stop = (): void => {
    cancelTimer()
    monitored.delete(orderId)
  }
  const giveUp = (): void => {
    stop()
    applyEvent(orderId, { type: 'checks-exhausted' })
  }
  const check = async (): Promise<void> => {
    if (!environment.isHidden()) {
      checks += 1
      let order: Order | null = null
      try {
        order = await environment.lookUp(orderId, userId)
      } catch {
        // The server's refusal shows nothing about the payment; the next check asks again.
      }
      if (!monitored.has(orderId)) return
      if (!findOrder(orderId)) return stop()
      applyAnswer(orderId, order)
      const now = findOrder(orderId)
      if (order && now?.status === 'completed') {
        stop()
        return onCompleted(order)
      }
      if (now && isFinal(now.status) && now.status !== 'expired') return stop()
      if (checks >= statusChecksMax) return giveUp()
    }
    cancelTimer = environment.schedule(() => void check(), statusPollIntervalMs)
  }
  monitored.set(orderId, stop)
  cancelTimer = environment.schedule(() => void check(), 0)
  return stop
}

/** Brings the stored copy in step with the server's answer; null is 'not found there'. */
function applyAnswer(orderId: string, answer: Order | null): void {
  if (!answer) return applyEvent(orderId, { type: 'not-found' })
  const { status, paymentUrl } = answer
  const stored = findOrder(orderId)
  if (stored && paymentUrl !== stored.paymentUrl) saveOrder({ ...stored, paymentUrl })
  applyEvent(orderId, { type: 'answer', status })
  if (status === 'completed' && stored && stored.status !== 'completed') {
    confirmOrder(orderId, answer.completedAt ?? new Date().toISOString())
  }
}
