import type { z } from 'zod'
import type { FalWebhookVerifier } from './fal/fal-webhook.ts'
import type { HostedProvider } from './hosted-provider.ts'
import { SettingsError } from '../platform/settings/settings-error.ts'
import type { ModelDescription } from './models/model-description.ts'
import type { VendorName } from './vendor-names.ts'

/** What a provider is opened with beside its vendor's settings. */
export interface ProviderParts {
  card: ModelDescription
  /** Overrides the price that the vendor's own table has. */
  priceMicroUsd?: number | undefined
  timeoutMs: number
  fetch: typeof globalThis.fetch
  now: () => number
  /** Resolves a host name to all its IP addresses. */
  resolveHost: (host: string) => Promise<string[]>
}

/** A vendor with its settings. */
export interface ConfiguredVendor {
  /** The address that photos are sent to. */
  photosGoTo: string
  /** True for a server of the operator's own, which has no rules of a vendor about what it makes. */
  isOwnServer?: boolean
  openProvider(parts: ProviderParts): HostedProvider
  /** Undefined for a vendor that sends no webhooks. */
  openWebhooks?: (parts: Pick<ProviderParts, 'fetch' | 'now'>) => FalWebhookVerifier
}

/**
 * A vendor of image models. From its place in `image-vendors.ts` follow settings, IMAGE_PROVIDERS,
 * the docs' table, the check of providers and who is told to get people's photos.
 */
export interface ImageVendor<Variables extends z.ZodRawShape> {
  /** Its variables; part of the environment's schema. */
  variables: Variables
  /** Its hosts, by the names that people know them by. */
  knownHosts: Readonly<Record<string, string>>
  /** Called when IMAGE_PROVIDERS names the vendor. Throws `SettingsError` when it is half set up. */
  configure(env: z.output<z.ZodObject<Variables>>): ConfiguredVendor
}

/** Keeps the exact types of a vendor's variables. */
export function defineVendor<const Variables extends z.ZodRawShape>(
  vendor: ImageVendor<Variables>,
): ImageVendor<Variables> {
  return vendor
}

/** The value of the one variable that is given, without which the vendor can't be asked. */
export function required(vendor: VendorName, given: Record<string, string | undefined>): string {
  const [[variable, value] = []] = Object.entries(given)
  if (value !== undefined) return value
  throw new SettingsError(`IMAGE_PROVIDERS names ${vendor}, but ${variable} is missing`)
}
