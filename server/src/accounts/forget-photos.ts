import type { AccountParts } from './parts.ts'

/**
 * Has this node's engine drop what it keeps of an account's photos. It is gone within minutes anyway, on
 * other nodes too, so nobody waits for it, and a failure does no harm.
 */
export function forgetPhotos({ engine }: Pick<AccountParts, 'engine'>, userId: string): void {
  engine.forgetPhotos({ account: userId }).catch(() => {})
}
