import { AppError } from '../errors/app-error.ts'

const retryAfterSeconds = 10

export type Slots = ReturnType<typeof createSlots>

/** Bounds what this node, and what one caller, holds open at once, such as streams and uploads. */
export function createSlots(limits: { perNode: number; perCaller: number }) {
  const held = new Map<string, number>()
  let total = 0
  return {
    /**
     * Takes a slot and answers how to give it back, which may be called twice. Throws
     * `too_many_requests` when the caller holds all that one may, `unavailable` when none is left.
     */
    take(caller: string): () => void {
      const ofCaller = held.get(caller) ?? 0
      if (ofCaller >= limits.perCaller) {
        throw new AppError('too_many_requests', { retryAfterSeconds })
      }
      if (total >= limits.perNode) throw new AppError('unavailable', { retryAfterSeconds })
      held.set(caller, ofCaller + 1)
      total += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        total -= 1
        const left = (held.get(caller) ?? 1) - 1
        if (left === 0) held.delete(caller)
        else held.set(caller, left)
      }
    },
  }
}
