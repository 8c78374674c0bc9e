import { keysOf } from '@starside/contract/keys-of.ts'
import { paymentProviders } from '@starside/contract/payment-providers.ts'
import { z } from 'zod'
import { tracingVariables } from '../platform/tracing/tracing-settings.ts'
import { classifierVariables } from '../moderation/classifier-settings.ts'
import { s3Variables } from '../platform/storage/s3-settings.ts'
import { imageVariables, acceptedProviders } from '../selfies/providers/image-settings.ts'
import { paymentVariables } from '../payments/payment-modules.ts'
import { optionalText, optionalUrl, wholeNumber } from '../platform/settings/fields.ts'
import settingTexts from './setting-texts.json' with { type: 'json' }
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { RateLimit } from '../platform/http/rate-limits.ts'

/** Many people may stand behind one address: a school, a mobile network. */
const addressFactor = 10

/** The limits as the settings say; undefined when they are switched off, as for measurements. */
export function readLimits(settings: Environment): Record<LimitedCall, RateLimit> | undefined {
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
    join: perAccount(settings.JOINS_PER_HOUR, hour),
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

/**
 * Name, type, limits and default of every variable; its purpose is in `setting-texts.json`. The
 * manual's table and `.env.example` are made of both by `node scripts/make-settings-table.ts`.
 */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: optionalText,
  DATA_DIR: optionalText,
  DATABASE_URL: optionalText,
  DATABASE_DIRECT_URL: optionalText,
  DATABASE_CONNECTIONS_MAX: wholeNumber(16, 2, 200),
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  STOP_DELAY_SECONDS: wholeNumber(0, 0, 300),
  STOP_TIMEOUT_SECONDS: wholeNumber(25, 1, 900),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  ...tracingVariables,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
  SIGNING_SECRET: z.string().min(32).optional(),
  DIGEST_SECRET: z.string().min(32).optional(),
  TRUST_PROXY: z.string().default('false'),
  HEADERS_TIMEOUT_SECONDS: wholeNumber(20, 1, 600),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(120, 1, 3_600),
  GENERATIONS_AT_ONCE: wholeNumber(2, 1, 64),
  ENGINE_NICENESS: wholeNumber(10, 0, 19),
  LAYERS_MINUTES: wholeNumber(30, 0, 1_440),
  SIGN_IN_FAILURES_MAX: wholeNumber(10, 1, 1000),
  REGISTRATIONS_PER_ADDRESS_PER_DAY: wholeNumber(30, 1, 1_000_000),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  GENERATIONS_PER_HOUR: wholeNumber(120, 1, 10_000_000),
  INSPECTIONS_PER_HOUR: wholeNumber(600, 1, 10_000_000),
  ADJUSTMENTS_PER_HOUR: wholeNumber(240, 1, 10_000_000),
  PREVIEWS_PER_HOUR: wholeNumber(3_000, 1, 10_000_000),
  CREDIT_CALLS_PER_MINUTE: wholeNumber(3_000, 1, 10_000_000),
  ORDERS_PER_HOUR: wholeNumber(20, 1, 10_000_000),
  SHARES_PER_HOUR: wholeNumber(300, 1, 10_000_000),
  EXPORTS_PER_HOUR: wholeNumber(30, 1, 10_000_000),
  JOINS_PER_HOUR: wholeNumber(24, 1, 10_000_000),
  VERIFICATIONS_PER_HOUR: wholeNumber(120, 1, 10_000_000),
  REPORTS_PER_DAY: wholeNumber(20, 1, 10_000_000),
  REFERRAL_BONUS_CREDITS: wholeNumber(2, 0, 100),
  REFERRALS_PER_REFERRER_MAX: wholeNumber(100, 0, 1_000_000),
  REFERRALS_PER_ADDRESS_PER_DAY: wholeNumber(3, 0, 1_000_000),
  REFERRALS_PER_DEVICE_MAX: wholeNumber(3, 0, 1_000_000),
  REFERRAL_BONUS_AFTER_CONFIRMATION: z.enum(['true', 'false']).default('false'),
  DISPOSABLE_MAIL_FILE: optionalText,
  SIGN_IN_ALERTS: z.enum(['on', 'off']).default('on'),
  FORBIDDEN_WORDS_FILE: optionalText,
  ...classifierVariables,
  MARK_SECRET: z.string().min(32).optional(),
  C2PA_CERTIFICATE_FILE: optionalText,
  C2PA_KEY_FILE: optionalText,
  C2PA_TIME_STAMP_URL: optionalUrl,
  AI_LABEL: z.enum(['off', 'icon', 'words']).default('off'),
  ADMIN_PASSWORD_HASH: optionalText,
  ...s3Variables,
  ...imageVariables,
  ...paymentVariables,
  SMTP_URL: optionalText,
  MAIL_FROM: optionalText,
  CONTACT_EMAIL: optionalText,
  SOCIAL_URL: optionalText,
  COMMUNITY_URL: optionalText,
})

export type Environment = z.output<typeof environmentSchema>

/** What a variable is for: a sentence of Markdown. */
export function describeSetting(name: keyof Environment): string {
  return settingTexts[name]
    .replace('{imageProviders}', inCode(acceptedProviders))
    .replace('{paymentProviders}', inCode(keysOf(paymentProviders)))
}

function inCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
