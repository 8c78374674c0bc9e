import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { callerNetwork } from './network-address.ts'

export interface UploadLimits {
  /** Memory that all forms take together, in bytes; those of one network take a quarter of it. */
  bytesMax: number
  /** Forms of one network at the same time. */
  perNetworkMax: number
}

/** A form that is being read, or was read and is still needed. */
interface Upload {
  network: string
  /** What it takes of memory, about. */
  bytes: number
  receivedBytes: number
  /** How long it has been read for. */
  seconds: number
  /** How much more has come than at the least rate; it is too slow below zero. */
  aheadBytes: number
  /** Ends the reading with this error; undefined once it has ended. */
  giveUp: ((error: AppError) => void) | undefined
}

/** The least rate of an upload: two photos within the two minutes that a request may take. */
const leastBytesPerSecond = 20_000
/** How long nothing may come, and how long nobody is called slow. */
const patienceSeconds = 5
/** What a form takes of memory before its first byte, and each piece of it beside its bytes. */
const formOverheadBytes = 64 * 1024
const pieceOverheadBytes = 256
const networkShare = 1 / 4
const retryAfterSeconds = 5

/** Takes in forms with photos, so that neither slow ones nor large ones keep anybody else's out. */
export function createUploads(limits: UploadLimits) {
  const ofNetwork = new Map<string, Set<Upload>>()
  let totalBytes = 0
  let timer: NodeJS.Timeout | undefined

  function enter(network: string): Upload {
    const own = ofNetwork.get(network) ?? new Set()
    if (own.size >= limits.perNetworkMax) {
      const slowest = slowestOf(own)
      if (slowest === undefined) throw new AppError('too_many_requests', { retryAfterSeconds })
      giveUp(slowest, new AppError('upload_too_slow'))
    }
    const upload = {
      network,
      bytes: 0,
      receivedBytes: 0,
      seconds: 0,
      aheadBytes: patienceSeconds * leastBytesPerSecond,
      giveUp: undefined,
    }
    ofNetwork.set(network, own.add(upload))
    timer ??= setInterval(lookForSlow, 1_000).unref()
    return upload
  }

  function leave(upload: Upload): void {
    const own = ofNetwork.get(upload.network)
    if (own?.delete(upload) !== true) return
    totalBytes -= upload.bytes
    if (own.size === 0) ofNetwork.delete(upload.network)
    if (ofNetwork.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function giveUp(upload: Upload, error: AppError): void {
    leave(upload)
    upload.giveUp?.(error)
    upload.giveUp = undefined
  }

  /** Counts seconds by itself: a halt of the program makes nobody late by more than one. */
  function lookForSlow(): void {
    for (const upload of [...ofNetwork.values()].flatMap((own) => [...own])) {
      if (upload.giveUp === undefined) continue
      upload.seconds += 1
      upload.aheadBytes -= leastBytesPerSecond
      if (upload.aheadBytes < 0) giveUp(upload, new AppError('upload_too_slow'))
    }
  }

  /** Counts what has come; whoever takes too much of the memory then is given up. */
  function take(upload: Upload, bytes: number): void {
    totalBytes += bytes
    upload.bytes += bytes
    const ownBytes = bytesOf(ofNetwork.get(upload.network) ?? [])
    if (ownBytes > networkShare * limits.bytesMax) {
      giveUp(upload, new AppError('too_many_requests', { retryAfterSeconds }))
    }
    while (totalBytes > limits.bytesMax) {
      const heaviest = greatest([...ofNetwork.values()], bytesOf) ?? new Set()
      const unread = [...heaviest].filter((one) => one.giveUp !== undefined)
      const largest = greatest(unread, (one) => one.bytes) ?? upload
      giveUp(largest, new AppError('unavailable', { retryAfterSeconds }))
      if (largest === upload) return
    }
  }

  async function readWithin<Form>(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    upload: Upload,
    read: (request: FastifyRequest) => Promise<Form>,
  ): Promise<Form> {
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    upload.giveUp = (error) => {
      // What has come of the form goes with its connection.
      void reply.header('connection', 'close')
      reject(error)
    }
    const count = ({ length }: Buffer) => {
      if (upload.giveUp === undefined) return
      upload.receivedBytes += length
      const mostAhead = patienceSeconds * leastBytesPerSecond
      upload.aheadBytes = Math.min(upload.aheadBytes + length, mostAhead)
      take(upload, length + pieceOverheadBytes)
    }
    take(upload, formOverheadBytes)
    const form = read(request)
    request.raw.on('data', count)
    try {
      return await Promise.race([form, givenUp])
    } finally {
      request.raw.off('data', count)
      upload.giveUp = undefined
    }
  }

  return {
    /**
     * Reads a request's form at once, and hands it to `use`; until that has ended, its bytes count. A
     * form that comes too slowly is given up, as is one without which others have no room. Throws
     * `upload_too_slow`, `too_many_requests`, `unavailable` and what `read` and `use` throw.
     * @param read begins to read without waiting for anything first
     */
    async receive<Form, Result>(
      call: { request: FastifyRequest; reply: FastifyReply },
      read: (request: FastifyRequest) => Promise<Form>,
      use: (form: Form) => Promise<Result>,
    ): Promise<Result> {
      // A connection that has ended brings nothing any more, not even its end.
      const { raw, ip } = call.request
      if (raw.destroyed && !raw.complete) throw new AppError('invalid_request')
      const upload = enter(callerNetwork(ip))
      try {
        return await use(await readWithin(call, upload, read))
      } finally {
        leave(upload)
      }
    },
  }
}

function bytesOf(uploads: Iterable<Upload>): number {
  let sum = 0
  for (const { bytes } of uploads) sum += bytes
  return sum
}

/** The slowest of those that are being read for long enough to tell. */
function slowestOf(uploads: Iterable<Upload>): Upload | undefined {
  const known = [...uploads].filter(
    ({ giveUp, seconds }) => giveUp !== undefined && seconds >= patienceSeconds,
  )
  return greatest(known, ({ receivedBytes, seconds }) => -receivedBytes / seconds)
}

function greatest<Item>(items: readonly Item[], measure: (item: Item) => number): Item | undefined {
  let best: Item | undefined
  for (const item of items) if (best === undefined || measure(item) > measure(best)) best = item
  return best
}
