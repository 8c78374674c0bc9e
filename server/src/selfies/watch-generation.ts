import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { generationTopic } from './finish-generation.ts'
import type { ShownGenerationRow } from './queries.ts'

/** A notification may get lost, so the row is also polled. */
const pollIntervalMs = 1_000

/**
 * Yields the user's generation now and after each change, until it has ended. Returns early when
 * the signal aborts. Throws `generation_unknown` when it isn't the user's or is deleted meanwhile.
 */
export async function* watchGeneration(
  context: Pick<SelfieParts, 'findOwnGeneration' | 'notifications'>,
  options: { generationId: string; userId: string; signal: AbortSignal },
): AsyncGenerator<ShownGenerationRow> {
  const change = createWakeUp()
  const unsubscribe = context.notifications.subscribe(
    generationTopic(options.generationId),
    change.wake,
  )
  try {
    let seen = ''
    while (!options.signal.aborted) {
      const row = await context.findOwnGeneration(options)
      if (row === undefined) throw new AppError('generation_unknown')
      const state = `${row.state} ${row.stage} ${row.stage_percent}`
      if (state !== seen) yield row
      if (row.state !== 'running') return
      seen = state
      await change.wait(pollIntervalMs, options.signal)
    }
  } finally {
    unsubscribe()
  }
}

/** Wakes who waits; a wake-up isn't lost when nobody is waiting at that moment. */
function createWakeUp() {
  let isPending = false
  let resume: (() => void) | undefined
  return {
    wake() {
      isPending = true
      resume?.()
    },
    async wait(timeoutMs: number, signal: AbortSignal) {
      if (!isPending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
          signal.addEventListener('abort', resume, { once: true })
        })
        if (resume !== undefined) signal.removeEventListener('abort', resume)
        resume = undefined
      }
      isPending = false
    },
  }
}
