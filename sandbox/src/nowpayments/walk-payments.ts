import type { Book, CallbackOptions, Payment, PaymentStatus, Step } from './book.ts'
import { composeCallback } from './callback-body.ts'
import { roundTo } from './coins.ts'
import type { Deliverer } from './deliver-callbacks.ts'
import type { Clock } from './gateway.ts'

/** A status to come, `afterMs` milliseconds after the one before it. */
export interface PlannedStatus {
  status: PaymentStatus
  deposit: number
  afterMs: number
}

export interface Walker {
  /** Records the statuses that `paymentId` is going to take and begins to take them. */
  plan(paymentId: number, statuses: readonly PlannedStatus[], callback: CallbackOptions): void
  /** Sends the callback of `payment` as it is given, without changing anything. */
  announce(payment: Payment, callback: CallbackOptions, windowMs?: number): void
  /** True while `paymentId` has statuses to come. */
  isMoving(paymentId: number): boolean
  /** Takes up what a former run left behind. */
  resume(): void
  busy(): boolean
  whenQuiet(): Promise<void>
}

interface WalkerParts {
  book: Book
  clock: Clock
  deliverer: Deliverer
  random: () => number
  ipnSecret: string
  signal: AbortSignal
}

/** Moves payments through their planned statuses and announces each one. */
export function createWalker(parts: WalkerParts): Walker {
  const { book, clock, signal } = parts
  const running = new Map<number, Promise<void>>()
  let sequence = 0

  function stepsOf(paymentId: number): Step[] {
    return [...book.steps.values()]
      .filter((step) => step.paymentId === paymentId)
      .toSorted((left, right) => left.dueAtMs - right.dueAtMs)
  }

  function start(paymentId: number): void {
    if (running.has(paymentId)) return
    const work = walk(paymentId).finally(() => running.delete(paymentId))
    running.set(paymentId, work)
  }

  async function walk(paymentId: number): Promise<void> {
    for (;;) {
      const [step, ...later] = stepsOf(paymentId)
      if (step === undefined) return
      await clock.sleep(Math.max(0, step.dueAtMs - clock.now()), signal)
      if (signal.aborted) return
      const lastDueAtMs = later.at(-1)?.dueAtMs ?? step.dueAtMs
      take(parts, step, lastDueAtMs - step.dueAtMs)
    }
  }

  return {
    plan: (paymentId, statuses, callback) => {
      let dueAtMs = clock.now()
      for (const planned of statuses) {
        dueAtMs += planned.afterMs
        sequence += 1
        book.putStep({
          id: `${paymentId}-${clock.now().toString(36)}-${sequence}`,
          paymentId,
          status: planned.status,
          deposit: planned.deposit,
          dueAtMs,
          callback,
        })
      }
      start(paymentId)
    },
    announce: (payment, callback, windowMs) => announce(parts, payment, callback, windowMs),
    isMoving: (paymentId) => running.has(paymentId),
    resume: () => {
      for (const step of book.steps.values()) start(step.paymentId)
    },
    busy: () => running.size > 0,
    whenQuiet: async () => {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/** Callbacks sent out of order are spread over at least this long. */
const reorderWindowMs = 50

function announce(
  parts: WalkerParts,
  payment: Payment,
  callback: CallbackOptions,
  windowMs = 0,
): void {
  if (callback.silent || payment.ipnCallbackUrl === null) return
  const composed = composeCallback(payment, callback, parts.ipnSecret)
  for (let copy = 0; copy <= callback.duplicates; copy += 1) {
    const shuffleMs = callback.reorder ? parts.random() * (windowMs + reorderWindowMs) : 0
    parts.deliverer.enqueue({
      paymentId: payment.id,
      url: payment.ipnCallbackUrl,
      ...composed,
      repeats: callback.forge === null,
      dueAtMs: parts.clock.now() + callback.delayMs + Math.round(shuffleMs),
    })
  }
}

function transactionHash(random: () => number): string {
  return Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('')
}

function take(parts: WalkerParts, step: Step, remainingMs: number): void {
  const { book, clock } = parts
  const before = book.payments.get(step.paymentId)
  if (before === undefined) return book.removeStep(step.id)
  const payment: Payment = {
    ...before,
    status: step.status,
    actuallyPaid: roundTo(before.payCurrency, before.actuallyPaid + step.deposit),
    payinHash: before.payinHash ?? (step.deposit > 0 ? transactionHash(parts.random) : null),
    payoutHash: step.status === 'finished' ? transactionHash(parts.random) : before.payoutHash,
    updatedAtMs: Math.max(clock.now(), before.updatedAtMs + 1),
  }
  book.putPayment(payment)
  announce(parts, payment, step.callback, remainingMs)
  book.removeStep(step.id)
}
