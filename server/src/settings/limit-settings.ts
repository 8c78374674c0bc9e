import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import { z } from 'zod'
import type { RateLimit } from '../platform/http/rate-limits.ts'

/** Many people may stand behind one address: a school, a mobile network. */
const addressFactor = 10

const perWindow = (fallback: number) =>
  z.coerce.number().int().min(1).max(10_000_000).default(fallback)

/** The settings of the limits; each is per account, or per address where nobody signs in. */
export const limitVariables = {
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  GENERATIONS_PER_HOUR: perWindow(120),
  INSPECTIONS_PER_HOUR: perWindow(600),
  ADJUSTMENTS_PER_HOUR: perWindow(240),
  PREVIEWS_PER_HOUR: perWindow(3_000),
  CREDIT_CALLS_PER_MINUTE: perWindow(3_000),
  ORDERS_PER_HOUR: perWindow(20),
  SHARES_PER_HOUR: perWindow(300),
  EXPORTS_PER_HOUR: perWindow(30),
  VERIFICATIONS_PER_HOUR: perWindow(120),
  REPORTS_PER_DAY: perWindow(20),
}

type LimitSettings = {
  [Name in keyof typeof limitVariables]: z.output<(typeof limitVariables)[Name]>
}

/** The limits as the settings say; undefined when they are switched off, as for measurements. */
export function readLimits(settings: LimitSettings): Record<LimitedCall, RateLimit> | undefined {
  if (settings.RATE_LIMITS === 'off') return undefined
  const minute = 60
  const hour = 60 * minute
  return {
    generate: perAccount(settings.GENERATIONS_PER_HOUR, hour),
    inspect: perAccount(settings.INSPECTIONS_PER_HOUR, hour),
    adjust: perAccount(settings.ADJUSTMENTS_PER_HOUR, hour),
    preview: perAccount(settings.PREVIEWS_PER_HOUR, hour),
    'consume-credits': perAccount(settings.CREDIT_CALLS_PER_MINUTE, minute),
    order: perAccount(settings.ORDERS_PER_HOUR, hour),
    share: perAccount(settings.SHARES_PER_HOUR, hour),
    export: perAccount(settings.EXPORTS_PER_HOUR, hour),
    confirmation: perAccount(5, hour),
    verify: perAddress(settings.VERIFICATIONS_PER_HOUR, hour),
    report: perAddress(settings.REPORTS_PER_DAY, 24 * hour),
  }
}

function perAccount(count: number, windowSeconds: number): RateLimit {
  return { perAccount: count, perAddress: count * addressFactor, windowSeconds }
}

function perAddress(count: number, windowSeconds: number): RateLimit {
  return { perAccount: undefined, perAddress: count, windowSeconds }
}
