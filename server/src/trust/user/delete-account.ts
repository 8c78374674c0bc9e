import type { TrustParts } from '../parts.ts'
import { deleteRows, findRows } from '../../platform/db/rows.ts'
import { deleteObjects, findObjectKeys } from '../../selfies/delete-generation.ts'

/**
 * Deletes a person: account, sessions, pictures, photos and links, at once. The books stay, without
 * a name: their account loses its user. The rows go first, so that no link opens a picture any
 * more even when deleting its object fails; the sweep then finds it as an orphan.
 *
 * With the hash of a password that was given for it, false and nothing done when that is no longer the account's.
 */
export async function deleteAccount(
  context: Pick<TrustParts, 'database' | 'store'>,
  userId: string,
  { passwordHash }: { passwordHash?: string } = {},
): Promise<boolean> {
  const generations = await findRows(context.database, 'generations', { user_id: userId })
  const keysOfEach: string[][] = []
  for (const row of generations) keysOfEach.push(await findObjectKeys(context.database, row))
  const user = { id: userId, ...(passwordHash && { password_hash: passwordHash }) }
  if ((await deleteRows(context.database, 'users', user)) === 0) return false
  for (const keys of keysOfEach) await deleteObjects(context, keys)
  return true
}
