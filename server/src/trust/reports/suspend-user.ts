import { sql } from 'kysely'
import { deleteRows, updateRows } from '../../platform/db/rows.ts'
import { normaliseEmail } from '../../accounts/auth/mailbox.ts'
import type { TrustParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { logModeration } from '../../moderation/moderation.ts'

/**
 * Closes or opens an account again. A suspended one keeps its credits and pictures, but nobody gets
 * into it, and its public links answer 404; who was signed in is told so until it is opened again, and then
 * signs in anew. Answers the user's id, or undefined when nobody has the
 * e-mail or the account already is as asked.
 */
export async function setSuspension(
  parts: Pick<TrustParts, 'database' | 'clock'>,
  options: { email: string; suspended: boolean; reason: string },
): Promise<string | undefined> {
  const { suspended, reason } = options
  const status = suspended ? 'suspended' : 'active'
  return inTransaction(parts.database, async (transaction) => {
    const match = sql`email = ${normaliseEmail(options.email)} and status <> ${status}`
    const [user] = await updateRows(transaction, 'users', { match, set: { status } })
    if (user === undefined) return undefined
    if (!suspended) {
      await deleteRows(transaction, 'sessions', { user_id: user.id })
    }
    await logModeration(transaction, {
      at: parts.clock(),
      actor: 'operator',
      act: suspended ? 'account suspended' : 'account unsuspended',
      user_id: user.id,
      detail: reason,
    })
    return user.id
  })
}
