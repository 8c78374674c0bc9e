import type { Context } from '../../context.ts'
import { findGeneration } from '../queries.ts'
import { HostedError, hostedErrorRules } from '../vendors/hosted-error.ts'
import type {
  HostedProvider,
  ImageRequest,
  QueuedProvider,
  Submission,
} from '../vendors/hosted-provider.ts'
import { writeStage } from '../write-stage.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { moveAttempt } from './attempt-states.ts'
import { failAttempt } from './fail-attempt.ts'
import { saveOutput } from './fetch-output.ts'
import { prepareRequest } from './prepare-request.ts'
import { webhookUrl } from './webhook-url.ts'

/** A request that was turned away is tried again after 2, 4 and 8 seconds, or when the vendor says. */
const busyDelayMs = 2_000
/** With webhooks, polling is only for those that got lost. */
const pollAfterWebhookMs = 10_000

/** Sends the request of an attempt that has its slot, once. Throws what is a fault of our own. */
export async function submitAttempt(
  context: Context,
  attempt: AttemptRow,
  { provider, signal }: { provider: HostedProvider; signal: AbortSignal },
): Promise<void> {
  const row = await findGeneration(context.database, attempt.generation_id)
  if (row === undefined || row.state !== 'running') return
  // Everything that can fail on our side comes before the request counts as submitted.
  const request = await prepareRequest(context, row, provider)
  const moved = await moveAttempt(context.database, 'submit', attempt.id)
    .set({ submitted_at: context.clock() })
    .returning('id')
    .executeTakeFirst()
  if (moved === undefined) return
  await writeStage(context, attempt.generation_id, 'reading')
  try {
    if (provider.kind === 'queued') {
      await submitToQueue(context, attempt, request, { provider, signal })
    } else {
      await writeStage(context, attempt.generation_id, 'blend')
      const bytes = await provider.generate(request, signal)
      await saveOutput(context, attempt, bytes)
    }
  } catch (error) {
    if (!(error instanceof HostedError)) throw error
    await handleSubmitError(context, attempt, provider, error)
  }
}

async function submitToQueue(
  context: Context,
  attempt: AttemptRow,
  request: ImageRequest,
  { provider, signal }: { provider: QueuedProvider; signal: AbortSignal },
): Promise<void> {
  const { webhookBaseUrl, attemptTimeoutMs } = context.images.settings
  const submission = await provider.submit(request, {
    webhookUrl:
      webhookBaseUrl === undefined
        ? undefined
        : webhookUrl(webhookBaseUrl, context.keys.imageWebhooks, attempt.id),
    startWithinMs: attemptTimeoutMs,
    signal,
  })
  await saveSubmission(context, attempt, submission)
}

/** Saved before anything waits. A webhook that was faster has moved the attempt on already. */
async function saveSubmission(
  context: Context,
  attempt: AttemptRow,
  submission: Submission,
): Promise<void> {
  const { webhookBaseUrl, pollIntervalMs } = context.images.settings
  const firstPollMs =
    webhookBaseUrl === undefined ? pollIntervalMs : Math.max(pollIntervalMs, pollAfterWebhookMs)
  const { requestId, statusUrl, responseUrl, cancelUrl } = submission
  const known = {
    request_id: requestId,
    status_url: statusUrl,
    response_url: responseUrl,
    cancel_url: cancelUrl,
    next_look_at: after(context, firstPollMs),
  }
  const accepted = await moveAttempt(context.database, 'accept', attempt.id)
    .set(known)
    .where((row) => row.or([row('request_id', 'is', null), row('request_id', '=', requestId)]))
    .returning('id')
    .executeTakeFirst()
  if (accepted !== undefined) return
  await context.database
    .updateTable('generation_attempts')
    .set(known)
    .where('id', '=', attempt.id)
    .where((row) => row.or([row('request_id', 'is', null), row('request_id', '=', requestId)]))
    .execute()
}

/** What follows from a request that brought an error instead of an acceptance or a picture. */
async function handleSubmitError(
  context: Context,
  attempt: AttemptRow,
  provider: HostedProvider,
  error: HostedError,
): Promise<void> {
  const { kind, message: detail } = error
  if (error.maybeAccepted) {
    await markSubmitUnknown(context, attempt, { provider, detail, kind })
    return
  }
  const mayRetry = attempt.busy_count < hostedErrorRules[kind].retriesMax
  if (mayRetry && (await requeueAttempt(context, attempt, error))) return
  await failAttempt(context, attempt.id, { kind, detail, maybeCharged: false, isAnswered: true })
}

/**
 * Nobody knows whether the request was accepted, so it is never submitted again. Where webhooks reach
 * us, one of them may still bring the picture; elsewhere nothing ever would.
 */
export async function markSubmitUnknown(
  context: Context,
  attempt: AttemptRow,
  lost: { provider: HostedProvider; detail: string; kind?: HostedError['kind'] },
): Promise<void> {
  const { webhookBaseUrl, submitUnknownMs } = context.images.settings
  const { provider, detail, kind = 'timeout' } = lost
  if (provider.kind === 'queued' && webhookBaseUrl !== undefined) {
    await moveAttempt(context.database, 'lose', attempt.id)
      .set({ error_detail: detail.slice(0, 300), deadline_at: after(context, submitUnknownMs) })
      .execute()
    return
  }
  // A direct provider stops working when its connection is gone: nothing of it stays unfinished.
  const isAnswered = provider.kind === 'direct'
  await failAttempt(context, attempt.id, { kind, detail, maybeCharged: true, isAnswered })
}

/** Has the request wait for a slot again: nothing was accepted, so nothing is charged. */
async function requeueAttempt(
  context: Context,
  attempt: AttemptRow,
  error: HostedError,
): Promise<boolean> {
  const delayMs = error.retryAfterMs ?? busyDelayMs * 2 ** attempt.busy_count
  const { slotTimeoutMs } = context.images.settings
  const waiting = await moveAttempt(context.database, 'requeue', attempt.id)
    .set({
      busy_count: attempt.busy_count + 1,
      cost_micro_usd: 0,
      submitted_at: null,
      error_detail: error.message,
      next_look_at: after(context, delayMs),
      deadline_at: new Date(attempt.created_at.getTime() + slotTimeoutMs),
    })
    .returning('id')
    .executeTakeFirst()
  return waiting !== undefined
}

function after(context: Context, ms: number): Date {
  return new Date(context.clock().getTime() + ms)
}
