import assert from 'node:assert'
import type { RequestResult } from '../../vendors/hosted-provider.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { SelfieParts } from '../parts.ts'
import { attemptQueue, slotsTopic } from './attempt-job.ts'
import { moveAttempt } from './attempt-states.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './fail-attempt.ts'
import { providerName } from './image-models.ts'
import { picturesAtOnceMax } from './image-settings.ts'

/**
 * Records a vendor's answer on how a request ended, from the webhook and from polling alike. Only the
 * first one counts; any repetition, also at the same moment on another node, changes nothing.
 * A picture is fetched by a job that is enqueued in the same transaction.
 */
export async function recordAnswer(
  parts: SelfieParts,
  attemptId: string,
  answer: RequestResult,
): Promise<'recorded' | 'recorded_before'> {
  if (answer.state === 'failed') {
    const { kind, message: detail } = answer.error
    // What the vendor itself ends without a picture isn't charged.
    const failure = { kind, detail, maybeCharged: false, isAnswered: true }
    const isFirst = await failAttempt(parts, attemptId, failure)
    if (!isFirst) await noteLateAnswer(parts, attemptId)
    return isFirst ? 'recorded' : 'recorded_before'
  }
  const isFirst = await takePictures(parts, attemptId, answer.urls)
  if (!isFirst) {
    await noteLateAnswer(parts, attemptId)
    return 'recorded_before'
  }
  await parts.notifications.publish(slotsTopic)
  return 'recorded'
}

function takePictures(
  parts: SelfieParts,
  attemptId: string,
  urls: readonly string[],
): Promise<boolean> {
  const [url, ...furtherUrls] = urls.slice(0, picturesAtOnceMax)
  assert(url !== undefined, 'an answer with pictures has none')
  const now = parts.clock()
  return inTransaction(parts.database, async (transaction) => {
    const answered = await moveAttempt(transaction, 'answer', attemptId)
      .set({
        output_url: url,
        further_output_urls: furtherUrls,
        answered_at: now,
        next_look_at: now,
      })
      .returning(['id', 'provider', 'model'])
      .executeTakeFirst()
    if (answered === undefined) return false
    await recordSuccess(transaction, { provider: providerName(answered), now })
    await parts.jobs.enqueue(transaction, attemptQueue.name, { attemptId })
    return true
  })
}

/** A request that we had given up is no longer counted as unfinished work of its user. */
export async function noteLateAnswer(parts: SelfieParts, attemptId: string): Promise<void> {
  await parts.database
    .updateTable('generation_attempts')
    .set({ answered_at: parts.clock() })
    .where('id', '=', attemptId)
    .where('state', '=', 'failed')
    .where('answered_at', 'is', null)
    .execute()
}
