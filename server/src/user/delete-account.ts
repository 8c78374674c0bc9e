import type { Context } from '../context.ts'
import { deleteObjects, findObjectKeys } from '../generation/delete-objects.ts'

/**
 * Deletes a person: account, sessions, pictures, photos and links, at once. The books stay, without
 * a name: their account loses its user. The rows go first, so that no link opens a picture any
 * more even when deleting its object fails; the sweep then finds it as an orphan.
 */
export async function deleteAccount(
  context: Pick<Context, 'database' | 'store'>,
  userId: string,
): Promise<void> {
  const generations = await context.database
    .selectFrom('generations')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  const keysOfEach: string[][] = []
  for (const row of generations) keysOfEach.push(await findObjectKeys(context.database, row))
  await context.database.deleteFrom('users').where('id', '=', userId).execute()
  for (const keys of keysOfEach) await deleteObjects(context, keys)
}
