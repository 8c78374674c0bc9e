import { setTimeout as delay } from 'node:timers/promises'
import { openRetryingClient, signUp } from './retrying-client.ts'
import type { RetryingClient } from './retrying-client.ts'

/** What buyers did, as they and the payment gateway know it. */
export interface Purchases {
  /** Orders that were paid at the gateway. */
  paid: string[]
  /** Orders that the buyer left without paying. */
  unpaid: string[]
  retries: number
  /** What should not have happened to a buyer. */
  problems: string[]
}

export interface PurchaseOptions {
  url: () => string
  gatewayUrl: string
  signal: AbortSignal
  random: () => number
  pauseMs: number
}

/** So many of the orders are left unpaid. */
const unpaidShare = 0.2
/** After so many, the next one is somebody else's. */
const ordersPerBuyer = 15
/** Credits of a basic package. */
export const packageCredits = 100

/**
 * Buyers who order and pay one package after the other at the gateway, until `signal` aborts. Each
 * callback of theirs comes twice, as real ones do. What they did is added to `purchases`.
 */
export async function runPurchases(
  buyers: number,
  purchases: Purchases,
  options: PurchaseOptions,
): Promise<void> {
  const buyer = async () => {
    while (!options.signal.aborted) {
      const client = openRetryingClient(options.url)
      try {
        await buySome(client, options, purchases)
      } catch (error) {
        if (performance.now() < client.deadline) purchases.problems.push(String(error))
      } finally {
        purchases.retries += client.retries
      }
    }
  }
  await Promise.all(Array.from({ length: buyers }, buyer))
}

async function buySome(
  client: RetryingClient,
  options: PurchaseOptions,
  purchases: Purchases,
): Promise<void> {
  const authorization = `Bearer ${await signUp(client, `${crypto.randomUUID()}@faults.example`)}`
  for (let own = 0; own < ordersPerBuyer && !options.signal.aborted; own += 1) {
    const key = crypto.randomUUID()
    const { body } = await client.call('/api/orders', async () => ({
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ packageType: 'basic' }),
    }))
    const { orderId, nowpaymentsId } = body.data ?? {}
    if (orderId === undefined) throw new Error(`an order was refused: ${body.code ?? '?'}`)
    if (options.random() < unpaidShare) purchases.unpaid.push(orderId)
    else {
      await pay(options.gatewayUrl, nowpaymentsId ?? '')
      purchases.paid.push(orderId)
    }
    await delay(options.pauseMs)
  }
}

async function pay(gatewayUrl: string, invoiceId: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}/control/invoices/${invoiceId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'pay', duplicates: 1, stepDelayMs: 100 }),
  })
  if (!response.ok) throw new Error(`the gateway answered ${response.status}`)
}
