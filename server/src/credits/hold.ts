import { consumeAmountMax, holdLifetimeMs } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { violatedConstraint } from '../db/postgres-errors.ts'
import type { HoldState } from '../db/tables.ts'

export interface HoldRequest {
  userId: string
  /** Whole credits, 1 to 100. */
  amount: number
  description: string
  /** Unique within the account: the same reference again gives the same hold. */
  reference: string
  now: Date
  /** Set when the hold is placed for something already known, which then captures it. */
  attachedTo?: string
  lifetimeMs?: number
}

export type HoldResult =
  | { outcome: 'held'; holdId: string; state: HoldState; balance: number; repeated: boolean }
  | { outcome: 'insufficient_credits'; balance: number }
  /** The reference was used before with another amount. */
  | { outcome: 'reference_conflict' }

/**
 * Keeps credits aside: the balance falls now, a capture makes it final, a release or the expiry
 * gives it back. One statement, so it needs no transaction of its own; the row lock of the account
 * orders concurrent holds, and `credit_accounts_balance_not_negative` stands behind the condition.
 */
export async function placeHold(database: Queryable, request: HoldRequest): Promise<HoldResult> {
  assertAmount(request.amount)
  try {
    return await tryHold(database, request)
  } catch (error) {
    // Two calls with one reference met: the first has won, and its hold is the answer. Inside a
    // transaction the failed statement has ended it, so there the caller starts anew.
    if (violatedConstraint(error) !== 'credit_holds_reference_unique' || database.isTransaction) {
      throw error
    }
    return tryHold(database, request)
  }
}

async function tryHold(database: Queryable, request: HoldRequest): Promise<HoldResult> {
  const expiresAt = new Date(request.now.getTime() + (request.lifetimeMs ?? holdLifetimeMs))
  const { rows } = await sql<HoldRow>`
    with account as (
      select id, balance from credit_accounts where user_id = ${request.userId}
    ),
    existing as (
      select hold.id, hold.amount, hold.state
      from credit_holds as hold join account on account.id = hold.account_id
      where hold.reference = ${request.reference}
    ),
    debited as (
      update credit_accounts
      set balance = balance - ${request.amount}
      where user_id = ${request.userId}
        and balance >= ${request.amount}
        and not exists (select from existing)
      returning id, balance
    ),
    placed as (
      insert into credit_holds
        (account_id, amount, reference, description, attached_to, created_at, expires_at)
      select id, ${request.amount}, ${request.reference}, ${request.description},
        ${request.attachedTo ?? null}, ${request.now}, ${expiresAt}
      from debited
      returning id, amount, state
    )
    select placed.id, placed.amount, placed.state, debited.balance, false as repeated
    from placed, debited
    union all
    select existing.id, existing.amount, existing.state, account.balance, true as repeated
    from existing, account
    union all
    select null, null, null, account.balance, false
    from account
    where not exists (select from placed) and not exists (select from existing)
  `.execute(database)
  return toResult(rows, request)
}

interface HoldRow {
  id: string | null
  amount: number | null
  state: HoldState | null
  balance: number
  repeated: boolean
}

function toResult(rows: HoldRow[], request: HoldRequest): HoldResult {
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${request.userId} has no credit account`)
  if (row.id === null || row.state === null) {
    return { outcome: 'insufficient_credits', balance: row.balance }
  }
  if (row.amount !== request.amount) return { outcome: 'reference_conflict' }
  const { id: holdId, state, balance, repeated } = row
  return { outcome: 'held', holdId, state, balance, repeated }
}

function assertAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 1 || amount > consumeAmountMax) {
    throw new RangeError(`a hold takes 1 to ${consumeAmountMax} whole credits, not ${amount}`)
  }
}
