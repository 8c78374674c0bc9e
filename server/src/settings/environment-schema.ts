import { z } from 'zod'
import { tracingVariables } from '../platform/tracing/tracing-settings.ts'
import { limitVariables } from './limit-settings.ts'
import { classifierVariables } from '../moderation/classifier-settings.ts'
import { s3Variables } from '../platform/storage/s3-settings.ts'
import { imageVariables } from '../selfies/providers/image-settings.ts'
import { paymentVariables } from '../payments/payment-settings.ts'
import { optionalText, optionalUrl, wholeNumber } from '../platform/settings/fields.ts'

/**
 * Name, type, limits, default and purpose of every variable. The manual's table and `.env.example`
 * are made of it by `node scripts/make-settings-table.ts`.
 */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development').meta({
    description: '`production` logs for machines and takes no test money unless asked to.',
  }),
  PORT: wholeNumber(3000, 0, 65_535).meta({
    description:
      'Where the API listens; a worker answers its health calls there. 0 takes a free port.',
  }),
  HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on; `0.0.0.0` for all.' }),
  PUBLIC_URL: optionalText.meta({
    description:
      'Where people reach the app. Its host is also the watermark. By default `http://localhost:PORT`.',
  }),
  DATA_DIR: optionalText.meta({
    description:
      'Folder of the embedded database, the pictures and operators’ presets. By default `data` in the project.',
  }),
  DATABASE_URL: optionalText.meta({
    description: 'A PostgreSQL of 15 or newer. Without it, one runs in the data folder.',
  }),
  DATABASE_DIRECT_URL: optionalText.meta({
    description:
      'The same database past a pooler in transaction mode: for LISTEN and for migrations. By default DATABASE_URL.',
  }),
  DATABASE_CONNECTIONS_MAX: wholeNumber(16, 2, 200).meta({
    description:
      'Connections of this node’s pool; the queue takes up to 8 more, notifications one.',
  }),
  ROLE: z.enum(['api', 'worker', 'all']).default('all').meta({
    description:
      '`api` answers people, `worker` makes pictures and does the background work, `all` both.',
  }),
  STOP_DELAY_SECONDS: wholeNumber(0, 0, 300).meta({
    description:
      'How long an API node still takes requests after it was asked to stop, while `ready` answers 503. As long as the proxy needs to notice.',
  }),
  STOP_TIMEOUT_SECONDS: wholeNumber(25, 1, 900).meta({
    description: 'How long running jobs may then take before they go back to the queue.',
  }),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .meta({ description: 'Where `GET /metrics` listens; not set: nowhere.' }),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address of the metrics; never one that the public reaches.' }),
  ...tracingVariables,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional().meta({
    description:
      'By default `info` in production, else `warn`. `info` writes a line for each request and job.',
  }),
  SIGNING_SECRET: z.string().min(32).optional().meta({
    description:
      'Signs picture addresses; the same on all nodes. By default made once and kept in the data folder.',
  }),
  DIGEST_SECRET: z.string().min(32).optional().meta({
    description:
      'Key of the digests by which browsers, addresses and mailboxes are known again; the same on all nodes. By default `digest-secret` in the data folder, which at first follows from SIGNING_SECRET.',
  }),
  TRUST_PROXY: z.string().default('false').meta({
    description:
      '`true`, `false`, or the number of proxies in front, whose X-Forwarded-For is believed.',
  }),
  HEADERS_TIMEOUT_SECONDS: wholeNumber(20, 1, 600).meta({
    description: 'Slower clients are cut off.',
  }),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(120, 1, 3_600).meta({
    description: 'How long a request with its photos may take to arrive.',
  }),
  GENERATIONS_AT_ONCE: wholeNumber(2, 1, 64).meta({
    description: 'Pictures that a worker makes at the same time; about one for each core.',
  }),
  LAYERS_MINUTES: wholeNumber(30, 0, 1_440).meta({
    description:
      'How long the parts of a finished picture are kept, encrypted, so that it can be adjusted; 0: not at all, its variations stay.',
  }),
  SIGN_IN_FAILURES_MAX: wholeNumber(10, 1, 1000).meta({
    description:
      'Failed sign-ins of an account in 15 minutes. After five times as many of one network, its unknown browsers take a proof of work for each try.',
  }),
  REGISTRATIONS_PER_ADDRESS_PER_DAY: wholeNumber(30, 1, 1_000_000).meta({
    description:
      'New accounts from one network (an IPv4 address, an IPv6 /64); further ones take a proof of work in the browser.',
  }),
  ...limitVariables,
  REFERRAL_BONUS_CREDITS: wholeNumber(2, 0, 100).meta({
    description: 'What a referred person gets beside the signup credit.',
  }),
  REFERRALS_PER_REFERRER_MAX: wholeNumber(100, 0, 1_000_000).meta({
    description: 'Bonuses that one person’s code brings at most.',
  }),
  REFERRALS_PER_ADDRESS_PER_DAY: wholeNumber(3, 0, 1_000_000).meta({
    description: 'Bonuses of one address.',
  }),
  REFERRALS_PER_DEVICE_MAX: wholeNumber(3, 0, 1_000_000).meta({
    description: 'Bonuses of one browser.',
  }),
  REFERRAL_BONUS_AFTER_CONFIRMATION: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether the bonus waits for the confirmed e-mail.' }),
  DISPOSABLE_MAIL_FILE: optionalText.meta({
    description: 'A list of mail domains, one a line, that nobody may register with.',
  }),
  SIGN_IN_ALERTS: z
    .enum(['on', 'off'])
    .default('on')
    .meta({ description: 'Mails about sign-ins from new devices.' }),
  FORBIDDEN_WORDS_FILE: optionalText.meta({
    description: 'Words, one a line, that no prompt may hold, beside those that come along.',
  }),
  ...classifierVariables,
  MARK_SECRET: z.string().min(32).optional().meta({
    description:
      'Key of the invisible mark in pictures; the same on all nodes, and never changed without need. By default `mark-key` in the data folder, which at first follows from SIGNING_SECRET.',
  }),
  C2PA_CERTIFICATE_FILE: optionalText.meta({
    description:
      'Certificate chain (PEM) that pictures are signed with. By default one of your own is made, which readers call valid but not trusted.',
  }),
  C2PA_KEY_FILE: optionalText.meta({ description: 'Its private key (PEM).' }),
  C2PA_TIME_STAMP_URL: optionalUrl.meta({
    description: 'A time-stamping authority (RFC 3161), asked for each signature.',
  }),
  AI_LABEL: z.enum(['off', 'icon', 'words']).default('off').meta({
    description:
      'A visible label in every new picture, bought ones too: `icon` is the letters AI, `words` has words beside them.',
  }),
  ADMIN_PASSWORD_HASH: optionalText.meta({
    description: 'Password of `/admin`, as `npm run admin -- operator password-hash` prints it.',
  }),
  ...s3Variables,
  ...imageVariables,
  ...paymentVariables,
  SMTP_URL: optionalText.meta({
    description:
      'Mail server, `smtps://user:password@host`. Without it, mails are shown in the terminal; in production none is sent, and the start says what does not work.',
  }),
  MAIL_FROM: optionalText.meta({ description: 'Sender of mails.' }),
  CONTACT_EMAIL: optionalText.meta({ description: 'Shown to people.' }),
  SOCIAL_URL: optionalText.meta({ description: 'Shown to people.' }),
  COMMUNITY_URL: optionalText.meta({ description: 'Shown to people.' }),
})

/** The variables after their check. */
export type Environment = z.output<typeof environmentSchema>
