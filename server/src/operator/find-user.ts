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

/**
 * Users by the beginning of their e-mail, a part of their name or their id, newest first, with their newest
 * selfie; all where nothing is searched for.
 */
export function findUsers(
  database: Database,
  search: string,
  { offset, limit }: { offset: number; limit: number },
) {
  return database
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.username', 'users.status', 'users.created_at'])
    .select(['credit_accounts.balance', 'credit_accounts.owed', 'credit_accounts.bought_total'])
    .select((row) =>
      row
        .selectFrom('generations')
        .select('generations.id')
        .whereRef('user_id', '=', 'users.id')
        .where('state', '=', 'done')
        .where('deleted_at', 'is', null)
        .orderBy('generations.created_at', 'desc')
        .limit(1)
        .as('selfie'),
    )
    .$if(search !== '', (query) =>
      query.where(({ or, eb, cast, ref }) =>
        or([
          eb('users.email', 'like', `${escapeLike(normaliseEmail(search))}%`),
          eb('users.username', 'ilike', `%${escapeLike(search)}%`),
          eb(cast<string>(ref('users.id'), 'text'), '=', search),
        ]),
      ),
    )
    .orderBy('users.created_at', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
