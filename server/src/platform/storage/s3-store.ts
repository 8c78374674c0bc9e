import { setTimeout as delay } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { BodyTooLargeError, readBounded } from '../http/read-bounded.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { assertObjectKey } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3Settings } from './s3-settings.ts'

/** No object of ours comes near this: a larger answer is somebody else's. */
const objectBytesMax = 128 * 1024 * 1024
const listPageSize = 1000

/** An `ObjectStore` that can also say at the start whether it is set up right. */
export interface S3Store extends ObjectStore {
  /** Throws a `SettingsError` when keys or bucket are refused, an `S3Error` when nobody answers. */
  check(): Promise<void>
}

/**
 * Objects in a bucket of any S3-compatible service, addressed by path. Every try is bounded in
 * time, and passing failures (no answer, 5xx, 429) are tried again with growing waits; every call here may be
 * repeated without harm.
 * @param options.tryTimeoutMs how long one try may take, the body's transfer included
 * @param options.retryDelayMs before the second try; it doubles, with jitter, so that nodes don’t repeat at the
 *   same moment
 * @param options.random from 0 up to 1
 */
export function openS3Store(
  settings: S3Settings,
  options: {
    fetch?: typeof fetch
    tryTimeoutMs?: number
    triesMax?: number
    retryDelayMs?: number
    random?: () => number
  } = {},
): S3Store {
  const { tryTimeoutMs = 15_000, triesMax = 4, retryDelayMs = 150, random = Math.random } = options
  const send = options.fetch ?? globalThis.fetch
  const client = new S3mini({
    ...settings,
    endpoint: `${settings.endpoint}/${settings.bucket}`,
    requestAbortTimeout: tryTimeoutMs,
    fetch: async (input, init) => throwTransient(await send(input, init)),
  })

  async function attempt<Result>(act: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await act()
      } catch (error) {
        if (tries >= triesMax || !isTransient(error)) throw asS3Error(error)
      }
      await delay(retryDelayMs * 2 ** (tries - 1) * (0.5 + random()))
    }
  }

  const store: ObjectStore = {
    async put(key, bytes, mediaType) {
      assertObjectKey(key)
      await attempt(() => client.putObject(key, bytes, mediaType))
    },
    async get(key) {
      assertObjectKey(key)
      return attempt(async () => {
        const response = await client.getObjectResponse(key)
        return response === null ? undefined : readObject(response)
      })
    },
    async delete(key) {
      assertObjectKey(key)
      await attempt(() => client.deleteObject(key)).catch((error: unknown) => {
        // Some services answer 404 where S3 itself answers 204.
        if (!isMissing(error)) throw error
      })
    },
    async *list(prefix, { after = '' } = {}) {
      const start = after === '' ? {} : { 'start-after': after }
      let token: string | undefined
      do {
        const page = await attempt(() =>
          client.listObjectsPaged('/', `${prefix}/`, listPageSize, token, start),
        )
        for (const { Key: key, LastModified: modified } of page?.objects ?? []) {
          yield { key, modifiedAt: new Date(modified) }
        }
        token = page?.nextContinuationToken
      } while (token !== undefined && token !== '')
    },
  }
  return {
    ...store,
    async check() {
      const { bucket } = settings
      // A listing needs the keys and the bucket; a HEAD request is answered without keys by some.
      const listing = attempt(() => client.listObjectsPaged('/', 'check/', listPageSize))
      const page = await listing.catch((error: unknown) => {
        if (isTransient(error)) throw error
        throw new SettingsError(
          `The S3 store refuses S3_ACCESS_KEY_ID or its secret for the bucket '${bucket}', ` +
            "or this machine's clock is wrong by more than a quarter of an hour",
        )
      })
      if (page !== null) return
      throw new SettingsError(`The bucket '${bucket}' of S3_BUCKET does not exist; make it first`)
    },
  }
}

/** An overloaded or failing service may do better at the next try. */
function throwTransient(response: Response): Response {
  if (response.status < 500 && response.status !== 429) return response
  void response.body?.cancel()
  throw new S3Error(`the S3 store answered ${response.status}`, { isTransient: true })
}

async function readObject(response: Response): Promise<Uint8Array> {
  const bytes = await readBounded(response, objectBytesMax).catch((error: unknown) => {
    if (!(error instanceof BodyTooLargeError)) throw error
    throw new S3Error('an object is larger than any of ours', { isTransient: false })
  })
  const announced = response.headers.get('content-length')
  if (announced !== null && Number(announced) !== bytes.length) {
    throw new S3Error('the S3 store cut an object off', { isTransient: true })
  }
  return bytes
}

/** What isn't an answer of the service (a refused connection, a time-out) passes. */
function isTransient(error: unknown): boolean {
  return error instanceof S3Error ? error.isTransient : statusOf(error) === undefined
}

function isMissing(error: unknown): boolean {
  return error instanceof S3Error && statusOf(error.cause) === 404
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  return typeof error.status === 'number' ? error.status : undefined
}

/** Without the address, which may be an inner one, and without the service's own words. */
function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  const status = statusOf(error)
  const message = status === undefined ? 'does not answer' : `answered ${status}`
  return new S3Error(`the S3 store ${message}`, { isTransient: status === undefined, cause: error })
}

/** What a failed try says: worth another one or not. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly isTransient: boolean

  constructor(message: string, options: { isTransient: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.isTransient = options.isTransient
  }
}
