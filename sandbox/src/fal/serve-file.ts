import type { FastifyReply, FastifyRequest } from 'fastify'
import type { QueuedRequest } from './queued-requests.ts'
import { sleep } from './send-webhooks.ts'

const hugeBytes = 40 * 1024 * 1024

/** Answers the address of a picture, well or badly, as the request's behaviour says. */
export async function serveFile(
  queued: QueuedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  stop: AbortSignal,
): Promise<FastifyReply> {
  queued.downloads += 1
  const isFirst = queued.downloads === 1
  switch (queued.behaviour.file) {
    case 'html':
      return reply.type('image/jpeg').send('<!doctype html><title>No picture</title>')
    case 'huge':
      return reply.type('image/jpeg').send(Buffer.alloc(hugeBytes, 0xff))
    case 'endless':
      return dripForever(reply, stop)
    case 'drop':
      return dropHalfWay(queued, reply)
    case 'drop_once':
      if (isFirst) return dropHalfWay(queued, reply)
      break
    case 'fail_once':
      if (isFirst) return reply.code(503).send('try later')
      break
    case 'redirect':
      if (!request.url.includes('?again')) return reply.redirect(`${request.url}?again`)
      break
    case 'redirect_to_private':
      return reply.redirect('http://127.0.0.1:9/internal/secret.jpg')
    case 'damaged':
      return reply.type('image/jpeg').send((await queued.picture).subarray(0, 4_000))
    case 'tiny':
      return reply.type('image/gif').send(Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'))
    case 'picture':
    case 'at_private':
    case 'at_foreign':
    case 'data_url':
      break
  }
  return reply.type('image/jpeg').send(await queued.picture)
}

async function dropHalfWay(queued: QueuedRequest, reply: FastifyReply): Promise<FastifyReply> {
  const picture = await queued.picture
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': picture.length })
  reply.raw.write(picture.subarray(0, picture.length / 2))
  setTimeout(() => reply.raw.destroy(), 20)
  return reply
}

/** No length is declared and the bytes never end: only a bound on the reader's side helps. */
async function dripForever(reply: FastifyReply, stop: AbortSignal): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'image/jpeg' })
  const piece = Buffer.alloc(1024 * 1024, 0xff)
  while (!stop.aborted && !reply.raw.destroyed) {
    reply.raw.write(piece)
    await sleep(1, stop)
  }
  reply.raw.destroy()
  return reply
}
