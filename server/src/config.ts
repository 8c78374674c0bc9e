import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { paymentVariables, readPaymentSettings } from './orders/payment-settings.ts'
import type { PaymentSettings } from './orders/payment-settings.ts'
import { SettingsError } from './settings-error.ts'

/** Every setting, read once and checked. This is the only file that reads the environment. */
export interface Config {
  environment: 'development' | 'production' | 'test'
  port: number
  /** Address to listen on. */
  listenAddress: string
  /** Where people reach the app, without a slash at the end. */
  publicUrl: string
  /** Host name of `publicUrl`: also the text of the watermark. */
  publicHost: string
  dataFolder: string
  /** Undefined: the embedded PostgreSQL in the data folder. */
  databaseUrl: string | undefined
  databaseConnectionsMax: number
  role: 'api' | 'worker' | 'all'
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Key of signed picture addresses; undefined: made once and kept in the data folder. */
  signingSecret: string | undefined
  /** True behind a reverse proxy that sets X-Forwarded-For. */
  trustProxy: boolean
  generationsAtOnce: number
  signInFailuresMax: number
  registrationsPerAddressPerDay: number
  requestsPerMinute: number
  referralBonusCredits: number
  referralsPerReferrerMax: number
  referralsPerAddressPerDay: number
  payments: PaymentSettings
  smtpUrl: string | undefined
  mailFrom: string
  contactEmail: string
  socialUrl: string
  communityUrl: string
}

const optional = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional()

const wholeNumber = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** Name, type, limits and default of every variable; `docs/operations.md` lists them. */
const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: optional,
  DATA_DIR: optional,
  DATABASE_URL: optional,
  DATABASE_CONNECTIONS_MAX: wholeNumber(16, 2, 200),
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
  SIGNING_SECRET: z.string().min(32).optional(),
  TRUST_PROXY: z.enum(['true', 'false']).default('false'),
  GENERATIONS_AT_ONCE: wholeNumber(2, 1, 64),
  SIGN_IN_FAILURES_MAX: wholeNumber(10, 1, 1000),
  REGISTRATIONS_PER_ADDRESS_PER_DAY: wholeNumber(30, 1, 1_000_000),
  REQUESTS_PER_MINUTE: wholeNumber(600, 10, 1_000_000),
  REFERRAL_BONUS_CREDITS: wholeNumber(2, 0, 100),
  REFERRALS_PER_REFERRER_MAX: wholeNumber(100, 0, 1_000_000),
  REFERRALS_PER_ADDRESS_PER_DAY: wholeNumber(3, 0, 1_000_000),
  ...paymentVariables,
  SMTP_URL: optional,
  MAIL_FROM: optional,
  CONTACT_EMAIL: optional,
  SOCIAL_URL: optional,
  COMMUNITY_URL: optional,
})

const projectFolder = fileURLToPath(new URL('../../', import.meta.url))

/** Checks the environment; throws one error that names every wrong variable at once. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(environment)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.')}: ${issue.message}`,
    )
    throw new SettingsError(`These settings are wrong:\n${problems.join('\n')}`)
  }
  const env = parsed.data
  const publicUrl = readPublicUrl(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`)
  const publicHost = new URL(publicUrl).hostname
  return {
    environment: env.NODE_ENV,
    port: env.PORT,
    listenAddress: env.HOST,
    publicUrl,
    publicHost,
    dataFolder: resolve(projectFolder, env.DATA_DIR ?? 'data'),
    databaseUrl: env.DATABASE_URL,
    databaseConnectionsMax: env.DATABASE_CONNECTIONS_MAX,
    role: env.ROLE,
    // In production the log is for machines; at home the terminal is for a person.
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    signingSecret: env.SIGNING_SECRET,
    trustProxy: env.TRUST_PROXY === 'true',
    generationsAtOnce: env.GENERATIONS_AT_ONCE,
    signInFailuresMax: env.SIGN_IN_FAILURES_MAX,
    registrationsPerAddressPerDay: env.REGISTRATIONS_PER_ADDRESS_PER_DAY,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    referralBonusCredits: env.REFERRAL_BONUS_CREDITS,
    referralsPerReferrerMax: env.REFERRALS_PER_REFERRER_MAX,
    referralsPerAddressPerDay: env.REFERRALS_PER_ADDRESS_PER_DAY,
    payments: readPaymentSettings(env, {
      isProduction: env.NODE_ENV === 'production',
      port: env.PORT,
    }),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `Starside <no-reply@${new URL(publicUrl).hostname}>`,
    contactEmail: env.CONTACT_EMAIL ?? `hello@${new URL(publicUrl).hostname}`,
    socialUrl: env.SOCIAL_URL ?? 'https://x.com',
    communityUrl: env.COMMUNITY_URL ?? 'https://discord.com',
  }
}

function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search) {
    throw new SettingsError(
      `PUBLIC_URL must be an http or https address without a path, such as https://selfie.example; it is '${text}'`,
    )
  }
  return url.origin
}

/** The running program's own settings. */
export function readProcessConfig(): Config {
  return readConfig(process.env)
}
