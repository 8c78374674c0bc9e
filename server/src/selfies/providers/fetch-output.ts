import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction } from '../../platform/db/database.ts'
import { collectPictures } from '../../vendors/download-picture.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { QueuedProvider, HostedProvider } from '../../vendors/hosted-provider.ts'
import { cardName, pictureCountOf } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { generationQueue } from './begin-step.ts'
import { slotsTopic, outputUrlsOf, moveAttempt, submissionOf } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './end-attempt.ts'

const retryDelaysMs = [500, 1_500, 3_000]

interface Download {
  provider: QueuedProvider
  signal: AbortSignal
  /** Waits between two tries. */
  wait?: (ms: number) => Promise<void>
}

/** Fetches the pictures at once: they are public files, and the vendor deletes them soon. */
export async function fetchOutput(
  parts: SelfieParts,
  attempt: AttemptRow,
  download: Download,
): Promise<void> {
  const { provider, signal } = download
  const urls = outputUrlsOf(attempt)
  if (urls.length === 0) return
  const wanted = urls.slice(0, pictureCountOf(provider, parts.images.settings))
  try {
    const pictures = await collectPictures(wanted, (url) => downloadPatiently(url, download))
    await saveOutput(parts, attempt, pictures)
  } catch (error) {
    if (!(error instanceof HostedError)) throw error
    const { kind, message: detail } = error
    await failAttempt(parts, attempt.id, { kind, detail, maybeCharged: true })
  }
  await forgetRequest(parts, attempt, { provider, urls, signal })
}

/** Throws `HostedError` when the picture can't be had after several tries. */
async function downloadPatiently(url: string, download: Download): Promise<Uint8Array> {
  const { provider, signal, wait = (ms) => delay(ms, undefined, { signal }) } = download
  for (let tries = 0; ; tries += 1) {
    try {
      return await provider.download(url, signal)
    } catch (error) {
      if (!(error instanceof HostedError)) throw error
      const delayMs = retryDelaysMs[tries]
      const isTransient = error.kind === 'provider_down' || error.kind === 'timeout'
      if (!isTransient || delayMs === undefined) throw error
      await wait(delayMs)
    }
  }
}

/** Saves the vendor's bytes as they are, and has the engine finish them: one transaction. */
export async function saveOutput(
  parts: SelfieParts,
  attempt: AttemptRow,
  pictures: readonly Uint8Array[],
): Promise<void> {
  const name = parts.randomBytes(6).toString('hex')
  const keys = await Promise.all(
    pictures.map(async (bytes, index) => {
      const key = `inputs/${attempt.generation_id}/provider-${name}-${index}.bin`
      await parts.store.put(key, bytes, 'application/octet-stream')
      return key
    }),
  )
  const [key, ...furtherKeys] = keys
  const now = parts.clock()
  const isSaved = await inTransaction(parts.database, async (transaction) => {
    const saved = await moveAttempt(transaction, 'store', attempt.id)
      .set((row) => ({
        output_key: key ?? null,
        further_output_keys: furtherKeys,
        answered_at: row.fn.coalesce('answered_at', row.val(now)),
      }))
      .returning('id')
      .executeTakeFirst()
    if (saved === undefined) return false
    // A queue's answer was counted when it came.
    if (attempt.state !== 'answered') {
      await recordSuccess(transaction, { provider: cardName(attempt), now })
    }
    const { generation_id: generationId, priority } = attempt
    await parts.jobs.enqueue(transaction, generationQueue.name, { generationId }, { priority })
    return true
  })
  if (isSaved) await parts.notifications.publish(slotsTopic)
  else await Promise.all(keys.map((each) => parts.store.delete(each)))
}

/** Removes an ended request at its vendor, with its pictures `ended.urls`; failing does no harm. */
export async function forgetRequest(
  parts: Pick<SelfieParts, 'log'>,
  attempt: AttemptRow,
  ended: { provider: HostedProvider | undefined; urls: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const { provider, urls, signal } = ended
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return
  try {
    await provider.forget?.(submission, urls, signal)
  } catch (error) {
    parts.log.warn({ err: error, attemptId: attempt.id }, 'a vendor keeps what a request has left')
  }
}
