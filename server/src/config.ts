import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { readImageSettings } from './selfies/providers/image-settings.ts'
import { readLimits, environmentSchema } from './settings/environment-schema.ts'
import { readPaymentSettings } from './payments/payment-modules.ts'
import { readClassifierSettings } from './moderation/classifier-settings.ts'
import type { Environment } from './settings/environment-schema.ts'
import { SettingsError } from './platform/settings/settings-error.ts'
import { readS3Settings } from './platform/storage/s3-settings.ts'
import { readTracingSettings } from './platform/tracing/tracing-settings.ts'

const projectFolder = fileURLToPath(new URL('../../', import.meta.url))

/** Checks the environment; throws one error that names every wrong variable at once. */
export function readConfig(environment: Record<string, string | undefined>) {
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
    /** Each variable as it was read, secrets too; what follows is made of them. */
    settings: env,
    /** Where settings can be written down. */
    settingsFile: join(projectFolder, '.env'),
    environment: env.NODE_ENV,
    port: env.PORT,
    /** Address to listen on. */
    listenAddress: env.HOST,
    /** Where people reach the app, without a slash at the end. */
    publicUrl,
    /** Host name of `publicUrl`: also the text of the watermark. */
    publicHost,
    dataFolder: resolve(projectFolder, env.DATA_DIR ?? 'data'),
    /** Undefined: the embedded PostgreSQL in the data folder. */
    databaseUrl: readDatabaseUrl('DATABASE_URL', env.DATABASE_URL),
    /** Past a pooler, for what needs one session; undefined: `databaseUrl`. */
    databaseDirectUrl: readDatabaseUrl('DATABASE_DIRECT_URL', env.DATABASE_DIRECT_URL),
    databaseConnectionsMax: env.DATABASE_CONNECTIONS_MAX,
    /** Undefined: objects lie in the data folder. */
    s3: readS3Settings(env),
    /** argon2id of the password of the admin page; undefined: operators' tokens alone open it. */
    adminPasswordHash: readPasswordHash(env.ADMIN_PASSWORD_HASH),
    role: env.ROLE,
    /** Where `GET /metrics` listens; undefined: nowhere. */
    metrics:
      env.METRICS_PORT === undefined
        ? undefined
        : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** Where traces are sent; undefined: nothing is traced. */
    tracing: readTracingSettings(env),
    /** How long the program still takes requests after it was asked to stop. */
    stopDelayMs: env.STOP_DELAY_SECONDS * 1_000,
    /** How long running jobs may then take before they go back to the queue. */
    stopTimeoutMs: env.STOP_TIMEOUT_SECONDS * 1_000,
    // In production the log is for machines; at home the terminal is for a person.
    logLevel:
      env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? ('info' as const) : ('warn' as const)),
    secrets: {
      signingSecret: env.SIGNING_SECRET,
      digestSecret: env.DIGEST_SECRET,
      markSecret: env.MARK_SECRET,
    },
    /** Reverse proxies in front, by count or address; of X-Forwarded-For only theirs counts. */
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    /** A client gets this long for its request's headers, and for all of it. */
    headersTimeoutMs: env.HEADERS_TIMEOUT_SECONDS * 1000,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    generationsAtOnce: env.GENERATIONS_AT_ONCE,
    engineNiceness: env.ENGINE_NICENESS,
    /** How long a picture can be adjusted; 0: not at all. */
    layersMinutes: env.LAYERS_MINUTES,
    signInFailuresMax: env.SIGN_IN_FAILURES_MAX,
    registrationsPerAddressPerDay: env.REGISTRATIONS_PER_ADDRESS_PER_DAY,
    /** Undefined: switched off. */
    limits: readLimits(env),
    referrals: {
      bonusCredits: env.REFERRAL_BONUS_CREDITS,
      perReferrerMax: env.REFERRALS_PER_REFERRER_MAX,
      perAddressPerDayMax: env.REFERRALS_PER_ADDRESS_PER_DAY,
      perDeviceMax: env.REFERRALS_PER_DEVICE_MAX,
      afterConfirmation: env.REFERRAL_BONUS_AFTER_CONFIRMATION === 'true',
    },
    /** A file of mail domains, one a line, that nobody may register with. */
    disposableMailFile: env.DISPOSABLE_MAIL_FILE,
    signInAlerts: env.SIGN_IN_ALERTS === 'on',
    safety: readSafety(env),
    /** What pictures visibly say of how they were made. */
    aiLabel: env.AI_LABEL,
    images: readImageSettings(env, publicUrl),
    payments: readPaymentSettings(env, { isProduction: env.NODE_ENV === 'production' }),
    smtpUrl: env.SMTP_URL,
    /** What the site settings are while nobody has set them. */
    siteFallbacks: {
      publicHost,
      contactEmail: env.CONTACT_EMAIL ?? `hello@${publicHost}`,
      socialUrl: env.SOCIAL_URL ?? 'https://x.com',
      communityUrl: env.COMMUNITY_URL ?? 'https://discord.com',
      mailFrom: env.MAIL_FROM,
    },
  }
}

/** Every setting, read once and checked. This is the only file that reads the environment. */
export type Config = ReturnType<typeof readConfig>

/** `true` means one proxy; a number counts them; anything else lists their addresses or blocks. */
function readTrustProxy(text: string): false | number | string[] {
  if (text === 'false' || text === '0') return false
  if (text === 'true') return 1
  if (/^\d+$/.test(text)) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  const wrong = addresses.find((address) => !/^[\da-f.:]+(?:\/\d{1,3})?$/i.test(address))
  if (wrong === undefined) return addresses
  throw new SettingsError(
    `TRUST_PROXY must be false, the number of proxies in front, or their addresses such as 10.0.0.0/8; it is '${text}'`,
  )
}

function readSafety(env: Environment) {
  const { C2PA_CERTIFICATE_FILE: certificateFile, C2PA_KEY_FILE: keyFile } = env
  const hasBoth = certificateFile !== undefined && keyFile !== undefined
  if (!hasBoth && certificateFile !== keyFile) {
    throw new SettingsError(
      'C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE are set together or not at all.',
    )
  }
  return {
    /** A file of words, one a line, refused in prompts beside the shipped ones. */
    forbiddenWordsFile: env.FORBIDDEN_WORDS_FILE,
    /** Who judges pictures; see docs/trust.md. */
    classifier: readClassifierSettings(env),
    /** PEM files that pictures are signed with (C2PA); undefined: by a certificate of our own. */
    c2pa: hasBoth ? { certificateFile, keyFile } : undefined,
    /** A time-stamping authority (RFC 3161) that is asked for each signature; undefined: none. */
    timeStampUrl: env.C2PA_TIME_STAMP_URL,
  }
}

function readPasswordHash(text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith('$argon2id$')) return text
  throw new SettingsError(
    'ADMIN_PASSWORD_HASH must be what `npm run admin -- operator password-hash` prints',
  )
}

function readPublicUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search) {
    throw new SettingsError(
      `PUBLIC_URL must be an http or https address without a path, such as https://selfie.example; it is '${text}'`,
    )
  }
  return url.origin
}

/** The address itself is not told: it holds a password. */
function readDatabaseUrl(variable: string, text: string | undefined): string | undefined {
  if (text === undefined || /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new SettingsError(
    `${variable} must be an address such as postgres://user:password@localhost:5432/starside`,
  )
}

/** The program's settings: of the environment, else of the project's `.env`, which tests ignore. */
export function readProcessConfig(environment = process.env, folder = projectFolder): Config {
  const file = join(folder, '.env')
  const hasFile = environment['NODE_ENV'] !== 'test' && existsSync(file)
  return readConfig({ ...(hasFile ? parseEnv(readFileSync(file, 'utf8')) : {}), ...environment })
}
