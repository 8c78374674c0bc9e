import type { Language } from '@starside/contract/languages.ts'
import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { deleteRows, insertRow } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { createLink, mailLink } from './mail-link.ts'
import type { LinkParts } from './mail-link.ts'
import { hashToken } from './session.ts'

const confirmationLifetimeMs = 7 * 24 * 60 * 60_000

/** What else happens when an e-mail is confirmed, in the same transaction. */
export type OnEmailConfirmed = (
  transaction: Transaction,
  user: { userId: string; now: Date },
) => Promise<void>

/** Mails a link that confirms the address. Sending it again leaves earlier links valid. */
export async function sendConfirmation(
  parts: LinkParts,
  user: { userId: string; email: string; language: Language },
): Promise<void> {
  const { token, row } = createLink(parts, user.userId, confirmationLifetimeMs)
  await insertRow(parts.database, 'email_confirmations', { ...row, email: user.email })
  mailLink(parts, 'confirmation', user, { path: '/?confirm', token })
}

/** Confirms an address, once or again; voids its tokens. Throws `confirmation_token_invalid`. */
export async function confirmEmail(
  database: Database,
  token: string,
  options: { now: Date; onConfirmed: OnEmailConfirmed },
): Promise<void> {
  const { now } = options
  await inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ userId: string }>`
      with used as (
        delete from email_confirmations
        where token_hash = ${hashToken(token)} and expires_at > ${now}
        returning user_id, email
      )
      -- A link to an address that the account no longer has confirms nothing.
      update users set email_confirmed_at = coalesce(email_confirmed_at, ${now})
      from used where users.id = used.user_id and users.email = used.email
      returning users.id as "userId"`.execute(transaction)
    const [user] = rows
    if (user === undefined) throw new AppError('confirmation_token_invalid')
    await deleteRows(transaction, 'email_confirmations', { user_id: user.userId })
    await options.onConfirmed(transaction, { userId: user.userId, now })
  })
}
