import { holdLifetimeMs } from '@starside/contract/limits.ts'
import type pg from 'pg'
import type { HoldState } from '../db/tables.ts'
import { placeHold } from './hold.ts'
import type { HoldRequest, HoldResult } from './hold.ts'
import type { Database } from '../db/database.ts'
import { joinCalls } from '../db/join-calls.ts'

/** Places holds of many callers in few statements; the answer is that of `placeHold`. */
export type PlaceHoldInBatch = (request: HoldRequest) => Promise<HoldResult>

const batchSizeMax = 256
const batchesInFlightMax = 2

/**
 * Joins the holds that are asked for while a statement is under way into the next one: up to 256
 * accounts, each once, their rows locked in the order of their ids, so that batches of several
 * nodes can't deadlock. A lone call is a batch of one and waits for nothing. When a batch fails as
 * a whole, as when a reference was used at the same time elsewhere, its members go one by one.
 */
export function createHoldBatcher(parts: { pool: pg.Pool; database: Database }): PlaceHoldInBatch {
  const { pool, database } = parts
  return joinCalls<HoldRequest, HoldResult>({
    sizeMax: batchSizeMax,
    inFlightMax: batchesInFlightMax,
    keyOf: ({ userId }) => userId,
    async run(requests) {
      try {
        const results = await placeHolds(pool, requests)
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

interface BatchRow {
  n: number
  id: string | null
  amount: number | null
  state: HoldState | null
  balance: number
  repeated: boolean
}

/** Prepared once for each connection under this name. */
const statement = {
  name: 'place-holds',
  text: `
    with request as (
      select *
      from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[],
        $6::timestamptz[], $7::timestamptz[]) with ordinality
        as request (user_id, amount, reference, description, attached_to, created_at, expires_at, n)
      -- Takes none away, but lets the planner keep the prepared plan (see requestRows).
      limit cardinality($1::uuid[])
    ),
    account as materialized (
      select request.*, account.id as account_id, account.balance
      from credit_accounts as account join request on request.user_id = account.user_id
      order by account.id
      for no key update of account
    ),
    existing as (
      select account.n, hold.id, hold.amount, hold.state
      from credit_holds as hold
      join account on hold.account_id = account.account_id and hold.reference = account.reference
    ),
    debited as (
      update credit_accounts
      set balance = credit_accounts.balance - account.amount
      from account
      where credit_accounts.id = account.account_id
        and credit_accounts.balance >= account.amount
        and not exists (select from existing where existing.n = account.n)
      returning account.n, credit_accounts.balance
    ),
    placed as (
      insert into credit_holds
        (account_id, amount, reference, description, attached_to, created_at, expires_at)
      select account.account_id, account.amount, account.reference, account.description,
        account.attached_to, account.created_at, account.expires_at
      from account join debited on debited.n = account.n
      returning id, account_id, amount, state
    )
    select account.n::integer as n,
      coalesce(placed.id, existing.id) as id,
      coalesce(placed.amount, existing.amount) as amount,
      coalesce(placed.state, existing.state) as state,
      coalesce(debited.balance, account.balance) as balance,
      existing.id is not null as repeated
    from account
    left join debited on debited.n = account.n
    left join placed on placed.account_id = account.account_id
    left join existing on existing.n = account.n`,
}

/** One statement for all requests, each of another user; the results in the requests' order. */
async function placeHolds(
  pool: pg.Pool,
  requests: readonly HoldRequest[],
): Promise<(HoldResult | undefined)[]> {
  const { rows } = await pool.query<BatchRow>({
    ...statement,
    values: [
      requests.map(({ userId }) => userId),
      requests.map(({ amount }) => amount),
      requests.map(({ reference }) => reference),
      requests.map(({ description }) => description),
      requests.map(({ attachedTo }) => attachedTo ?? null),
      requests.map(({ now }) => now),
      requests.map(
        ({ now, lifetimeMs }) => new Date(now.getTime() + (lifetimeMs ?? holdLifetimeMs)),
      ),
    ],
  })
  const results: (HoldResult | undefined)[] = Array.from({ length: requests.length })
  for (const row of rows) results[row.n - 1] = toResult(row, requests[row.n - 1])
  return results
}

function toResult(row: BatchRow, request: HoldRequest | undefined): HoldResult {
  const { id: holdId, state, balance, repeated } = row
  if (holdId === null || state === null) return { outcome: 'insufficient_credits', balance }
  if (row.amount !== request?.amount) return { outcome: 'reference_conflict' }
  return { outcome: 'held', holdId, state, balance, repeated }
}
