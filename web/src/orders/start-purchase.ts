import type { Order } from '@starside/contract/orders.ts'
import { packages, type PackageType } from '@starside/contract/packages.ts'
import { call, newIdempotencyKey } from '../api/call.ts'

/**
 * Has the server create an order and its payment page. Throws 'Invalid package type: {type}' for
 * anything that is not on sale, and `ApiError`.
 */
export async function createOrder(packageType: string): Promise<Order> {
  if (!isPackageType(packageType)) throw new Error(`Invalid package type: ${packageType}`)
  const { data } = await call('POST /api/orders', {
    body: { packageType },
    idempotencyKey: newIdempotencyKey(),
  })
  return data
}

function isPackageType(value: string): value is PackageType {
  return Object.hasOwn(packages, value)
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
