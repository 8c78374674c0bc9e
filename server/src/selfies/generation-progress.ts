import { setTimeout as delay } from 'node:timers/promises'
import type { GenerationStage } from '@starside/contract/scenes.ts'
import type { GenerationEvent } from '@starside/contract/generation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { guardsOf } from '../accounts/auth/session.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { updateRows } from '../platform/db/rows.ts'
import { goneSignal } from '../platform/http/gone-signal.ts'
import type { SelfieParts } from './parts.ts'
import { generationTopic } from './finish-generation.ts'
import type { ShownGenerationRow } from './queries.ts'
import { presentGeneration } from './present-generation.ts'

/** Writes a running generation's stage and tells its watchers; a failure is logged, not thrown. */
export async function writeStage(
  context: Pick<SelfieParts, 'database' | 'log' | 'notifications'>,
  generationId: string,
  stage: GenerationStage,
): Promise<void> {
  try {
    const match = sql`id = ${generationId} and state = 'running' and stage <> ${stage}`
    await updateRows(context.database, 'generations', { match, set: { stage, stage_percent: 0 } })
    await context.notifications.publish(generationTopic(generationId))
  } catch (error) {
    context.log.warn({ err: error, generationId }, 'a stage could not be written')
  }
}

/** Writes how far the stage 'blend' is (0…100, never back), beginning it, and tells who watches. */
export async function writeStagePercent(
  context: Pick<SelfieParts, 'database' | 'notifications'>,
  generationId: string,
  percent: number,
): Promise<void> {
  const isBefore = sql`stage = 'reading' or (stage = 'blend' and stage_percent < ${percent})`
  const written = await updateRows(context.database, 'generations', {
    match: sql`id = ${generationId} and state = 'running' and (${isBefore})`,
    set: { stage: 'blend', stage_percent: percent },
  })
  if (written.length > 0) await context.notifications.publish(generationTopic(generationId))
}

/** A notification may get lost, so the row is also polled. */
const pollIntervalMs = 1_000

/** Yields one's generation now and at changes, to its end or abort. Throws `generation_unknown`. */
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

const keepAliveIntervalMs = 15_000
const streamLifetimeMs = 10 * 60_000

/**
 * Streams stages as server-sent events (WHATWG HTML, section 9.2), the generation last, with comments to keep
 * the connection. Throws `generation_unknown`.
 */
export async function sendGenerationEvents(
  parts: SelfieParts,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { generationId: string; userId: string; stopping: AbortSignal },
): Promise<void> {
  // Asked before the stream begins, while the answer can still have a status.
  const row = await parts.findOwnGeneration(options)
  if (row === undefined) throw new AppError('generation_unknown')

  const limit = AbortSignal.timeout(streamLifetimeMs)
  const signal = AbortSignal.any([goneSignal(reply), options.stopping, limit])
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const { authenticate } = guardsOf(parts)
  const keepAlive = setInterval(() => raw.write(': still here\n\n'), keepAliveIntervalMs)
  try {
    for await (const current of watchGeneration(parts, { ...options, signal })) {
      // Whose session ended meanwhile is told nothing more.
      await authenticate(request, 'guest')
      const event: GenerationEvent = {
        stage: current.stage,
        stagePercent: current.stage_percent,
        state: current.state,
        ...(current.state === 'running' ? {} : { generation: presentGeneration(parts, current) }),
      }
      raw.write(`data: ${JSON.stringify(event)}\n\n`)
    }
  } catch (error) {
    // The client sees the stream end and asks for the state instead.
    request.log.warn({ err: error }, 'an event stream broke off')
  } finally {
    clearInterval(keepAlive)
    // A kept-alive connection would hold up the stop of the program for a minute.
    raw.end(() => options.stopping.aborted && raw.socket?.destroySoon())
  }
}
