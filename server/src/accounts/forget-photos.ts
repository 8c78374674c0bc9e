import type { AccountParts } from './parts.ts'

/**
 * Has this node drop what it keeps of an account's photos. It is gone within minutes anyway, on
 * other nodes too, so nobody waits for it, and a failure does no harm.
 */
export function forgetPhotos(
  { engine, uploads }: Pick<AccountParts, 'engine' | 'uploads'>,
  userId: string,
): void {
  uploads.forget(userId)
  engine.forgetPhotos({ account: userId }).catch(() => {})
}
