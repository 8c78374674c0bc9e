import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { hostedErrorKinds, hostedErrorRules } from '../../vendors/hosted-error.ts'
import type { HostedErrorKind } from '../../vendors/hosted-error.ts'
import {
  optionalText,
  optionalUrl,
  readJsonObject,
  trimSlash,
  wholeNumber,
} from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ConfiguredVendor } from '../../vendors/image-vendor.ts'
import { imageVendors, vendorVariables } from '../../vendors/image-vendors.ts'
import { openCatalogue, readOwnModels } from '../../vendors/models/model-catalogue.ts'
import type { ModelCatalogue } from '../../vendors/models/model-catalogue.ts'
import { vendorNames } from '../../vendors/vendor-names.ts'
import type { VendorName } from '../../vendors/vendor-names.ts'

/** What the environment says about the providers of pictures. */
export type ImageSettings = ReturnType<typeof readImageSettings>

/** As many as a database row has room for. */
export const picturesAtOnceMax = 4

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
  IMAGE_PICTURES: wholeNumber(1, 1, picturesAtOnceMax),
  IMAGE_UNFINISHED_PER_USER: wholeNumber(2, 1, 100),
  LIKENESS_CHECK: z.enum(['on', 'off']).default('on'),
  LIKENESS_REPEATS: wholeNumber(1, 0, 1),
  IMAGE_CIRCUIT_FAILURES: wholeNumber(5, 1, 1_000),
  IMAGE_CIRCUIT_OPEN_SECONDS: wholeNumber(60, 1, 3600),
  IMAGE_PRICES_USD: optionalText,
  IMAGE_MODELS_FILE: optionalText,
  IMAGE_WEBHOOK_URL: z.union([z.literal('none'), optionalUrl]).optional(),
  ...vendorVariables,
}

type Variables = z.output<z.ZodObject<typeof imageVariables>>

/** Turns the variables into settings. Throws when a named provider is unknown or half set up. */
export function readImageSettings(env: Variables, publicUrl: string) {
  const chain: readonly ChainStep[] = readChain(env.IMAGE_PROVIDERS)
  const models = readModels(env.IMAGE_MODELS_FILE)
  refuseUnverified(chain, models)
  const vendors: Partial<Record<VendorName, ConfiguredVendor>> = Object.fromEntries(
    vendorNames
      .filter((name) => chain.some(({ provider }) => provider === name))
      .map((name) => [name, imageVendors[name].configure(env)]),
  )
  const spendMax = env.IMAGE_DAILY_SPEND_MAX_USD
  return {
    /** Asked one after the other until one has made the picture; never empty. */
    chain,
    /** After which failures the next provider is asked. */
    failsOverOn: readFailover(env.IMAGE_FAILOVER_ON),
    /** How long one provider may take from the request to the picture. */
    attemptTimeoutMs: env.IMAGE_TIMEOUT_SECONDS * 1000,
    /** How long a request may wait for its slot. */
    slotTimeoutMs: env.IMAGE_TURN_TIMEOUT_SECONDS * 1000,
    /** How long a webhook is waited for when the answer to a request was lost. */
    submitUnknownMs: Math.min(60_000, env.IMAGE_TIMEOUT_SECONDS * 1000),
    pollIntervalMs: env.IMAGE_POLL_INTERVAL_MS,
    /** Requests under way at one provider at the same time, over all nodes. */
    atOnceMax: env.IMAGE_AT_ONCE,
    /** Millionths of a US dollar for a day (UTC), over all providers. */
    dailySpendMaxMicroUsd: spendMax === undefined ? undefined : toMicroUsd(spendMax),
    /** Requests of one person that were given up and that the vendor may still be working on. */
    unfinishedPerUserMax: env.IMAGE_UNFINISHED_PER_USER,
    /** Pictures of one request at most, each paid, where a model takes a count. */
    picturesMax: env.IMAGE_PICTURES,
    /** Whether the people of hosted pictures are compared with their photos. */
    likenessCheck: env.LIKENESS_CHECK === 'on',
    /** How often the same provider is asked again after a stranger's face. */
    likenessRepeatsMax: env.LIKENESS_REPEATS,
    /** Failures in a row that open a provider's circuit, and for how long. */
    circuitFailuresMax: env.IMAGE_CIRCUIT_FAILURES,
    circuitOpenMs: env.IMAGE_CIRCUIT_OPEN_SECONDS * 1000,
    /** Millionths of a US dollar for one picture, by the provider's name. */
    prices: readPrices(env.IMAGE_PRICES_USD),
    /** Where vendors reach us, without a slash at the end; undefined: they are only polled. */
    webhookBaseUrl: readWebhookBase(env.IMAGE_WEBHOOK_URL, publicUrl),
    models,
    /** The vendors that the chain names, with their settings. */
    vendors,
    /** A vendor with its settings; undefined where it isn't set up. */
    configureVendor: (name: VendorName) => vendors[name] ?? configureIfSet(name, env),
  }
}

function configureIfSet(name: VendorName, env: Variables): ConfiguredVendor | undefined {
  try {
    return imageVendors[name].configure(env)
  } catch (error) {
    if (error instanceof SettingsError) return undefined
    throw error
  }
}

function readFailover(text: string): readonly HostedErrorKind[] {
  const words = wordsOf(text).filter((word) => word !== 'none')
  return words.map((word) => {
    const kind = hostedErrorKinds.find((known) => known === word)
    if (kind !== undefined) return kind
    throw new SettingsError(
      `IMAGE_FAILOVER_ON has '${word}'. Accepted are ${hostedErrorKinds.join(', ')}, or none`,
    )
  })
}

/** The words of a list with commas between. */
function wordsOf(text: string): string[] {
  const words = text.split(',').map((word) => word.trim())
  return words.filter((word) => word !== '')
}

function readPrices(text: string | undefined): Readonly<Record<string, number>> {
  const prices = readJsonObject('IMAGE_PRICES_USD', text, z.number().min(0))
  return Object.fromEntries(
    Object.entries(prices).map(([name, usd]) => [name, toMicroUsd(usd)] as const),
  )
}

function readModels(file: string | undefined): ModelCatalogue {
  if (file === undefined) return openCatalogue()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new SettingsError(`IMAGE_MODELS_FILE ${file} can’t be read`)
  }
  const { cards, faults } = readOwnModels(text)
  if (faults.length === 0) return openCatalogue(cards)
  throw new SettingsError([`IMAGE_MODELS_FILE ${file}:`, ...faults].join('\n  '))
}

/** Vendors can't reach a name of this machine; there they are polled. */
function readWebhookBase(given: string | undefined, publicUrl: string): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) return trimSlash(given)
  return publicUrl.startsWith('https:') ? publicUrl : undefined
}

function toMicroUsd(usd: number): number {
  return Math.round(usd * 1_000_000)
}

/** One provider of the chain. */
export interface ChainStep {
  provider: VendorName | 'compositor'
  /** Empty for the compositor, which names its own. */
  model: string
  /** As in the settings: `fal:google/nano-banana-2.1/edit`. */
  name: string
}

/** What IMAGE_PROVIDERS may name. */
export const acceptedProviders = ['compositor', ...vendorNames.map((name) => `${name}:MODEL`)]

/** Reads IMAGE_PROVIDERS. Throws `SettingsError` for a name not accepted or twice, or for none. */
export function readChain(text: string): ChainStep[] {
  const names = wordsOf(text)
  const steps = names.map((name): ChainStep => {
    if (name === 'compositor') return { provider: name, model: '', name }
    const provider = vendorNames.find((vendor) => name.startsWith(`${vendor}:`))
    const model = provider === undefined ? '' : name.slice(provider.length + 1)
    if (provider !== undefined && model !== '') return { provider, model, name }
    throw new SettingsError(
      `IMAGE_PROVIDERS has '${name}'. Accepted are ${acceptedProviders.join(', ')}, with commas between`,
    )
  })
  if (steps.length === 0) throw new SettingsError('IMAGE_PROVIDERS names no provider of pictures')
  if (new Set(names).size < names.length) {
    throw new SettingsError('IMAGE_PROVIDERS names a provider twice, which could charge twice')
  }
  return steps
}

/** A model whose name nobody has seen at its vendor's is used only when an operator vouches for it. */
export function refuseUnverified(chain: readonly ChainStep[], models: ModelCatalogue): void {
  for (const { provider, model, name } of chain) {
    if (provider === 'compositor' || !models.isUnverified(provider, model)) continue
    throw new SettingsError(
      `IMAGE_PROVIDERS names ${name}, which was not verified. Read its page at the vendor’s, and say so in IMAGE_MODELS_FILE: [{"provider": "${provider}", "model": "${model}", "seen": {"on": "2026-01-31", "source": "https://…"}}]`,
    )
  }
}
