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
