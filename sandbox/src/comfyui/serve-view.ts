import type { FastifyReply, FastifyRequest } from 'fastify'
import sharp from 'sharp'
import { sleep } from '../fal/send-webhooks.ts'
import type { ComfyuiState } from './comfyui-sandbox.ts'

/** What is at a picture's address, by the behaviour of the request that made it. */
export async function serveView(
  state: ComfyuiState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { filename = '', subfolder = '', type = 'output' } = request.query as Record<string, string>
  const place = [type, subfolder, filename].filter((part) => part !== '').join('/')
  const picture = state.files.get(place)
  if (picture === undefined) return reply.code(404).send('')
  const made = state.requests.find(({ id }) => filename.includes(id))
  switch (made?.behaviour) {
    case 'redirect_to_private':
      return reply.redirect('http://169.254.169.254/latest/picture.png')
    case 'huge':
      return reply.type('image/png').send(Buffer.alloc(40 * 1024 * 1024, 0xff))
    case 'endless':
      return await dribble(state, reply)
    case 'not_a_picture':
      return reply.type('image/png').send('hello')
    case 'truncated':
      return reply.type('image/png').send(picture.subarray(0, picture.length / 2))
    case 'tiny':
      return reply.type('image/png').send(await sharp(picture).resize(8, 8).png().toBuffer())
    case 'gif':
      return reply.type('image/gif').send(await sharp(picture).resize(8, 8).gif().toBuffer())
    case undefined:
    case 'picture':
    case 'slow':
    case 'refused_upload':
    case 'invalid_graph':
    case 'busy':
    case 'down':
    case 'html':
    case 'drop':
    case 'accept_and_drop':
    case 'own_id':
    case 'error':
    case 'interrupted':
    case 'no_picture':
    case 'many':
    case 'lost':
    case 'hang':
    case 'socket_dies':
      return reply.type('image/png').send(picture)
  }
}

/** A body that never ends, more of it than a picture may have. */
async function dribble(state: ComfyuiState, reply: FastifyReply): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'image/png' })
  while (!state.stop.aborted && !reply.raw.destroyed) {
    reply.raw.write(Buffer.alloc(4 * 1024 * 1024, 0xff))
    await sleep(5, state.stop)
  }
  reply.raw.end()
  return reply
}
