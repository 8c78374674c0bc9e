import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { findRow } from '../../platform/db/rows.ts'
import { HostedError, hostedErrorRules } from '../../vendors/hosted-error.ts'
import type { HostedProvider, ImageRequest, QueuedProvider } from '../../vendors/hosted-provider.ts'
import { writeStage } from '../generation-progress.ts'
import { moveAttempt } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { failAttempt } from './end-attempt.ts'
import { fetchOutput, saveOutput } from './fetch-output.ts'
import { prepareRequest } from './prepare-request.ts'
import { webhookUrl } from './image-webhooks.ts'
import { fromNow } from '../../platform/clock.ts'

/**
 * One piece of network work for an attempt, by its state: submits the request or fetches its picture.
 * However often it is repeated it submits once: a run that finds it half submitted waits for the answer.
 */
export async function runAttempt(
  parts: SelfieParts,
  attemptId: string,
  signal: AbortSignal,
): Promise<void> {
  const attempt = await findRow(parts.database, 'generation_attempts', { id: attemptId })
  if (attempt === undefined) return
  const provider = parts.images.find(cardName(attempt))
  if (provider === undefined) {
    const detail = 'it is not set up any more'
    const maybeCharged = attempt.submitted_at !== null
    await failAttempt(parts, attempt.id, { kind: 'provider_down', detail, maybeCharged })
    return
  }
  if (attempt.state === 'granted') {
    const row = await findRow(parts.database, 'generations', { id: attempt.generation_id })
    // Two stars or a place make three photos.
    const photos = 1 + (row?.star_names?.length ?? 1) + (row?.has_background_photo ? 1 : 0)
    if (row !== undefined && photos > provider.photosMax) {
      const detail = `it takes ${provider.photosMax} photos only`
      const failure = { kind: 'bad_input', detail, maybeCharged: false, isSkipped: true } as const
      await failAttempt(parts, attempt.id, failure)
      return
    }
    await submitAttempt(parts, attempt, { provider, signal })
  } else if (attempt.state === 'submitting') {
    await markSubmitUnknown(parts, attempt, { provider, detail: 'its run died' })
  } else if (attempt.state === 'answered' && provider.kind === 'queued') {
    await fetchOutput(parts, attempt, { provider, signal })
  }
}

/** A request that was turned away is tried again after 2, 4 and 8 seconds, or when the vendor says. */
const busyDelayMs = 2_000
/** With webhooks, polling is only for those that got lost. */
const pollAfterWebhookMs = 10_000

/** Sends the request of an attempt that has its slot, once. Throws what is a fault of our own. */
export async function submitAttempt(
  parts: SelfieParts,
  attempt: AttemptRow,
  { provider, signal }: { provider: HostedProvider; signal: AbortSignal },
): Promise<void> {
  const row = await findRow(parts.database, 'generations', { id: attempt.generation_id })
  if (row === undefined || row.state !== 'running') return
  // Everything that can fail on our side comes before the request counts as submitted.
  const request = await prepareRequest(parts, row, provider)
  const moved = await moveAttempt(parts.database, 'submit', attempt.id)
    .set({ submitted_at: parts.clock() })
    // A repeated run that was overtaken by a later grant leaves the request to that one's run.
    .where('busy_count', '=', attempt.busy_count)
    .returning('id')
    .executeTakeFirst()
  if (moved === undefined) return
  await writeStage(parts, row.id, 'reading')
  try {
    if (provider.kind === 'queued') {
      await submitToQueue(parts, attempt, request, { provider, signal })
    } else {
      await writeStage(parts, row.id, 'blend')
      const pictures = await provider.generate(request, signal)
      await saveOutput(parts, attempt, pictures)
    }
  } catch (error) {
    if (!(error instanceof HostedError)) throw error
    const { kind, message: detail } = error
    if (error.maybeAccepted) {
      return await markSubmitUnknown(parts, attempt, { provider, detail, kind })
    }
    const mayRetry = attempt.busy_count < hostedErrorRules[kind].retriesMax
    if (mayRetry && (await requeueAttempt(parts, attempt, error))) return
    await failAttempt(parts, attempt.id, { kind, detail, maybeCharged: false, isAnswered: true })
  }
}

async function submitToQueue(
  parts: SelfieParts,
  attempt: AttemptRow,
  request: ImageRequest,
  { provider, signal }: { provider: QueuedProvider; signal: AbortSignal },
): Promise<void> {
  const { attemptTimeoutMs, pollIntervalMs } = parts.images.settings
  const baseUrl = webhookBaseOf(parts, provider)
  const { requestId, statusUrl, responseUrl, cancelUrl } = await provider.submit(request, {
    webhookUrl: baseUrl && webhookUrl(baseUrl, parts.keys.imageWebhooks, attempt.id),
    startWithinMs: attemptTimeoutMs,
    signal,
  })
  const firstPollMs =
    baseUrl === undefined ? pollIntervalMs : Math.max(pollIntervalMs, pollAfterWebhookMs)
  const known = {
    request_id: requestId,
    status_url: statusUrl,
    response_url: responseUrl,
    cancel_url: cancelUrl,
    next_look_at: fromNow(parts, firstPollMs),
  }
  // Saved before anything waits. A webhook that was faster has moved the attempt on already.
  const saves = [
    moveAttempt(parts.database, 'accept', attempt.id),
    parts.database.updateTable('generation_attempts').where('id', '=', attempt.id),
  ]
  for (const save of saves) {
    const { numUpdatedRows } = await save
      .set(known)
      .where((row) => row.or([row('request_id', 'is', null), row('request_id', '=', requestId)]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return
  }
}

/** Where the vendor's webhooks reach us; undefined where it sends none, or nobody could. */
function webhookBaseOf(parts: SelfieParts, provider: QueuedProvider): string | undefined {
  return provider.hasWebhooks ? parts.images.settings.webhookBaseUrl : undefined
}

/** A request perhaps accepted is never sent again; a webhook may still bring its picture. */
export async function markSubmitUnknown(
  parts: SelfieParts,
  attempt: AttemptRow,
  lost: { provider: HostedProvider; detail: string; kind?: HostedError['kind'] },
): Promise<void> {
  const { submitUnknownMs } = parts.images.settings
  const { provider, detail, kind = 'timeout' } = lost
  if (provider.kind === 'queued' && webhookBaseOf(parts, provider) !== undefined) {
    await moveAttempt(parts.database, 'lose', attempt.id)
      .set({ error_detail: detail.slice(0, 300), deadline_at: fromNow(parts, submitUnknownMs) })
      .execute()
    return
  }
  // A direct provider stops working when its connection is gone: nothing of it stays unfinished.
  const isAnswered = provider.kind === 'direct'
  await failAttempt(parts, attempt.id, { kind, detail, maybeCharged: true, isAnswered })
}

/** Has the request wait for a slot again: nothing was accepted, so nothing is charged. */
async function requeueAttempt(parts: SelfieParts, attempt: AttemptRow, error: HostedError) {
  const delayMs = error.retryAfterMs ?? busyDelayMs * 2 ** attempt.busy_count
  const { slotTimeoutMs } = parts.images.settings
  const waiting = await moveAttempt(parts.database, 'requeue', attempt.id)
    .set({
      busy_count: attempt.busy_count + 1,
      cost_micro_usd: 0,
      submitted_at: null,
      error_detail: error.message,
      next_look_at: fromNow(parts, delayMs),
      deadline_at: new Date(attempt.created_at.getTime() + slotTimeoutMs),
    })
    .returning('id')
    .executeTakeFirst()
  return waiting !== undefined
}
