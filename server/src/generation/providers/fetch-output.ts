import { setTimeout as wait } from 'node:timers/promises'
import { inTransaction } from '../../db/database.ts'
import { generationQueue } from '../generation-job.ts'
import { HostedError } from '../vendors/hosted-error.ts'
import type { QueuedProvider } from '../vendors/hosted-provider.ts'
import type { AttemptParts } from './attempt-parts.ts'
import { slotsTopic } from './attempt-job.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { moveAttempt } from './attempt-states.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './fail-attempt.ts'
import { forgetRequest } from './forget-request.ts'
import { providerName } from './image-models.ts'

const retryDelaysMs = [500, 1_500, 3_000]

/** Fetches the picture at once: it is a public file, and the vendor deletes it soon. */
export async function fetchOutput(
  parts: AttemptParts,
  attempt: AttemptRow,
  { provider, signal }: { provider: QueuedProvider; signal: AbortSignal },
): Promise<void> {
  const url = attempt.output_url
  if (url === null) return
  for (let tries = 0; ; tries += 1) {
    try {
      const bytes = await provider.download(url, signal)
      await saveOutput(parts, attempt, bytes)
      return await forgetRequest(parts, attempt, { provider, url, signal })
    } catch (error) {
      if (!(error instanceof HostedError)) throw error
      const delayMs = retryDelaysMs[tries]
      const isTransient = error.kind === 'provider_down' || error.kind === 'timeout'
      if (!isTransient || delayMs === undefined) {
        const { kind, message: detail } = error
        await failAttempt(parts, attempt.id, { kind, detail, maybeCharged: true })
        return await forgetRequest(parts, attempt, { provider, url, signal })
      }
      await wait(delayMs, undefined, { signal })
    }
  }
}

/** Saves the vendor's bytes as they are, and has the engine finish them: one transaction. */
export async function saveOutput(
  parts: AttemptParts,
  attempt: AttemptRow,
  bytes: Uint8Array,
): Promise<void> {
  const name = parts.randomBytes(6).toString('hex')
  const key = `inputs/${attempt.generation_id}/provider-${name}.bin`
  await parts.store.put(key, bytes, 'application/octet-stream')
  const now = parts.clock()
  const isSaved = await inTransaction(parts.database, async (transaction) => {
    const saved = await moveAttempt(transaction, 'store', attempt.id)
      .set((row) => ({
        output_key: key,
        answered_at: row.fn.coalesce('answered_at', row.val(now)),
      }))
      .returning('id')
      .executeTakeFirst()
    if (saved === undefined) return false
    // A queue's answer was counted when it came.
    if (attempt.state !== 'answered') {
      await recordSuccess(transaction, { provider: providerName(attempt), now })
    }
    const { generation_id: generationId, priority } = attempt
    await parts.jobs.enqueue(transaction, generationQueue.name, { generationId }, { priority })
    return true
  })
  if (!isSaved) return await parts.store.delete(key)
  await parts.notifications.publish(slotsTopic)
}
