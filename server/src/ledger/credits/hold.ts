import { consumeAmountMax, holdLifetimeMs } from '@starside/contract/limits.ts'
import { CompiledQuery } from 'kysely'
import type { Queryable, DatabaseHandle } from '../../platform/db/database.ts'
import { joinCalls } from '../../platform/db/join-calls.ts'
import { violatedConstraint } from '../../platform/db/postgres-errors.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Booking } from './account.ts'
import type { HoldState } from './close-hold.ts'

/** Takes 1 to 100 credits; within the account the same reference again gives the same hold. */
export interface HoldRequest extends Booking {
  /** Whom the selfie is with that it is for, if it is for one. */
  celebrity?: string | undefined
  /** Set when the hold is placed for something already known, which then captures it. */
  attachedTo?: string
  lifetimeMs?: number
}

export type HoldResult =
  | { outcome: 'held'; holdId: string; state: HoldState; balance: number; repeated: boolean }
  | { outcome: 'insufficient_credits'; balance: number }
  /** The reference was used before with another amount. */
  | { outcome: 'reference_conflict' }

/** Takes credits from the balance until a capture, release or expiry. See `createHoldBatcher`. */
export async function placeHold(database: Queryable, request: HoldRequest): Promise<HoldResult> {
  const send: SendHolds = (text, values) =>
    database.executeQuery<HoldRow>(CompiledQuery.raw(text, [...values]))
  const place = async () => {
    const [result] = await placeHolds(send, [request])
    // Deleted since the request came.
    if (result === undefined) throw new AppError('token_invalid')
    return result
  }
  try {
    return await place()
  } catch (error) {
    // Two calls with one reference met: the first has won, and its hold is the answer. Inside a
    // transaction the failed statement has ended it, so there the caller starts anew.
    const hasMet = violatedConstraint(error) === 'credit_holds_reference_unique'
    if (!hasMet || database.isTransaction) throw error
    return place()
  }
}

/** Sends the statement of holds: in the caller's transaction, or on a connection of its own. */
export type SendHolds = (
  text: string,
  values: readonly unknown[],
) => Promise<{ rows: readonly HoldRow[] }>

/**
 * Places holds of several users in one statement; who lacks credits is asked for once more. Accounts are locked
 * in the order of their ids, so that nodes can't deadlock; `credit_accounts_balance_not_negative` stands behind
 * the condition. A reference used elsewhere at the same time fails all with `credit_holds_reference_unique`.
 * @param requests each of another user
 * @returns the results in the requests' order; undefined for a user without an account
 */
export async function placeHolds(
  send: SendHolds,
  requests: readonly HoldRequest[],
): Promise<(HoldResult | undefined)[]> {
  for (const { amount } of requests) assertAmount(amount)
  const results = await sendHolds(send, requests)
  // A statement that waited for the account doesn't see the hold that was committed meanwhile, only
  // the balance that it left; the next statement sees both.
  const refused = requests.flatMap((request, index) =>
    results[index]?.outcome === 'insufficient_credits' ? [{ request, index }] : [],
  )
  if (refused.length === 0) return results
  const again = await sendHolds(
    send,
    refused.map(({ request }) => request),
  )
  for (const [n, { index }] of refused.entries()) results[index] = again[n]
  return results
}

async function sendHolds(
  send: SendHolds,
  requests: readonly HoldRequest[],
): Promise<(HoldResult | undefined)[]> {
  const { rows } = await send(statement, [
    requests.map(({ userId }) => userId),
    requests.map(({ amount }) => amount),
    requests.map(({ reference }) => reference),
    requests.map(({ description }) => description),
    requests.map(({ celebrity }) => celebrity ?? null),
    requests.map(({ attachedTo }) => attachedTo ?? null),
    requests.map(({ now }) => now),
    requests.map(({ now, lifetimeMs }) => new Date(now.getTime() + (lifetimeMs ?? holdLifetimeMs))),
  ])
  const results: (HoldResult | undefined)[] = Array.from({ length: requests.length })
  for (const row of rows) results[row.n - 1] = toResult(row, requests[row.n - 1])
  return results
}

const columns =
  'user_id, amount, reference, description, celebrity, attached_to, created_at, expires_at'

// The limit takes no request away, but lets the planner keep the prepared plan (see requestRows).
const statement = `
    with request as (
      select n, ${columns}
      from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::timestamptz[], $8::timestamptz[]) with ordinality as request (${columns}, n)
      limit cardinality($1)
    ),
    account as materialized (
      select n, amount, reference, description, celebrity, attached_to, request.created_at,
        expires_at, account.id as account_id, account.balance
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
      insert into credit_holds (account_id, amount, reference, description, celebrity, attached_to,
        created_at, expires_at)
      select account.account_id, account.amount, account.reference, account.description,
        account.celebrity, account.attached_to, account.created_at, account.expires_at
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
    left join existing on existing.n = account.n`

/** What the statement answers for one request. */
export interface HoldRow {
  /** The place of its request, from 1. */
  n: number
  id: string | null
  amount: number | null
  state: HoldState | null
  balance: number
  repeated: boolean
}

function toResult(row: HoldRow, request: HoldRequest | undefined): HoldResult {
  const { id: holdId, state, balance, repeated } = row
  if (holdId === null || state === null) return { outcome: 'insufficient_credits', balance }
  if (row.amount !== request?.amount) return { outcome: 'reference_conflict' }
  return { outcome: 'held', holdId, state, balance, repeated }
}

function assertAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 1 || amount > consumeAmountMax) {
    throw new RangeError(`a hold takes 1 to ${consumeAmountMax} whole credits, not ${amount}`)
  }
}

/** Places holds of many callers in few statements; the answer is that of `placeHold`. */
export type PlaceHoldInBatch = (request: HoldRequest) => Promise<HoldResult>

const batchSizeMax = 256
const batchesInFlightMax = 2

/**
 * Joins holds asked for during a statement into the next: up to 256 accounts, each once; a lone call waits for
 * nothing. When a batch fails as a whole, as by a reference used elsewhere, its members go one by one.
 */
export function createHoldBatcher(
  parts: Pick<DatabaseHandle, 'database' | 'pool'>,
): PlaceHoldInBatch {
  // Prepared, as parsing and planning it anew would take most of what a hold costs.
  const send: SendHolds = (text, values) =>
    parts.pool.query<HoldRow>({ name: 'place-holds', text, values: [...values] })
  return joinCalls<HoldRequest, HoldResult>({
    sizeMax: batchSizeMax,
    inFlightMax: batchesInFlightMax,
    keyOf: ({ userId }) => userId,
    async run(requests) {
      try {
        const results = await placeHolds(send, requests)
        return results.map((result) => result ?? Promise.reject(new AppError('token_invalid')))
      } catch {
        const alone = requests.map((request) => placeHold(parts.database, request))
        await Promise.allSettled(alone)
        return alone
      }
    },
  })
}
