import type { FastifyReply } from 'fastify'
import { sleep } from '../fal/send-webhooks.ts'
import type { Dialect } from './dialects.ts'
import type { DirectBehaviour } from './direct-behaviour.ts'

/** The answers without a picture; undefined where one is made. */
export function refuse(
  dialect: Dialect,
  behaviour: DirectBehaviour,
  reply: FastifyReply,
  stop: AbortSignal,
): FastifyReply | Promise<FastifyReply> | undefined {
  const fail = (status: number, code: string, message: string) =>
    reply.code(status).send(dialect.failure(status, code, message))
  switch (behaviour) {
    case 'refusal':
      return reply.code(dialect.refusal.status).send(dialect.refusal.body)
    case 'bad_input':
      return fail(400, 'invalid_image_file', 'Invalid image file or mode for image 1.')
    case 'busy':
      void reply.header('retry-after', '0')
      return fail(429, 'rate_limit_exceeded', 'Rate limit reached.')
    case 'no_quota':
      return fail(429, 'insufficient_quota', 'You exceeded your current quota.')
    case 'down':
      return fail(500, 'server_error', 'The server had an error.')
    case 'detail_error':
      return reply.code(400).send({ detail: 'num_inference_steps must be positive' })
    case 'drop':
      return hangUp(reply)
    case 'hang':
      return sleep(600_000, stop).then(() => hangUp(reply))
    case 'huge_body':
      return reply.type('application/json').send(Buffer.alloc(60 * 1024 * 1024, 0x20))
    case 'html':
      return reply.type('text/html').send('<h1>It works</h1>')
    case 'redirect':
      return reply.redirect('http://127.0.0.1:9/v1/images/edits')
    case 'picture':
    case 'picture_by_url':
    case 'many':
    case 'fewer':
    case 'first_broken':
    case 'shifted':
    case 'tinted':
    case 'cropped':
    case 'redrawn':
    case 'moved':
    case 'empty':
    case 'not_a_picture':
    case 'truncated':
    case 'tiny':
    case 'gif':
    case 'private_url':
    case 'slow_body':
    case 'unauthorised':
    case 'work_and_drop':
      return undefined
  }
}

/** Ends the connection without an answer. */
export function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
