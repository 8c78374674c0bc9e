import { generationPriceCredits } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import {
  moveEventCredits,
  moveEventHolds,
  readEventsAccount,
} from '../ledger/credits/move-credits.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Queryable, Transaction } from '../platform/db/database.ts'
import { findRow, updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import type { EventRow } from './event.ts'
import type { EventParts } from './parts.ts'

/** How long a guest keeps the credit of a selfie that isn't made: nobody uses the budget up by it. */
const creditsKeptMs = 20 * 60_000

/** Whether somebody is a guest still. Whatever else is locked of a guest is locked after their user, by this. */
export async function lockGuest(transaction: Transaction, userId: string): Promise<boolean> {
  const isGuest = sql`id = ${userId} and guest_of is not null for no key update`
  return (await findRow(transaction, 'users', isGuest)) !== undefined
}

/** What a guest has, may still make, and may make in fact: as far as the budget has it. */
export async function readSelfiesLeft(database: Queryable, event: EventRow, userId: string) {
  const { rows } = await sql<{ accountId: string; balance: number; own: number; left: number }>`
    select account.id as "accountId", account.balance, own,
      greatest(0, least(own, account.balance + budget.balance)) as left
    from credit_accounts as account, credit_accounts as budget, lateral (
      select ${event.selfies_per_guest}::integer - count(*)::integer as own
      from generations where user_id = account.user_id and state <> 'failed') as allowed
    where account.user_id = ${userId} and budget.id = ${event.account_id}`.execute(database)
  return rows[0]!
}

/**
 * Makes sure that a guest has the credit of a selfie, as far as the event gives it. Throws `event_selfies_used`, or
 * `event_credits_used` where others have used the budget up.
 */
export async function lendSelfie(
  { database, clock }: Pick<EventParts, 'clock' | 'database'>,
  event: EventRow,
  userId: string,
): Promise<void> {
  const [now, amount] = [clock(), generationPriceCredits]
  await inTransaction(database, async (transaction) => {
    const isGuest = await lockGuest(transaction, userId)
    const { accountId, balance, own } = await readSelfiesLeft(transaction, event, userId)
    if (!isGuest || own < amount) throw new AppError('event_selfies_used')
    if (balance >= amount) return
    const moved = await moveEventCredits(transaction, {
      fromAccountId: event.account_id,
      toAccountId: accountId,
      amount,
      description: event.title,
      reference: `event-guest:${crypto.randomUUID()}`,
      now,
    })
    if (moved === 0) throw new AppError('event_credits_used')
    const set = { credits_until: new Date(now.getTime() + creditsKeptMs) }
    await updateRows(transaction, 'event_guests', { match: { user_id: userId }, set })
  })
}

/**
 * Gives what a guest has left, and what a selfie under way holds, back to the event's budget; of who has an
 * account of their own by now, nothing.
 */
export async function returnGuestCredits(
  transaction: Transaction,
  guest: { userId: string; event: Pick<EventRow, 'account_id' | 'title'>; now: Date },
): Promise<void> {
  const { userId, event, now } = guest
  if (!(await lockGuest(transaction, userId))) return
  const account = await findRow(transaction, 'credit_accounts', { user_id: userId })
  if (account === undefined) return
  const moved = {
    fromAccountId: account.id,
    toAccountId: event.account_id,
    description: event.title,
    now,
  }
  const reference = crypto.randomUUID()
  await moveEventCredits(transaction, { ...moved, reference: `event-return:${reference}` })
  await moveEventHolds(transaction, { ...moved, reference: `event-held:${reference}` })
}

/** Gives back credits of guests and events that are over; what comes later, or waits for a selfie, is found next time. */
export async function returnCredits(
  { database, clock }: Pick<EventParts, 'clock' | 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock()
  await takeBatches(signal, 200, async (limit) => {
    const { rows: guests } = await sql<{ userId: string; account_id: string; title: string }>`
      select users.id as "userId", events.account_id, title
      from users join events on events.id = guest_of
      join event_guests on event_guests.user_id = users.id
      join credit_accounts on credit_accounts.user_id = users.id
      where balance > 0 and (ends_at <= ${now} or credits_until <= ${now} and not exists (
        select from credit_holds where account_id = credit_accounts.id and state = 'held'))
      limit ${limit}`.execute(database)
    for (const { userId, ...event } of guests) {
      await inTransaction(database, (transaction) =>
        returnGuestCredits(transaction, { userId, event, now }),
      )
    }
    return guests.length
  })
  const { rows: ended } = await sql<Pick<EventRow, 'account_id' | 'title'>>`
    select account_id, title from events join credit_accounts on credit_accounts.id = account_id
    where ends_at <= ${now} and balance > 0`.execute(database)
  for (const { account_id: fromAccountId, title: description } of ended) {
    await inTransaction(database, async (transaction) =>
      moveEventCredits(transaction, {
        fromAccountId,
        toAccountId: await readEventsAccount(transaction),
        description,
        reference: `event-end:${crypto.randomUUID()}`,
        now,
      }),
    )
  }
}

/** The event's budget in credits: what guests and selfies under way hold, and what is free. */
export async function readBudget(database: Queryable, { id, account_id: accountId }: EventRow) {
  const { rows } = await sql<{ held: number; free: number }>`
    select (sum(balance) filter (where account.id = ${accountId}))::integer as free,
      (coalesce(sum(balance) filter (where account.id <> ${accountId}), 0) + coalesce(sum(holds.amount), 0))::integer
        as held
    from credit_accounts as account left join lateral (
      select sum(amount) as amount from credit_holds where account_id = account.id and state = 'held'
    ) as holds on true
    where account.id = ${accountId} or user_id in (select id from users where guest_of = ${id})
  `.execute(database)
  return rows[0]!
}
