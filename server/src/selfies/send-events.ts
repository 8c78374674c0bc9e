import type { GenerationEvent } from '@starside/contract/generation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Slots } from '../platform/http/slots.ts'
import { presentGeneration } from './present-generation.ts'
import { watchGeneration } from './watch-generation.ts'

const keepAliveIntervalMs = 15_000
const streamLifetimeMs = 10 * 60_000

/**
 * Streams a generation's stages as server-sent events (WHATWG HTML, section 9.2). The last message
 * carries the generation itself. Comments in between keep proxies from closing the connection.
 * Throws `generation_unknown`, and `too_many_requests` when the person has too many streams open.
 */
export async function sendGenerationEvents(
  parts: SelfieParts,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { generationId: string; userId: string; stopping: AbortSignal; streams: Slots },
): Promise<void> {
  // Asked before the stream begins, while the answer can still have a status.
  const row = await parts.findOwnGeneration(options)
  if (row === undefined) throw new AppError('generation_unknown')
  const giveBack = options.streams.take(options.userId)

  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  const signal = AbortSignal.any([
    gone.signal,
    options.stopping,
    AbortSignal.timeout(streamLifetimeMs),
  ])
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const keepAlive = setInterval(() => raw.write(': still here\n\n'), keepAliveIntervalMs)
  try {
    for await (const current of watchGeneration(parts, { ...options, signal })) {
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
    giveBack()
    // A kept-alive connection would hold up the stop of the program for a minute.
    raw.end(() => options.stopping.aborted && raw.socket?.destroySoon())
  }
}
