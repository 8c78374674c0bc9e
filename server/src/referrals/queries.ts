import type { Queryable } from '../db/database.ts'

/** How many people registered with this user's code: the figure 'Friends referred'. */
export async function countFriendsReferred(database: Queryable, userId: string): Promise<number> {
  const { count } = await database
    .selectFrom('referrals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('referrer_user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
