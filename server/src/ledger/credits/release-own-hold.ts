import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Gives the credits of one's own hold back, as when a page is left before its photos were sent.
 * A hold that a generation has attached stays, as does one that is closed or somebody else's.
 * Answers true when this call gave credits back. One statement: a generation that attaches the
 * hold at the same time locks its row, and the condition is looked at again after that.
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
