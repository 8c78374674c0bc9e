import { lookup } from 'node:dns/promises'
import { starsMax } from '@starside/contract/limits.ts'
import type { HostedProvider, RequestListener } from '../../vendors/hosted-provider.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import type { ModelDescription } from '../../vendors/models/model-description.ts'
import { isThisMachine } from '../../platform/http/network-address.ts'
import { imageVendors } from '../../vendors/image-vendors.ts'
import type { ImageSettings, ChainStep } from './image-settings.ts'
import type { WaitingTimes } from './waiting-times.ts'

/** The user's photo, the stars', and that of a place. */
const compositorPhotosMax = 1 + starsMax + 1

/** The providers that are set up, built once. */
export type ImageModels = ReturnType<typeof openImageModels>

export interface OpenParts {
  settings: ImageSettings
  fetch: typeof globalThis.fetch
  now: () => number
}

/** Builds the hosted providers of the chain. Nothing is called here. */
export function openImageModels(
  parts: OpenParts & { waitingTimes: WaitingTimes; isFilterMissing: () => boolean },
) {
  const { settings, fetch, now } = parts
  const providers = openProviders(parts)
  const queued = [...providers.values()].filter((provider) => provider.kind === 'queued')
  const attached: { close(): Promise<void> }[] = []
  return {
    settings,
    /** The provider at a position of the chain; undefined behind its end. */
    step: (position: number): ChainStep | undefined => settings.chain[position],
    /** A hosted provider by its name in the chain; undefined when it is no longer set up. */
    find: (name: string) => providers.get(name),
    /** Own servers may be asked only where pictures are judged, or with an operator's waiver. */
    mayAsk: (step: ChainStep) => !isOwnServer(settings, step) || !parts.isFilterMissing(),
    /** Has a listener called at a request's news; answers how to end that. */
    listen(listener: RequestListener) {
      const ends = queued.map((provider) => provider.listen?.(listener))
      return () => ends.forEach((end) => end?.())
    },
    /** Photos that the most able provider of the chain takes. */
    photosMax: Math.max(
      ...settings.chain.map(({ name }) => providers.get(name)?.photosMax ?? compositorPhotosMax),
    ),
    /** How many providers of the chain are hosted; 0 for the compositor alone. */
    hostedCount: providers.size,
    /** Undefined where fal is not in the chain. */
    falWebhooks: settings.vendors.fal?.openWebhooks?.({ fetch, now }),
    expectedMs: parts.waitingTimes.expectedMs,
    /** Has a part that works on image requests closed with the providers. */
    attach: (part: { close(): Promise<void> }) => void attached.push(part),
    async close() {
      await Promise.all(attached.splice(0).map((part) => part.close()))
      for (const provider of queued) provider.close?.()
      parts.waitingTimes.close()
    },
  }
}

/** Whether the operator runs what makes the pictures there. */
export function isOwnServer({ vendors }: ImageSettings, { provider }: ChainStep): boolean {
  return provider !== 'compositor' && vendors[provider]?.isOwnServer === true
}

/** The hosted providers of the settings by their names, for a command that only calls them. */
export function openProviders(parts: OpenParts): Map<string, HostedProvider> {
  const { chain, models } = parts.settings
  const found = chain.flatMap(({ name, provider, model }) => {
    if (provider === 'compositor') return []
    const opened = openCard(models.find(provider, model), parts)
    return opened === undefined ? [] : [[name, opened] as const]
  })
  return new Map(found)
}

/** The provider of a known model; undefined where its vendor isn't set up. */
export function openCard(card: ModelDescription, { settings, fetch, now }: OpenParts) {
  return settings.configureVendor(card.provider)?.openProvider({
    card,
    priceMicroUsd: settings.prices[cardName(card)],
    timeoutMs: settings.attemptTimeoutMs,
    fetch,
    now,
    resolveHost,
  })
}

async function resolveHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** Services by the host that photos are sent to, as people know them. */
const knownServices = new Map(
  Object.values(imageVendors).flatMap(({ knownHosts }) => Object.entries(knownHosts)),
)

/** Who outside this machine gets photos: the chain's hosted providers and classifier, each once. */
export function photoRecipients(
  images: Pick<ImageSettings, 'vendors'>,
  classifier: { sendsPhotosTo: string | undefined },
): string[] {
  const vendors = Object.values(images.vendors).flatMap(({ photosGoTo }) => {
    const { hostname } = new URL(photosGoTo)
    return isThisMachine(hostname) ? [] : [knownServices.get(hostname) ?? hostname]
  })
  return [...new Set([...vendors, classifier.sendsPhotosTo ?? []].flat())]
}
