import type { DatabaseHandle } from '../../platform/db/database.ts'
import { joinCalls } from '../../platform/db/join-calls.ts'
import { placeHold, placeHolds } from './hold.ts'
import type { HoldRequest, HoldResult, HoldRow, SendHolds } from './hold.ts'

/** Places holds of many callers in few statements; the answer is that of `placeHold`. */
export type PlaceHoldInBatch = (request: HoldRequest) => Promise<HoldResult>

const batchSizeMax = 256
const batchesInFlightMax = 2

/**
 * Joins the holds that are asked for while a statement is under way into the next one: up to 256
 * accounts, each once. A lone call is a batch of one and waits for nothing. When a batch fails as a
 * whole, as when a reference was used at the same time elsewhere, its members go one by one.
 */
export function createHoldBatcher({
  database,
  pool,
}: Pick<DatabaseHandle, 'database' | 'pool'>): PlaceHoldInBatch {
  // Prepared, as parsing and planning it anew would take most of what a hold costs.
  const send: SendHolds = (text, values) =>
    pool.query<HoldRow>({ name: 'place-holds', text, values: [...values] })
  return joinCalls<HoldRequest, HoldResult>({
    sizeMax: batchSizeMax,
    inFlightMax: batchesInFlightMax,
    keyOf: ({ userId }) => userId,
    async run(requests) {
      try {
        const results = await placeHolds(send, requests)
        return results.map((result, index) => result ?? refuseAccount(requests[index]))
      } catch {
        const alone = requests.map((request) => placeHold(database, request))
        await Promise.allSettled(alone)
        return alone
      }
    },
  })
}

function refuseAccount(request: HoldRequest | undefined): Promise<never> {
  return Promise.reject(new Error(`user ${request?.userId ?? '?'} has no credit account`))
}
