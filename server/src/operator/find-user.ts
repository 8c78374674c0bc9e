import { sql } from 'kysely'
import { normaliseEmail } from '../accounts/auth/mailbox.ts'
import type { Database } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { readPictureReference } from '../trust/reports/picture-reference.ts'
import type { OperatorCall } from './operator-page.ts'
import { timeText } from './tables.ts'

/** A user by e-mail, referral code or id, whichever it is. */
export function findUser(database: Database, text: string) {
  const named = sql`email = ${normaliseEmail(text)} or referral_code = ${text}`
  return findRow(database, 'users', isUuid(text.toLowerCase()) ? { id: text } : named)
}

/** Users by start of e-mail, part of name, or id, else all; newest first; guests if `hasGuests`. */
export function findUsers(
  database: Database,
  { search, hasGuests }: { search: string; hasGuests: boolean },
  { offset, limit }: { offset: number; limit: number },
) {
  const isNoGuest = sql<boolean>`(guest_of is null or users.id::text = ${search})`
  return database
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.username', 'users.status', 'users.created_at'])
    .select(['credit_accounts.balance', 'credit_accounts.owed', 'credit_accounts.bought_total'])
    .select(['users.guest_of', newestSelfie])
    .$if(!hasGuests, (query) => query.where(isNoGuest))
    .$if(search !== '', (query) => query.where(isUser(search)))
    .orderBy('users.created_at', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

const newestSelfie = sql<string | null>`(
  select id from generations where user_id = users.id and state = 'done' and deleted_at is null
  order by created_at desc limit 1)`.as('selfie')

/** Whether a row of `users` is meant: by its id, the start of its e-mail or a part of its name. */
export function isUser(search: string) {
  const email = `${escapeLike(normaliseEmail(search))}%`
  return sql<boolean>`(users.id::text = ${search} or email like ${email}
    or username ilike ${`%${escapeLike(search)}%`})`
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}

/** What a search names, and its page: an order, a picture's owner, a request's user, or nothing. */
export async function findNamed(
  call: OperatorCall,
  search: string,
): Promise<{ text: string; href?: string } | undefined> {
  const orderId = /order_[\da-z]{1,12}_[\da-z]{6}/.exec(search)?.[0]
  if (orderId !== undefined && call.may('see orders')) {
    return { href: `/admin/orders/${orderId}`, text: `Open order ${orderId}` }
  }
  const picture = readPictureReference(search)
  if (picture === undefined) return undefined
  const key = 'shareId' in picture ? { share_id: picture.shareId } : { id: picture.generationId }
  const row = await findRow(call.context.database, 'generations', key)
  if (row !== undefined) {
    return { href: `/admin/users/${row.user_id}`, text: `Open the owner of selfie ${row.id}` }
  }
  return 'shareId' in picture ? undefined : findRequest(call, picture.generationId)
}

async function findRequest({ context }: OperatorCall, requestId: string) {
  const note = await findRow(context.database, 'request_notes', { request_id: requestId })
  if (note === undefined) return undefined
  const outcome = note.code === null ? String(note.status) : `${note.status} ${note.code}`
  const about = `Request of ${timeText(note.at)}: ${note.call}, answered ${outcome}`
  return note.user_id === null
    ? { text: `${about}. Nobody was signed in.` }
    : { href: `/admin/users/${note.user_id}`, text: `${about}. Open the user.` }
}
