import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { KeyedDigest } from '../secrets/keyed-digest.ts'
import { AppError } from '../errors/app-error.ts'
import { callerNetwork } from './network-address.ts'

/** How often one call may be made within a span of time. */
export interface RateLimit {
  /** By one account; undefined for a call that nobody signs in for. */
  perAccount: number | undefined
  perAddress: number
  windowSeconds: number
}

export type RateLimits<Name extends string> = ReturnType<typeof createRateLimits<Name>>

/**
 * Limits that hold across all nodes: each call is counted in PostgreSQL.
 * @param limits what may be called how often; undefined counts and refuses nothing
 * @param digest of addresses, as the table of limits shall be no list of them
 */
export function createRateLimits<Name extends string>(
  pool: pg.Pool,
  limits: Record<Name, RateLimit> | undefined,
  digest: KeyedDigest,
) {
  const openCounters = ([name, limit]: [string, RateLimit]) => {
    const open = (kind: string, points: number) =>
      openCounter(pool, { keyPrefix: `${name}-${kind}`, points, duration: limit.windowSeconds })
    const ofAccount = limit.perAccount === undefined ? undefined : open('account', limit.perAccount)
    return [name, { ofAddress: open('address', limit.perAddress), ofAccount }] as const
  }
  const counters = new Map(Object.entries<RateLimit>(limits ?? {}).map(openCounters))
  return {
    /** Counts a call (a kiosk's in its address's place); throws `too_many_requests` with a wait. */
    async take(
      name: Name,
      caller: { address: string; account?: string; kioskId?: string | null | undefined },
    ): Promise<void> {
      if (limits === undefined) return
      const { address, account, kioskId } = caller
      const counter = counters.get(name)
      if (counter === undefined) throw new Error(`there is no limit '${name}'`)
      const place = kioskId ? `kiosk ${kioskId}` : callerNetwork(address)
      const { ofAddress, ofAccount } = counter
      // Whoever is refused by their own limit uses up nothing of their network's.
      if (account !== undefined && ofAccount !== undefined) await consume(ofAccount, account)
      await consume(ofAddress, digest(place).toString('base64url'))
    },
  }
}

/** A counter in the table `rate_limits`, begun anew `duration` seconds after its first point. */
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

/** Counts one; throws `too_many_requests`, with the time to wait, once that is more than may be. */
export async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new AppError('too_many_requests', { retryAfterSeconds: refusal.msBeforeNext / 1000 })
  }
}
