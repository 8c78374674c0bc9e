import { normaliseEmail } from '../accounts/auth/mailbox.ts'
import type { Database } from '../platform/db/database.ts'
import { isUuid } from '../platform/db/uuid.ts'

/** A user by e-mail, referral code or id, whichever it is. */
export function findUser(database: Database, text: string) {
  const isId = isUuid(text.toLowerCase())
  return database
    .selectFrom('users')
    .select(['id', 'email', 'username', 'status', 'referral_code', 'created_at'])
    .select('email_confirmed_at')
    .where((where) =>
      isId
        ? where('id', '=', text)
        : where.or([where('email', '=', normaliseEmail(text)), where('referral_code', '=', text)]),
    )
    .executeTakeFirst()
}
