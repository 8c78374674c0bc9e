import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readProcessConfig } from './config.ts'

test('the file .env fills in what the environment leaves out, and tests see none of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-config-'))
  try {
    await writeFile(join(folder, '.env'), 'PORT=4000\nHOST="0.0.0.0" # all\n')
    const config = readProcessConfig({ NODE_ENV: 'development', PORT: '5000' }, folder)
    expect([config.port, config.listenAddress]).toEqual([5000, '0.0.0.0'])
    const empty = join(folder, 'nowhere')
    expect(readProcessConfig({ NODE_ENV: 'development' }, empty).port).toBe(3000)
    expect(readProcessConfig({ NODE_ENV: 'test' }, folder).listenAddress).toBe('127.0.0.1')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('all wrong settings are reported at once', () => {
  expect(() => readConfig({ PORT: 'many', ROLE: 'king', ORDERS_PER_HOUR: '0' })).toThrow(
    /PORT[^]*ROLE[^]*ORDERS_PER_HOUR/,
  )
})

test('each variable is the setting that its name says, in the unit that the program counts in', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    PORT: '3011',
    HOST: '10.0.0.1',
    PUBLIC_URL: 'https://selfie.example/',
    DATA_DIR: '/srv/data',
    DATABASE_URL: 'postgres://one/starside',
    DATABASE_DIRECT_URL: 'postgresql://two/starside',
    DATABASE_CONNECTIONS_MAX: '12',
    ROLE: 'worker',
    STOP_DELAY_SECONDS: '13',
    STOP_TIMEOUT_SECONDS: '14',
    METRICS_PORT: '9100',
    METRICS_HOST: '10.0.0.2',
    SIGNING_SECRET: 's'.repeat(32),
    DIGEST_SECRET: 'd'.repeat(32),
    MARK_SECRET: 'm'.repeat(32),
    HEADERS_TIMEOUT_SECONDS: '15',
    REQUEST_TIMEOUT_SECONDS: '16',
    GENERATIONS_AT_ONCE: '17',
    ENGINE_NICENESS: '18',
    LAYERS_MINUTES: '19',
    SIGN_IN_FAILURES_MAX: '20',
    REGISTRATIONS_PER_ADDRESS_PER_DAY: '21',
    REFERRAL_BONUS_CREDITS: '22',
    REFERRALS_PER_REFERRER_MAX: '23',
    REFERRALS_PER_ADDRESS_PER_DAY: '24',
    REFERRALS_PER_DEVICE_MAX: '25',
    REFERRAL_BONUS_AFTER_CONFIRMATION: 'true',
    DISPOSABLE_MAIL_FILE: '/srv/disposable.txt',
    SIGN_IN_ALERTS: 'off',
    FORBIDDEN_WORDS_FILE: '/srv/words.txt',
    C2PA_CERTIFICATE_FILE: '/srv/certificate.pem',
    C2PA_KEY_FILE: '/srv/key.pem',
    C2PA_TIME_STAMP_URL: 'https://stamp.example/',
    AI_LABEL: 'icon',
    ADMIN_PASSWORD_HASH: '$argon2id$hash',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'us@mail.example',
    CONTACT_EMAIL: 'help@mail.example',
    SOCIAL_URL: 'https://social.example',
    COMMUNITY_URL: 'https://chat.example',
    PAYMENT_PROVIDER: 'sandbox',
  })
  expect(config).toMatchObject({
    environment: 'production',
    port: 3011,
    listenAddress: '10.0.0.1',
    publicUrl: 'https://selfie.example',
    publicHost: 'selfie.example',
    dataFolder: '/srv/data',
    databaseUrl: 'postgres://one/starside',
    databaseDirectUrl: 'postgresql://two/starside',
    databaseConnectionsMax: 12,
    role: 'worker',
    stopDelayMs: 13_000,
    stopTimeoutMs: 14_000,
    metrics: { port: 9100, host: '10.0.0.2' },
    logLevel: 'info',
    secrets: {
      signingSecret: 's'.repeat(32),
      digestSecret: 'd'.repeat(32),
      markSecret: 'm'.repeat(32),
    },
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 16_000,
    generationsAtOnce: 17,
    engineNiceness: 18,
    layersMinutes: 19,
    signInFailuresMax: 20,
    registrationsPerAddressPerDay: 21,
    referrals: {
      bonusCredits: 22,
      perReferrerMax: 23,
      perAddressPerDayMax: 24,
      perDeviceMax: 25,
      afterConfirmation: true,
    },
    disposableMailFile: '/srv/disposable.txt',
    signInAlerts: false,
    safety: {
      forbiddenWordsFile: '/srv/words.txt',
      c2pa: { certificateFile: '/srv/certificate.pem', keyFile: '/srv/key.pem' },
      timeStampUrl: 'https://stamp.example/',
    },
    aiLabel: 'icon',
    adminPasswordHash: '$argon2id$hash',
    smtpUrl: 'smtp://mail.example',
    siteFallbacks: {
      publicHost: 'selfie.example',
      contactEmail: 'help@mail.example',
      socialUrl: 'https://social.example',
      communityUrl: 'https://chat.example',
      mailFrom: 'us@mail.example',
    },
  })
})

test('without any setting the program is for one person at home', () => {
  const config = readConfig({ PORT: '4000' })
  expect(config).toMatchObject({
    environment: 'development',
    publicUrl: 'http://localhost:4000',
    logLevel: 'warn',
    role: 'all',
    trustProxy: false,
    referrals: { afterConfirmation: false },
    signInAlerts: true,
    siteFallbacks: {
      contactEmail: 'hello@localhost',
      socialUrl: 'https://x.com',
      communityUrl: 'https://discord.com',
    },
  })
  expect(config.dataFolder).toMatch(/[\\/]data$/)
  const unset = [config.databaseUrl, config.metrics, config.tracing, config.s3, config.safety.c2pa]
  expect(unset).toEqual(unset.map(() => undefined))
})

test('each limited call has its own count and its own window, ten times as many for an address', () => {
  const names = {
    generate: 'GENERATIONS_PER_HOUR',
    inspect: 'INSPECTIONS_PER_HOUR',
    adjust: 'ADJUSTMENTS_PER_HOUR',
    preview: 'PREVIEWS_PER_HOUR',
    'consume-credits': 'CREDIT_CALLS_PER_MINUTE',
    order: 'ORDERS_PER_HOUR',
    share: 'SHARES_PER_HOUR',
    export: 'EXPORTS_PER_HOUR',
    join: 'JOINS_PER_HOUR',
    verify: 'VERIFICATIONS_PER_HOUR',
    report: 'REPORTS_PER_DAY',
  }
  const counts = Object.values(names).map((name, index) => [name, String(101 + index)])
  const { limits } = readConfig(Object.fromEntries(counts))
  const perAccount = (count: number, windowSeconds = 3_600) => ({
    perAccount: count,
    perAddress: 10 * count,
    windowSeconds,
  })
  expect(limits).toEqual({
    generate: perAccount(101),
    inspect: perAccount(102),
    adjust: perAccount(103),
    preview: perAccount(104),
    'consume-credits': perAccount(105, 60),
    order: perAccount(106),
    share: perAccount(107),
    export: perAccount(108),
    confirmation: perAccount(5),
    join: perAccount(109),
    verify: { perAccount: undefined, perAddress: 110, windowSeconds: 3_600 },
    report: { perAccount: undefined, perAddress: 111, windowSeconds: 86_400 },
  })
  expect(readConfig({ RATE_LIMITS: 'off' }).limits).toBeUndefined()
})

test.each([
  ['false', false],
  ['0', false],
  ['true', 1],
  ['3', 3],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s trusts %j', (text, trusted) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trusted)
})

test.each([
  [{ TRUST_PROXY: '10.0.0.0/8, proxy' }, /TRUST_PROXY must be .*it is '10\.0\.0\.0\/8, proxy'/],
  [{ PUBLIC_URL: 'https://selfie.example/app' }, /PUBLIC_URL must be .*selfie\.example\/app'/],
  [{ PUBLIC_URL: 'https://selfie.example/?a' }, /PUBLIC_URL must be/],
  [{ PUBLIC_URL: 'ftp://selfie.example' }, /PUBLIC_URL must be/],
  [{ PUBLIC_URL: 'selfie' }, /PUBLIC_URL must be/],
  [{ ADMIN_PASSWORD_HASH: 'secret' }, /^ADMIN_PASSWORD_HASH must be (?!.*secret)/],
  [{ DATABASE_URL: 'mysql://secret@one' }, /^DATABASE_URL must be an address (?!.*secret)/],
  [{ DATABASE_DIRECT_URL: 'secret' }, /^DATABASE_DIRECT_URL must be an address (?!.*secret)/],
  [{ C2PA_KEY_FILE: 'key.pem' }, /C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE are set together/],
  [{ C2PA_CERTIFICATE_FILE: 'c.pem' }, /C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE/],
])(
  '%j is refused in a sentence that tells no secret',
  (settings: Record<string, string>, words) => {
    expect(() => readConfig(settings)).toThrow(words)
  },
)

const s3 = {
  S3_ENDPOINT: 'https://s3.example//',
  S3_BUCKET: 'selfies',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'hidden',
}

test('store, traces and the judge of pictures are set up by their variables together', () => {
  const config = readConfig({
    ...s3,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, other = 50%,',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    MODERATION_CLASSIFIER: 'nsfwjs',
    MODERATION_PORN_FROM: '0.5',
    MODERATION_HENTAI_FROM: '0.6',
    MODERATION_SEXY_FROM: '0.7',
  })
  expect(config.s3).toEqual({
    endpoint: 'https://s3.example',
    bucket: 'selfies',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'hidden',
  })
  expect(readConfig({ ...s3, S3_REGION: 'eu-1' }).s3?.region).toBe('eu-1')
  expect(config.tracing).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: { 'api-key': 'a b', other: '50%' },
    serviceName: 'starside',
    sampledShare: 0.25,
  })
  expect(config.safety.classifier).toEqual({
    module: 'nsfwjs',
    thresholds: { porn: 0.5, hentai: 0.6, sexy: 0.7 },
  })
  expect(readConfig({ MODERATION_CLASSIFIER: ' ' }).safety.classifier).toEqual({
    module: undefined,
    thresholds: { porn: 0.9, hentai: 0.9 },
  })
})

test.each<[Record<string, string>, RegExp]>([
  ...Object.keys(s3).map((name): [Record<string, string>, RegExp] => [
    { ...s3, [name]: ' ' },
    /must be set together$/,
  ]),
  [{ ...s3, S3_ENDPOINT: 's3.example' }, /^S3_ENDPOINT must be an http or https address$/],
  [{ ...s3, S3_BUCKET: 'a/b' }, /^S3_BUCKET must be the name of a bucket, without a path$/],
  [{ ...s3, S3_BUCKET: 'ab' }, /^S3_BUCKET must be/],
])('half a store is refused: %j', (settings, words) => {
  expect(() => readConfig(settings)).toThrow(words)
  expect(() => readConfig(settings)).not.toThrow('hidden')
})
