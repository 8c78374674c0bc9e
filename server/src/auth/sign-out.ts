import type { Queryable } from '../db/database.ts'

/** Ends one session. Ending one that has ended is no error. */
export async function signOut(database: Queryable, sessionId: string): Promise<void> {
  await database.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** Ends every session of a user, on every device. */
export async function signOutEverywhere(database: Queryable, userId: string): Promise<void> {
  await database.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
