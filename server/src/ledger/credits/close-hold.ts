import { sql } from 'kysely'
import type { RawBuilder, Selectable } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { CreditHoldsTable } from '../../platform/db/tables.d.ts'

export type HoldState = Selectable<CreditHoldsTable>['state']

/**
 * Ends an open hold in one statement, with `effect` on its credits: a part that selects from `closed`
 * (account_id, amount, description, id). Answers the state before; leaves closed ones alone; throws without one.
 * The account is locked first, as wherever both are: else placing a hold would deadlock with it.
 */
async function closeHold(
  database: Queryable,
  options: {
    holdId: string
    now: Date
    state: 'captured' | 'released'
    effect: RawBuilder<unknown>
  },
): Promise<HoldState> {
  const { holdId, now, state, effect } = options
  const { rows } = await sql<{ before: HoldState; isClosed: boolean }>`
    with account as materialized (
      select account.id
      from credit_accounts as account
      join credit_holds as hold on hold.account_id = account.id
      where hold.id = ${holdId}
      for no key update of account
    ),
    hold as (
      select hold.id, hold.state
      -- Of whichever account by now: it may have become another's while this waited.
      from credit_holds as hold, account
      where hold.id = ${holdId}
      for update of hold
    ),
    closed as (
      update credit_holds
      set state = ${state}, settled_at = ${now}
      from hold
      where credit_holds.id = hold.id and hold.state = 'held'
      returning credit_holds.id, account_id, amount, description
    ),
    effect as (${effect})
    select hold.state as before, exists (select from effect) as "isClosed" from hold
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error(`hold ${holdId} does not exist`)
  if (row.before === 'held' && !row.isClosed)
    throw new Error(`hold ${holdId} is held, not ${state}`)
  return row.before
}

/** Gives a hold's credits back; false when it was closed before. Throws when it doesn't exist. */
export async function releaseHold(
  database: Queryable,
  { holdId, now }: { holdId: string; now: Date },
): Promise<boolean> {
  const effect = sql`
    update credit_accounts
    set balance = balance + closed.amount
    from closed
    where credit_accounts.id = closed.account_id
    returning credit_accounts.id`
  return (await closeHold(database, { holdId, now, state: 'released', effect })) === 'held'
}

/**
 * Captures a hold: its entry moves the credits to usage; the balance fell before. Repeating it changes nothing.
 * Answers the state before: unless 'held' or 'captured', the credits had gone back. Throws without a hold.
 */
export function captureHold(
  database: Queryable,
  { holdId, now }: { holdId: string; now: Date },
): Promise<HoldState> {
  const effect = sql`
    insert into ledger_entries
      (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
    select 'hold:' || closed.id, 'usage', closed.account_id, usage.id, closed.amount,
      closed.description, ${now}
    from closed, credit_accounts as usage
    where usage.name = 'usage'
    returning id`
  return closeHold(database, { holdId, now, state: 'captured', effect })
}

/**
 * Gives the credits of one's own open hold back, as when a page is left, unless a generation has attached it,
 * which the lock on its row decides. True when this call did it.
 */
export async function releaseOwnHold(
  database: Queryable,
  options: {
    userId: string
    holdId: string
    now: Date
    /** Leaves a hold with which a request still prepares something. */
    unlessPreparing?: boolean
  },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with account as materialized (
      select id from credit_accounts where user_id = ${options.userId} for no key update
    ),
    released as (
      update credit_holds
      set state = 'released', settled_at = ${options.now}
      from account
      where credit_holds.id = ${options.holdId}
        and account.id = credit_holds.account_id
        and credit_holds.state = 'held'
        and credit_holds.attached_to is null
        and (${options.unlessPreparing !== true} or credit_holds.preparing_count = 0)
      returning credit_holds.account_id, credit_holds.amount
    )
    update credit_accounts
    set balance = balance + released.amount
    from released
    where credit_accounts.id = released.account_id
    returning credit_accounts.id
  `.execute(database)
  return rows.length > 0
}

/** Expires at most `limit` holds, but for locked ones, so that no node waits; answers how many. */
export async function expireHolds(
  database: Queryable,
  options: { now: Date; limit: number },
): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    with due as (
      select hold.id
      from credit_holds as hold
      join credit_accounts as account on account.id = hold.account_id
      where hold.state = 'held' and hold.expires_at <= ${options.now}
      order by hold.account_id, hold.id
      limit ${options.limit}
      for no key update of account skip locked
      for update of hold skip locked
    ),
    expired as (
      update credit_holds
      set state = 'expired', settled_at = ${options.now}
      from due
      where credit_holds.id = due.id
      returning account_id, amount
    ),
    sums as (
      select account_id, sum(amount)::integer as amount from expired group by account_id
    ),
    credited as (
      update credit_accounts
      set balance = balance + sums.amount
      from sums
      where credit_accounts.id = sums.account_id
      returning credit_accounts.id
    )
    select count(*)::integer as expired from expired
  `.execute(database)
  return rows[0]?.expired ?? 0
}
