import type { Queryable } from '../../platform/db/database.ts'

/** Ends one session. Ending one that has ended is no error. */
export async function signOut(database: Queryable, sessionId: string): Promise<void> {
  await database.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** Ends one of the user's sessions by its id; false when they have no such session. */
export async function endSession(
  database: Queryable,
  options: { userId: string; sessionId: string },
): Promise<boolean> {
  const ended = await database
    .deleteFrom('sessions')
    .where('id', '=', options.sessionId)
    .where('user_id', '=', options.userId)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends every session of a user, on every device. */
export async function signOutEverywhere(database: Queryable, userId: string): Promise<void> {
  await database.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
