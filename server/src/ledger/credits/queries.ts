import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { readGenerationReason } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import type { Cursor } from '../../platform/http/cursor.ts'

type CreditHistoryRow = Omit<CreditHistoryItem, 'at'> & { at: Date }

/** True for the id of a line of the history: an entry's number or a hold's UUID, with its letter. */
export function isHistoryId(text: string): boolean {
  return /^e\d{1,19}$/.test(text) || (text.startsWith('h') && isUuid(text.slice(1)))
}

/** The user's books, newest first: entries, open holds ("held"), holds given back ("refunded"). */
export async function readCreditHistory(
  database: Queryable,
  { userId, after, limit }: { userId: string; after: Cursor | undefined; limit: number },
): Promise<CreditHistoryRow[]> {
  /** The first condition is the index's, the second decides between lines of the same moment. */
  const isAfterCursor = (at: string, id: string) =>
    after === undefined
      ? sql`true`
      : sql`${sql.raw(at)} <= ${after.at} and (${sql.raw(at)}, ${sql.raw(id)}) < (${after.at}, ${after.id})`
  const entriesOf = (side: 'credit_account_id' | 'debit_account_id', amount: string) => sql`
      select 'e' || entry.id as id, entry.reason, ${sql.raw(amount)} as amount,
        entry.description, case when entry.reason = 'usage' then entry.reference end as hold,
        case when entry.reason = 'purchase' then substr(entry.reference, 7) end as order_id,
        entry.created_at as at
      from ledger_entries as entry
      where entry.${sql.raw(side)} = (select id from account)
        and ${isAfterCursor('entry.created_at', "'e' || entry.id")}
      order by entry.created_at desc, id desc
      limit ${limit}`
  const { rows } = await sql<HistoryLine>`
    with account as (select id from credit_accounts where user_id = ${userId}),
    -- Each kind gives as many lines as a page may need, from the end of its index.
    gained as (${entriesOf('credit_account_id', 'entry.amount')}),
    spent as (${entriesOf('debit_account_id', '-entry.amount')}),
    held as (
      select 'h' || hold.id as id, case when hold.state = 'held' then 'held' else 'refunded' end,
        case when hold.state = 'held' then -hold.amount else 0 end, hold.description,
        'hold:' || hold.id, null, coalesce(hold.settled_at, hold.created_at) as at
      from credit_holds as hold
      where hold.account_id = (select id from account) and hold.state <> 'captured'
        and ${isAfterCursor('coalesce(hold.settled_at, hold.created_at)', "'h' || hold.id")}
      order by at desc, id desc
      limit ${limit}
    ),
    lines as (
      select * from gained union all select * from spent union all select * from held
      order by at desc, id desc
      limit ${limit}
    )
    select lines.id, lines.reason, lines.amount, lines.description, lines.at, hold.celebrity,
      generation.star_names as celebrities, case when orders.id is not null then
        json_build_object('orderId', orders.id,
          'amount', coalesce(orders.received_cents, orders.price_cents) / 100.0) end as order
    from lines
    left join credit_holds as hold on hold.id = substr(lines.hold, 6)::uuid
    left join generations as generation on generation.hold_id = hold.id
    left join orders on orders.id = lines.order_id
    order by at desc, id desc
  `.execute(database)
  return rows.map((row) => {
    const celebrity = celebrityOf(row)
    return { ...row, celebrity, celebrities: row.celebrities ?? (celebrity ? [celebrity] : []) }
  })
}

/** As it is read: names are kept one by one where there are several. */
type HistoryLine = Omit<CreditHistoryRow, 'celebrities'> & { celebrities: string[] | null }

/** Holds of before the column have it in their description alone. */
function celebrityOf({ reason, celebrity, description }: HistoryLine): string | null {
  const isOfHold = reason === 'usage' || reason === 'held' || reason === 'refunded'
  return celebrity ?? (isOfHold ? (readGenerationReason(description) ?? null) : null)
}
