import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { isThisMachine } from '../platform/http/network-address.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { PaymentSettings } from './payment-settings.ts'
import type { PaymentProvider } from './provider.ts'

const checkTimeoutMs = 30_000

/**
 * Start-up check: warns the operator when callbacks can't reach this installation, when a package
 * can't be paid in usual coins because its price lies under the provider's minimum, and when the
 * provider doesn't answer. Never throws.
 */
export async function warnAboutPayments(
  provider: PaymentProvider,
  config: { readonly publicUrl: string; readonly payments: PaymentSettings },
  { pricesCents, log }: { pricesCents: readonly number[]; log: Logger },
): Promise<void> {
  if (isTestMoney(provider.name)) return
  const callbackHost = new URL(config.payments.callbackBaseUrl ?? config.publicUrl).hostname
  if (isThisMachine(callbackHost)) {
    log.warn(
      {},
      `Payment callbacks can't reach '${callbackHost}': set PUBLIC_URL or PAYMENT_CALLBACK_URL to ` +
        'an address on the internet. Until then payments are found only by asking the provider.',
    )
  }
  try {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    for (const sentence of await provider.checkPrices([...pricesCents], signal))
      log.warn({}, sentence)
  } catch (error) {
    log.warn({ err: error }, 'the payment provider could not be asked for its minimum amounts')
  }
}
