import { setTimeout as wait } from 'node:timers/promises'
import { HostedError, hostedErrorRules } from '@starside/engine/hosted/hosted-error.ts'
import type {
  DirectProvider,
  HostedProvider,
  PictureOrder,
  QueuedProvider,
  Submission,
} from '@starside/engine/hosted/hosted-provider.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db/database.ts'
import { generationQueue } from '../generation-job.ts'
import type { Presets } from '../presets.ts'
import { findGeneration } from '../queries.ts'
import { writeStage } from '../write-stage.ts'
import { turnsTopic } from './attempt-job.ts'
import { findAttempt } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { recordSuccess } from './circuit.ts'
import { failAttempt } from './fail-attempt.ts'
import { makerName } from './image-models.ts'
import { prepareOrder } from './prepare-order.ts'
import { webhookUrl } from './webhook-url.ts'

/** A turned-away order is tried again after 2, 4 and 8 seconds, or when the vendor says. */
const busyDelayMs = 2_000
const fetchDelaysMs = [500, 1_500, 3_000]
/** With webhooks, polling is only for those that got lost. */
const pollAfterWebhookMs = 10_000

/**
 * One piece of network work for an attempt, by the state it is in: placing the order, or fetching
 * the picture that it has brought. Whatever the queue repeats, an order is placed once: a run that
 * finds it half placed only waits for news of it.
 */
export async function runAttempt(
  context: Context,
  presets: Presets,
  attemptId: string,
  signal: AbortSignal,
): Promise<void> {
  const attempt = await findAttempt(context.database, attemptId)
  if (attempt === undefined) return
  const provider = context.images.find(makerName(attempt))
  if (provider === undefined) {
    const detail = 'it is not set up any more'
    return void (await failAttempt(context, attempt.id, {
      kind: 'provider_down',
      detail,
      maybeCharged: attempt.submitted_at !== null,
    }))
  }
  if (attempt.state === 'granted') await place(context, presets, attempt, { provider, signal })
  else if (attempt.state === 'submitting') await doubt(context, attempt, provider, 'its run died')
  else if (attempt.state === 'answered') await fetchPicture(context, attempt, { provider, signal })
}

interface Work<Provider> {
  provider: Provider
  signal: AbortSignal
}

async function place(
  context: Context,
  presets: Presets,
  attempt: AttemptRow,
  { provider, signal }: Work<HostedProvider>,
): Promise<void> {
  const row = await findGeneration(context.database, attempt.generation_id)
  if (row === undefined || row.state !== 'running') return
  // Everything that can fail on our side comes before the order is marked as placed.
  const order = await prepareOrder(context, presets, row, provider)
  if (!(await claim(context, attempt))) return
  await writeStage(context, attempt.generation_id, 'reading')
  try {
    if (provider.kind === 'direct') await callDirect(context, attempt, order, { provider, signal })
    else await submit(context, attempt, order, { provider, signal })
  } catch (error) {
    if (!(error instanceof HostedError)) throw error
    await judge(context, attempt, provider, error)
  }
}

/** From here on the order counts as placed, whatever becomes of this program. */
async function claim(context: Context, attempt: AttemptRow): Promise<boolean> {
  const claimed = await context.database
    .updateTable('generation_attempts')
    .set({ state: 'submitting', submitted_at: context.clock() })
    .where('id', '=', attempt.id)
    .where('state', '=', 'granted')
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function submit(
  context: Context,
  attempt: AttemptRow,
  order: PictureOrder,
  { provider, signal }: Work<QueuedProvider>,
): Promise<void> {
  const { webhookBaseUrl, attemptTimeoutMs } = context.images.settings
  const submission = await provider.submit(order, {
    webhookUrl:
      webhookBaseUrl === undefined
        ? undefined
        : webhookUrl(webhookBaseUrl, context.keys.imageWebhooks, attempt.id),
    startWithinMs: attemptTimeoutMs,
    signal,
  })
  await keepSubmission(context, attempt, submission)
}

/** Kept before anything waits. A webhook that was faster has its word already. */
async function keepSubmission(
  context: Context,
  attempt: AttemptRow,
  submission: Submission,
): Promise<void> {
  const { webhookBaseUrl, pollIntervalMs } = context.images.settings
  const firstPollMs =
    webhookBaseUrl === undefined ? pollIntervalMs : Math.max(pollIntervalMs, pollAfterWebhookMs)
  await context.database
    .updateTable('generation_attempts')
    .set((column) => ({
      request_id: submission.requestId,
      status_url: submission.statusUrl,
      response_url: submission.responseUrl,
      cancel_url: submission.cancelUrl,
      next_look_at: after(context, firstPollMs),
      state: column
        .case()
        .when('state', 'in', ['submitting', 'submit_unknown'])
        .then('submitted' as const)
        .else(column.ref('state'))
        .end(),
    }))
    .where('id', '=', attempt.id)
    .where((column) =>
      column.or([
        column('request_id', 'is', null),
        column('request_id', '=', submission.requestId),
      ]),
    )
    .execute()
}

async function callDirect(
  context: Context,
  attempt: AttemptRow,
  order: PictureOrder,
  { provider, signal }: Work<DirectProvider>,
): Promise<void> {
  await writeStage(context, attempt.generation_id, 'blend')
  const bytes = await provider.generate(order, signal)
  await keepPicture(context, attempt, bytes, 'submitting')
}

/** What follows from an order that brought an error instead of an acceptance or a picture. */
async function judge(
  context: Context,
  attempt: AttemptRow,
  provider: HostedProvider,
  error: HostedError,
): Promise<void> {
  if (error.maybeAccepted) return doubt(context, attempt, provider, error.message, error)
  const mayRetry = attempt.busy_count < hostedErrorRules[error.kind].retriesMax
  if (mayRetry && (await waitForNextTurn(context, attempt, error))) return
  const { kind, message: detail } = error
  await failAttempt(context, attempt.id, { kind, detail, maybeCharged: false, isAnswered: true })
}

/**
 * Nobody knows whether the order was accepted, so it is never placed again. Where webhooks reach
 * us, one of them may still bring the picture; elsewhere nothing ever would.
 */
async function doubt(
  context: Context,
  attempt: AttemptRow,
  provider: HostedProvider,
  detail: string,
  error?: HostedError,
): Promise<void> {
  const { webhookBaseUrl, submitUnknownMs } = context.images.settings
  if (provider.kind === 'queued' && webhookBaseUrl !== undefined) {
    await context.database
      .updateTable('generation_attempts')
      .set({
        state: 'submit_unknown',
        error_detail: detail.slice(0, 300),
        deadline_at: after(context, submitUnknownMs),
      })
      .where('id', '=', attempt.id)
      .where('state', '=', 'submitting')
      .execute()
    return
  }
  const kind = error?.kind ?? 'timeout'
  // A direct maker stops working when its connection is gone: nothing of it stays unfinished.
  const isAnswered = provider.kind === 'direct'
  await failAttempt(context, attempt.id, { kind, detail, maybeCharged: true, isAnswered })
}

/** Puts a turned-away order back into the line: nothing was accepted, so nothing is charged. */
async function waitForNextTurn(
  context: Context,
  attempt: AttemptRow,
  error: HostedError,
): Promise<boolean> {
  const delayMs = error.retryAfterMs ?? busyDelayMs * 2 ** attempt.busy_count
  const { turnTimeoutMs } = context.images.settings
  const waiting = await context.database
    .updateTable('generation_attempts')
    .set({
      state: 'waiting',
      busy_count: attempt.busy_count + 1,
      cost_micro_usd: 0,
      submitted_at: null,
      error_detail: error.message,
      next_look_at: after(context, delayMs),
      deadline_at: new Date(attempt.created_at.getTime() + turnTimeoutMs),
    })
    .where('id', '=', attempt.id)
    .where('state', '=', 'submitting')
    .returning('id')
    .executeTakeFirst()
  return waiting !== undefined
}

/** Fetches the picture at once: it is a public file, and the vendor deletes it soon. */
async function fetchPicture(
  context: Context,
  attempt: AttemptRow,
  { provider, signal }: Work<HostedProvider>,
): Promise<void> {
  const url = attempt.output_url
  if (provider.kind === 'direct' || url === null) return
  for (let tries = 0; ; tries += 1) {
    try {
      const bytes = await provider.download(url, signal)
      return await keepPicture(context, attempt, bytes, 'answered')
    } catch (error) {
      if (!(error instanceof HostedError)) throw error
      const delayMs = fetchDelaysMs[tries]
      const isPassing = error.kind === 'provider_down' || error.kind === 'timeout'
      if (!isPassing || delayMs === undefined) {
        const { kind, message: detail } = error
        await failAttempt(context, attempt.id, { kind, detail, maybeCharged: true })
        return
      }
      await wait(delayMs, undefined, { signal })
    }
  }
}

/** Keeps the vendor's bytes as they are, and has the engine finish them: one transaction. */
async function keepPicture(
  context: Context,
  attempt: AttemptRow,
  bytes: Uint8Array,
  from: 'submitting' | 'answered',
): Promise<void> {
  const name = context.randomBytes(6).toString('hex')
  const key = `inputs/${attempt.generation_id}/provider-${name}.bin`
  await context.store.put(key, bytes, 'application/octet-stream')
  const now = context.clock()
  const isKept = await inTransaction(context.database, async (transaction) => {
    const kept = await transaction
      .updateTable('generation_attempts')
      .set((column) => ({
        state: 'fetched',
        output_key: key,
        answered_at: column.fn.coalesce('answered_at', column.val(now)),
      }))
      .where('id', '=', attempt.id)
      .where('state', '=', from)
      .returning('id')
      .executeTakeFirst()
    if (kept === undefined) return false
    if (from === 'submitting') {
      await recordSuccess(transaction, { maker: makerName(attempt), now })
    }
    const { generation_id: generationId, priority } = attempt
    await context.jobs.enqueue(transaction, generationQueue.name, { generationId }, { priority })
    return true
  })
  if (!isKept) return await context.store.delete(key)
  await context.notifications.publish(turnsTopic)
}

function after(context: Context, ms: number): Date {
  return new Date(context.clock().getTime() + ms)
}
