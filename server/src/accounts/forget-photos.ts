import type { AccountParts } from './parts.ts'

/** Drops an account's photos on this node; a failure does no harm: they go in minutes anyway. */
export function forgetPhotos(
  { engine, uploads }: Pick<AccountParts, 'engine' | 'uploads'>,
  userId: string,
): void {
  uploads.forget(userId)
  engine.forgetPhotos({ account: userId }).catch(() => {})
}
