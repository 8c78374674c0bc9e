import { useSyncExternalStore } from 'react'
import { readOrders, subscribeOrders, type StoredOrder } from './order-store.ts'

const none: readonly StoredOrder[] = []

/** The orders that this browser remembers, kept current. */
export function useOrders(): readonly StoredOrder[] {
  return useSyncExternalStore(subscribeOrders, readOrders, () => none)
}
