import type { Order } from '@starside/contract/orders.ts'
import { call, newIdempotencyKey } from '../api/call.ts'
import { loadPublicSettings } from '../api/public-settings.ts'

/**
 * Has the server create an order and its payment page. Throws 'Invalid package type: {type}' for
 * anything that is not on sale, and `ApiError`.
 */
export async function createOrder(packageType: string): Promise<Order> {
  const { packages } = await loadPublicSettings()
  if (!packages.some(({ type }) => type === packageType)) {
    throw new Error(`Invalid package type: ${packageType}`)
  }
  const { data } = await call('POST /api/orders', {
    body: { packageType },
    idempotencyKey: newIdempotencyKey(),
  })
  return data
}

/**
 * Opens an empty tab at once, as browsers allow it only straight from a click; the payment page
 * follows when its address is known. Null where the browser blocked it.
 */
export function openPaymentTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}
