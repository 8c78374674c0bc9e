import assert from 'node:assert'
import type { RequestResult } from '../../vendors/hosted-provider.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { SelfieParts } from '../parts.ts'
import { attemptQueue, slotsTopic } from './attempt-job.ts'
import { moveAttempt } from './attempt-states.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './fail-attempt.ts'
import { picturesAtOnceMax } from './image-settings.ts'

/**
 * Records a vendor's answer on how a request ended, from the webhook and from polling alike. Only the
 * first one counts; any repetition, also at the same moment on another node, changes nothing.
 * A picture is fetched by a job that is enqueued in the same transaction.
 * @returns whether it was the first one
 */
export async function recordAnswer(
  parts: SelfieParts,
  attemptId: string,
  answer: RequestResult,
): Promise<boolean> {
  const isFirst =
    answer.state === 'pictures'
      ? await takePictures(parts, attemptId, answer.urls)
      : // What the vendor itself ends without a picture isn't charged.
        await failAttempt(parts, attemptId, {
          kind: answer.error.kind,
          detail: answer.error.message,
          maybeCharged: false,
          isAnswered: true,
        })
  if (!isFirst) await noteLateAnswer(parts, attemptId)
  else if (answer.state === 'pictures') await parts.notifications.publish(slotsTopic)
  return isFirst
}

function takePictures(parts: SelfieParts, attemptId: string, urls: readonly string[]) {
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
    await recordSuccess(transaction, { provider: cardName(answered), now })
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
