import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { KeyedDigest } from '../secrets/keyed-digest.ts'
import { AppError } from './app-error.ts'
import { callerNetwork } from './network-address.ts'

/** How often one call may be made within a span of time. */
export interface RateLimit {
  /** By one account; undefined for a call that nobody signs in for. */
  perAccount: number | undefined
  /** From one network address. */
  perAddress: number
  windowSeconds: number
}

export interface RateLimits<Name extends string> {
  /**
   * Counts one call. Throws `too_many_requests` with the time to wait when the account or the
   * address has used up what it may.
   */
  take(name: Name, caller: { address: string; account?: string }): Promise<void>
}

/** From this many calls on, a node fetches shares of a limit instead of single calls. */
const shareFrom = 500
const sharesPerWindow = 50
/** Callers that a node remembers a share for. */
const remembered = 10_000

/**
 * Limits that hold across all nodes, counted in PostgreSQL. A high limit is fetched by each node in
 * shares of a fiftieth, so that a busy caller costs a write now and then and not one each call; a
 * node that ends with a share unused only makes the limit a little stricter.
 * @param limits what may be called how often; undefined counts and refuses nothing
 * @param digest of addresses, as the table of limits shall be no list of them
 */
export function createRateLimits<Name extends string>(
  pool: pg.Pool,
  limits: Record<Name, RateLimit> | undefined,
  digest: KeyedDigest,
): RateLimits<Name> {
  if (limits === undefined) return { take: async () => {} }
  const counters = new Map(
    Object.entries<RateLimit>(limits).map(([name, limit]) => [
      name,
      openCounters(pool, name, limit),
    ]),
  )
  return {
    async take(name, { address, account }) {
      const counter = counters.get(name)
      if (counter === undefined) throw new Error(`there is no limit '${name}'`)
      await counter.byAddress(digest(callerNetwork(address)).toString('base64url'))
      if (account !== undefined) await counter.byAccount?.(account)
    },
  }
}

function openCounters(pool: pg.Pool, name: string, limit: RateLimit) {
  const open = (kind: string, points: number) =>
    countInShares(
      openCounter(pool, { keyPrefix: `${name}-${kind}`, points, duration: limit.windowSeconds }),
    )
  return {
    byAddress: open('address', limit.perAddress),
    byAccount: limit.perAccount === undefined ? undefined : open('account', limit.perAccount),
  }
}

/**
 * A counter in the table `rate_limits`, shared by all nodes.
 * @param options.duration seconds from the first point until the count begins anew
 */
export function openCounter(
  pool: pg.Pool,
  options: { keyPrefix: string; points: number; duration: number },
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // One job deletes what has run out, by its index.
    clearExpiredByTimeout: false,
    ...options,
  })
}

interface Share {
  left: number
  endsAt: number
  /** Set while more is being fetched, so that a crowd of calls asks once. */
  fetching: Promise<void> | undefined
}

function countInShares(limiter: RateLimiterPostgres): (key: string) => Promise<void> {
  const size =
    limiter.points >= shareFrom ? Math.max(1, Math.floor(limiter.points / sharesPerWindow)) : 1
  const shares = new Map<string, Share>()
  const shareOf = (key: string): Share => {
    const known = shares.get(key)
    if (known !== undefined) return known
    const [oldest] = shares.keys()
    if (shares.size >= remembered && oldest !== undefined) shares.delete(oldest)
    const share: Share = { left: 0, endsAt: 0, fetching: undefined }
    shares.set(key, share)
    return share
  }
  return async (key) => {
    if (size === 1) return void (await consume(limiter, key, 1))
    const share = shareOf(key)
    for (;;) {
      if (share.left > 0 && Date.now() < share.endsAt) {
        share.left -= 1
        return
      }
      share.fetching ??= refill(limiter, key, size, share).finally(() => {
        share.fetching = undefined
      })
      await share.fetching
    }
  }
}

async function refill(limiter: RateLimiterPostgres, key: string, size: number, share: Share) {
  const { msBeforeNext } = await consume(limiter, key, size)
  share.left = size
  share.endsAt = Date.now() + msBeforeNext
}

async function consume(limiter: RateLimiterPostgres, key: string, points: number) {
  try {
    return await limiter.consume(key, points)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new AppError('too_many_requests', { retryAfterSeconds: refusal.msBeforeNext / 1000 })
  }
}
