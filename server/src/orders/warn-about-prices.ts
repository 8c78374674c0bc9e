import { packages } from '@starside/contract/packages.ts'
import type { Logger } from '../http/logger.ts'
import type { PaymentProvider } from './provider.ts'

const checkTimeoutMs = 30_000

/**
 * Start-up check: tells the operator when a package can't be paid in usual coins because its price
 * lies under the provider's minimum, or when the provider doesn't answer. Never throws.
 */
export async function warnAboutPrices(provider: PaymentProvider, log: Logger): Promise<void> {
  if (provider.isTestMoney) return
  try {
    const prices = Object.values(packages).map(({ priceCents }) => priceCents)
    const signal = AbortSignal.timeout(checkTimeoutMs)
    for (const sentence of await provider.checkPrices(prices, signal)) log.warn({}, sentence)
  } catch (error) {
    log.warn({ err: error }, 'the payment provider could not be asked for its minimum amounts')
  }
}
