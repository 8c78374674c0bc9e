import type { Book, Delivery } from './book.ts'
import type { Clock } from './gateway.ts'

/** How one attempt to deliver a callback ended. */
export interface DeliveryOutcome {
  paymentId: number
  attempt: number
  /** The receiver's HTTP status; null when it could not be reached in time. */
  status: number | null
  atMs: number
}

export interface Deliverer {
  /** Records the callback and sends it when it is due. */
  enqueue(delivery: Omit<Delivery, 'id' | 'attempt'>): void
  /** Takes up what a former run left behind. */
  resume(): void
  busy(): boolean
  whenQuiet(): Promise<void>
  /** The last outcomes, newest last. */
  outcomes(): readonly DeliveryOutcome[]
}

/** The receiver has to answer within this time, as with the real gateway. */
const answerTimeoutMs = 3_000
const outcomesKept = 1_000

interface DelivererParts {
  book: Book
  clock: Clock
  fetch: typeof fetch
  retryDelaysMs: readonly number[]
  signal: AbortSignal
}

/** Sends callbacks: repeated after each of `retryDelaysMs` until a 2xx comes, in no promised order. */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const { book, clock, signal } = parts
  const running = new Set<Promise<void>>()
  const outcomes: DeliveryOutcome[] = []
  let sequence = 0

  function start(delivery: Delivery): void {
    const work = deliver(delivery).finally(() => running.delete(work))
    running.add(work)
  }

  async function deliver(first: Delivery): Promise<void> {
    let delivery = first
    for (;;) {
      await clock.sleep(Math.max(0, delivery.dueAtMs - clock.now()), signal)
      if (signal.aborted) return
      const status = await post(parts, delivery)
      if (signal.aborted) return
      outcomes.push({
        paymentId: delivery.paymentId,
        attempt: delivery.attempt,
        status,
        atMs: clock.now(),
      })
      if (outcomes.length > outcomesKept) outcomes.shift()
      const retryDelayMs = parts.retryDelaysMs[delivery.attempt]
      const accepted = status !== null && status >= 200 && status < 300
      if (accepted || retryDelayMs === undefined || !delivery.repeats)
        return book.removeDelivery(delivery.id)
      delivery = {
        ...delivery,
        attempt: delivery.attempt + 1,
        dueAtMs: clock.now() + retryDelayMs,
      }
      book.putDelivery(delivery)
    }
  }

  return {
    enqueue: (callback) => {
      sequence += 1
      const id = `${callback.paymentId}-${clock.now().toString(36)}-${sequence}`
      const delivery: Delivery = { ...callback, id, attempt: 0 }
      book.putDelivery(delivery)
      start(delivery)
    },
    resume: () => {
      for (const delivery of book.deliveries.values()) start(delivery)
    },
    busy: () => running.size > 0,
    whenQuiet: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    outcomes: () => outcomes,
  }
}

/** The receiver's status; null when it could not be reached in time. */
async function post(
  parts: Pick<DelivererParts, 'fetch' | 'signal'>,
  delivery: Delivery,
): Promise<number | null> {
  try {
    const response = await parts.fetch(delivery.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(delivery.signature === null ? {} : { 'x-nowpayments-sig': delivery.signature }),
      },
      body: delivery.body,
      signal: AbortSignal.any([parts.signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
