import { setTimeout as delay } from 'node:timers/promises'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import sharp from 'sharp'

/** Photos as base64 make a request large. */
const requestBytesMax = 64 * 1024 * 1024

/** A server for tests that treats each request as it was told to. */
export interface ScriptedServer<Behaviour> {
  app: FastifyInstance
  /** Aborts when the server closes. */
  stop: AbortSignal
  /** How the request that has just come is to be treated. */
  take(): Behaviour
  /** Of the request that comes next, as long as it isn't taken. */
  peek(): Behaviour
  /** The next requests are treated like this, one each; then the usual way again. */
  next(...behaviours: Behaviour[]): void
  /** How requests are treated that nothing else is said about. */
  usually(behaviour: Behaviour): void
  /** Resolves to its address; without a port it takes any free one. */
  listen(port?: number): Promise<string>
  close(): Promise<void>
}

/** @param usual how requests are treated that nothing else is said about */
export function openScriptedServer<Behaviour>(usual: Behaviour): ScriptedServer<Behaviour> {
  const stopping = new AbortController()
  const scripted: Behaviour[] = []
  let otherwise = usual
  const app = fastify({ bodyLimit: requestBytesMax, forceCloseConnections: true })
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  return {
    app,
    stop: stopping.signal,
    take: () => scripted.shift() ?? otherwise,
    peek: () => scripted[0] ?? otherwise,
    next: (...behaviours) => void scripted.push(...behaviours),
    usually: (behaviour) => void (otherwise = behaviour),
    listen: (port = 0) => app.listen({ port, host: '127.0.0.1' }),
    async close() {
      stopping.abort()
      await app.close()
    },
  }
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** The form of a request. */
export async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  const contentType = String(headers['content-type'])
  const bytes = new Uint8Array(body as Buffer)
  return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
}

/** Ends the connection without an answer. */
export function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** Begins the answer and sends the pieces, one after each pause; hangs up where they break off. */
export async function sendPieces(
  reply: FastifyReply,
  { type, pieces, pauseMs }: { type: string; pieces: Iterable<Buffer>; pauseMs: number },
  stop: AbortSignal,
): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': type })
  for (const piece of pieces) {
    if (stop.aborted || reply.raw.destroyed) break
    reply.raw.write(piece)
    await sleep(pauseMs, stop)
  }
  reply.raw.end()
  return reply
}

/** No length is declared and the bytes never end: only a bound on the reader's side helps. */
export function* endlessBytes(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1024 * 1024, 0xff)
}

type Spoil = (picture: Buffer) => Buffer | Promise<Buffer>
const noPicture: Spoil = () => Buffer.from('<!doctype html><title>No picture</title>')
const half: Spoil = (picture) => picture.subarray(0, picture.length / 2)

/** What may come in the place of a picture. */
const spoilt: Record<string, Spoil> = {
  html: noPicture,
  not_a_picture: noPicture,
  huge: () => Buffer.alloc(40 * 1024 * 1024, 0xff),
  damaged: half,
  truncated: half,
  tiny: (picture) => sharp(picture).resize(8, 8).jpeg().toBuffer(),
  gif: (picture) => sharp(picture).resize(8, 8).gif().toBuffer(),
}

/** The picture's file, or what comes in its place where the behaviour is one of `spoilt`. */
export async function spoil(picture: Buffer, behaviour: string): Promise<Buffer> {
  return (await spoilt[behaviour]?.(picture)) ?? picture
}
