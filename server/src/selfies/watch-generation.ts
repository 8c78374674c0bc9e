import { setTimeout as delay } from 'node:timers/promises'
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
  let change = new AbortController()
  const unsubscribe = context.notifications.subscribe(generationTopic(options.generationId), () =>
    change.abort(),
  )
  try {
    let seen = ''
    while (!options.signal.aborted) {
      // What changes from here on is waited for no longer than it takes to read.
      change = new AbortController()
      const row = await context.findOwnGeneration(options)
      if (row === undefined) throw new AppError('generation_unknown')
      const state = `${row.state} ${row.stage} ${row.stage_percent}`
      if (state !== seen) yield row
      if (row.state !== 'running') return
      seen = state
      const signal = AbortSignal.any([change.signal, options.signal])
      await delay(pollIntervalMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    unsubscribe()
  }
}
