/** The states of an order (specification, section 4), for server and browser alike. */
export const orderStatuses = [
  'initiated',
  'pending',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Of an order that waits for its payment. */
const openStatuses: readonly string[] = ['initiated', 'pending', 'processing']

/** Whether an order of this status, which may be one of a newer server, waits for its payment. */
export function isOpen(status: string): boolean {
  return openStatuses.includes(status)
}

/** True where nothing more is expected; a status that this version does not know may still change. */
export function isFinal(status: string): boolean {
  return !isOpen(status) && orderStatuses.some((known) => known === status)
}
