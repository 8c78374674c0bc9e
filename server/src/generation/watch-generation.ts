import type { Context } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { generationTopic } from './finish-generation.ts'
import type { ShownGenerationRow } from './queries.ts'

/** A ring may get lost, so the row is also read from time to time. */
const lookIntervalMs = 1_000

/**
 * Yields the user's generation now and after each change, until it has ended. Returns early when
 * the signal aborts. Throws `generation_unknown` when it isn't the user's or is deleted meanwhile.
 */
export async function* watchGeneration(
  context: Pick<Context, 'findOwnGeneration' | 'doorbell'>,
  options: { generationId: string; userId: string; signal: AbortSignal },
): AsyncGenerator<ShownGenerationRow> {
  const bell = createBell()
  const stopListening = context.doorbell.listen(generationTopic(options.generationId), bell.ring)
  try {
    let seen = ''
    while (!options.signal.aborted) {
      const row = await context.findOwnGeneration(options)
      if (row === undefined) throw new AppError('generation_unknown')
      const state = `${row.state} ${row.stage}`
      if (state !== seen) yield row
      if (row.state !== 'running') return
      seen = state
      await bell.wait(lookIntervalMs, options.signal)
    }
  } finally {
    stopListening()
  }
}

/** A bell whose ring isn't lost when nobody is waiting at that moment. */
function createBell() {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(timeoutMs: number, signal: AbortSignal) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
          signal.addEventListener('abort', wake, { once: true })
        })
        if (wake !== undefined) signal.removeEventListener('abort', wake)
        wake = undefined
      }
      hasRung = false
    },
  }
}
