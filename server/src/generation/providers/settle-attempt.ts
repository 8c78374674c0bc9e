import type { RequestResult } from '../vendors/hosted-provider.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db/database.ts'
import { attemptQueue, slotsTopic } from './attempt-job.ts'
import { moveAttempt } from './attempt-states.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './fail-attempt.ts'
import { providerName } from './image-models.ts'

/**
 * Takes a vendor's word on how a request ended, from the webhook and from polling alike. Only the
 * first word counts; any repetition, also at the same moment on another node, changes nothing.
 * A picture is fetched by a job that is enqueued in the same transaction.
 */
export async function settleAttempt(
  context: Context,
  attemptId: string,
  end: RequestResult,
): Promise<'settled' | 'settled_before'> {
  if (end.state === 'failed') {
    const { kind, message: detail } = end.error
    // What the vendor itself ends without a picture isn't charged.
    const failure = { kind, detail, maybeCharged: false, isAnswered: true }
    const isFirst = await failAttempt(context, attemptId, failure)
    if (!isFirst) await noteLateAnswer(context, attemptId)
    return isFirst ? 'settled' : 'settled_before'
  }
  const isFirst = await takePicture(context, attemptId, end.url)
  if (!isFirst) {
    await noteLateAnswer(context, attemptId)
    return 'settled_before'
  }
  await context.notifications.publish(slotsTopic)
  return 'settled'
}

function takePicture(context: Context, attemptId: string, url: string): Promise<boolean> {
  const now = context.clock()
  return inTransaction(context.database, async (transaction) => {
    const answered = await moveAttempt(transaction, 'answer', attemptId)
      .set({ output_url: url, answered_at: now, next_look_at: now })
      .returning(['id', 'provider', 'model'])
      .executeTakeFirst()
    if (answered === undefined) return false
    await recordSuccess(transaction, { provider: providerName(answered), now })
    await context.jobs.enqueue(transaction, attemptQueue.name, { attemptId })
    return true
  })
}

/** A request that we had given up is no longer counted as unfinished work of its user. */
export async function noteLateAnswer(context: Context, attemptId: string): Promise<void> {
  await context.database
    .updateTable('generation_attempts')
    .set({ answered_at: context.clock() })
    .where('id', '=', attemptId)
    .where('state', '=', 'failed')
    .where('answered_at', 'is', null)
    .execute()
}
