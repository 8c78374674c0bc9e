import { hostedErrorKinds, hostedErrorRules } from '@starside/engine/hosted/hosted-error.ts'
import type { HostedErrorKind } from '@starside/engine/hosted/hosted-error.ts'
import { falQueueUrl } from '@starside/engine/fal/fal-provider.ts'
import { falKeySetUrl } from '@starside/engine/fal/fal-webhook.ts'
import { z } from 'zod'
import { SettingsError } from '../../settings-error.ts'

/** One maker of the chain. */
export interface ChainStep {
  provider: 'fal' | 'openai' | 'compositor'
  /** Empty for the compositor, which names its own. */
  model: string
  /** As in the settings: `fal:fal-ai/nano-banana/edit`. */
  name: string
}

/** What the environment says about the makers of pictures. */
export interface ImageSettings {
  /** Asked one after the other until one has made the picture; never empty. */
  chain: readonly ChainStep[]
  /** After which failures the next maker is asked. */
  failsOverOn: readonly HostedErrorKind[]
  /** How long one maker may take from the order to the picture. */
  attemptTimeoutMs: number
  /** How long an order may wait for its turn. */
  turnTimeoutMs: number
  /** How long a webhook is waited for when the answer to an order was lost. */
  submitUnknownMs: number
  pollIntervalMs: number
  /** Orders under way at one maker at the same time, over all nodes. */
  atOnceMax: number
  /** Millionths of a US dollar for a day (UTC), over all makers. */
  dailySpendMaxMicroUsd: number | undefined
  /** Orders of one person that were given up and that the vendor may still be working on. */
  unfinishedPerUserMax: number
  /** Failures in a row that open a maker's circuit, and for how long. */
  circuitFailuresMax: number
  circuitOpenMs: number
  /** Millionths of a US dollar for one picture, by the maker's name. */
  prices: Readonly<Record<string, number>>
  /** Where vendors reach us, without a slash at the end; undefined: they are only polled. */
  webhookBaseUrl: string | undefined
  fal: { apiKey: string; queueUrl: string; keySetUrl: string } | undefined
  openai:
    | {
        baseUrl: string
        apiKey: string | undefined
        extraFields: Record<string, string | number | boolean>
      }
    | undefined
}

const optional = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional()

const optionalUrl = optional.refine(
  (text) => text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  'must be an http or https address',
)

const wholeNumber = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

const defaultFailover = hostedErrorKinds.filter((kind) => hostedErrorRules[kind].failsOver)

/** The variables about image models; part of the environment's schema. */
export const imageVariables = {
  IMAGE_PROVIDERS: z.string().default('compositor'),
  IMAGE_FAILOVER_ON: z.string().default(defaultFailover.join(',')),
  IMAGE_TIMEOUT_SECONDS: wholeNumber(180, 1, 600),
  IMAGE_TURN_TIMEOUT_SECONDS: wholeNumber(900, 1, 3600),
  IMAGE_POLL_INTERVAL_MS: wholeNumber(2_000, 20, 60_000),
  IMAGE_AT_ONCE: wholeNumber(4, 1, 1_000),
  IMAGE_DAILY_SPEND_MAX_USD: z.coerce.number().min(0).max(1_000_000).optional(),
  IMAGE_UNFINISHED_PER_USER: wholeNumber(2, 1, 100),
  IMAGE_CIRCUIT_FAILURES: wholeNumber(5, 1, 1_000),
  IMAGE_CIRCUIT_OPEN_SECONDS: wholeNumber(60, 1, 3600),
  IMAGE_PRICES_USD: optional,
  IMAGE_WEBHOOK_URL: z.union([z.literal('none'), optionalUrl]).optional(),
  FAL_KEY: optional,
  FAL_QUEUE_URL: optionalUrl,
  FAL_KEY_SET_URL: optionalUrl,
  OPENAI_BASE_URL: optionalUrl,
  OPENAI_API_KEY: optional,
  OPENAI_EXTRA_JSON: optional,
}

type Variables = z.output<z.ZodObject<typeof imageVariables>>

/** Turns the variables into settings. Throws when a named maker is unknown or half set up. */
export function readImageSettings(env: Variables, publicUrl: string): ImageSettings {
  const chain = readChain(env.IMAGE_PROVIDERS)
  const uses = (provider: string) => chain.some((step) => step.provider === provider)
  const spendMax = env.IMAGE_DAILY_SPEND_MAX_USD
  return {
    chain,
    failsOverOn: readFailover(env.IMAGE_FAILOVER_ON),
    attemptTimeoutMs: env.IMAGE_TIMEOUT_SECONDS * 1000,
    turnTimeoutMs: env.IMAGE_TURN_TIMEOUT_SECONDS * 1000,
    submitUnknownMs: Math.min(60_000, env.IMAGE_TIMEOUT_SECONDS * 1000),
    pollIntervalMs: env.IMAGE_POLL_INTERVAL_MS,
    atOnceMax: env.IMAGE_AT_ONCE,
    dailySpendMaxMicroUsd: spendMax === undefined ? undefined : toMicroUsd(spendMax),
    unfinishedPerUserMax: env.IMAGE_UNFINISHED_PER_USER,
    circuitFailuresMax: env.IMAGE_CIRCUIT_FAILURES,
    circuitOpenMs: env.IMAGE_CIRCUIT_OPEN_SECONDS * 1000,
    prices: readPrices(env.IMAGE_PRICES_USD),
    webhookBaseUrl: readWebhookBase(env.IMAGE_WEBHOOK_URL, publicUrl),
    fal: uses('fal') ? readFal(env) : undefined,
    openai: uses('openai') ? readOpenai(env) : undefined,
  }
}

function readChain(text: string): ChainStep[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const steps = names.map((name): ChainStep => {
    const [, provider, model = ''] = /^(fal|openai|compositor)(?::(.+))?$/.exec(name) ?? []
    const isKnown = provider === 'compositor' ? model === '' : model !== ''
    if (provider === undefined || !isKnown) {
      throw new SettingsError(
        `IMAGE_PROVIDERS has '${name}'. Accepted are compositor, fal:MODEL and openai:MODEL, with commas between`,
      )
    }
    return { provider: provider as ChainStep['provider'], model, name }
  })
  if (steps.length === 0) throw new SettingsError('IMAGE_PROVIDERS names no maker of pictures')
  if (new Set(names).size < names.length) {
    throw new SettingsError('IMAGE_PROVIDERS names a maker twice, which could charge twice')
  }
  return steps
}

function readFailover(text: string): HostedErrorKind[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'none')
  return words.map((word) => {
    const kind = hostedErrorKinds.find((known) => known === word)
    if (kind !== undefined) return kind
    throw new SettingsError(
      `IMAGE_FAILOVER_ON has '${word}'. Accepted are ${hostedErrorKinds.join(', ')}, or none`,
    )
  })
}

function readFal(env: Variables): ImageSettings['fal'] {
  if (env.FAL_KEY === undefined) {
    throw new SettingsError('IMAGE_PROVIDERS names fal, but FAL_KEY is missing')
  }
  return {
    apiKey: env.FAL_KEY,
    queueUrl: trimSlash(env.FAL_QUEUE_URL) ?? falQueueUrl,
    keySetUrl: env.FAL_KEY_SET_URL ?? falKeySetUrl,
  }
}

function readOpenai(env: Variables): ImageSettings['openai'] {
  const baseUrl = trimSlash(env.OPENAI_BASE_URL)
  // A server of one's own may need no key, OpenAI's does.
  if (baseUrl === undefined && env.OPENAI_API_KEY === undefined) {
    throw new SettingsError(
      'IMAGE_PROVIDERS names openai: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server',
    )
  }
  return {
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    apiKey: env.OPENAI_API_KEY,
    extraFields: readJson(
      'OPENAI_EXTRA_JSON',
      env.OPENAI_EXTRA_JSON,
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    ),
  }
}

function readPrices(text: string | undefined): Record<string, number> {
  const prices = readJson('IMAGE_PRICES_USD', text, z.record(z.string(), z.number().min(0)))
  return Object.fromEntries(
    Object.entries(prices).map(([name, usd]) => [name, toMicroUsd(usd)] as const),
  )
}

function readJson<Value>(
  name: string,
  text: string | undefined,
  schema: z.ZodType<Record<string, Value>>,
): Record<string, Value> {
  if (text === undefined) return {}
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new SettingsError(`${name} must be a JSON object with plain values`)
  }
}

/** Vendors can't reach a name of this machine; there the orders are polled. */
function readWebhookBase(given: string | undefined, publicUrl: string): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) return trimSlash(given)
  return publicUrl.startsWith('https:') ? publicUrl : undefined
}

function toMicroUsd(usd: number): number {
  return Math.round(usd * 1_000_000)
}

function trimSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
