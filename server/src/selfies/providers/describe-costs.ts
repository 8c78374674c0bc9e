import type { HostedProvider } from '../../vendors/hosted-provider.ts'
import {
  cardName,
  isPriceOld,
  pictureCountOf,
  requestPriceOf,
} from '../../vendors/models/model-description.ts'
import type { ImageSettings, ChainStep } from './image-settings.ts'

/** How long a picture is taken to last where nothing limits a day. */
const assumedSeconds = 20

/** What selfies cost: one, a day within limits, and old prices; empty where nothing is charged. */
export function describeCosts(
  settings: ImageSettings,
  providers: ReadonlyMap<string, HostedProvider>,
  now: Date,
): string[] {
  const paid = settings.chain.flatMap(({ name }) => {
    const provider = providers.get(name)
    if (provider === undefined || provider.priceMicroUsd === 0) return []
    const count = pictureCountOf(provider, settings)
    return [
      { name, count, each: provider.priceMicroUsd, price: requestPriceOf(provider, settings) },
    ]
  })
  const [first] = paid
  if (first === undefined) return []
  const most = paid.reduce((sum, { price }) => sum + price, 0)
  const more =
    paid.length === 1
      ? ''
      : `, and up to ${dollars(most)} where the next ones of the chain are asked too`
  const several =
    first.count === 1 ? '' : ` (${first.count} pictures at ${dollars(first.each)}, IMAGE_PICTURES)`
  return [
    `A selfie costs ${dollars(first.price)} by ${first.name}${several}${more}.`,
    describeDay(settings, Math.max(...paid.map(({ price }) => price))),
    ...settings.chain.flatMap((step) => priceWarning(settings, step, now)),
  ]
}

function describeDay(settings: ImageSettings, price: number): string {
  const { dailySpendMaxMicroUsd: spendMax, atOnceMax } = settings
  if (spendMax !== undefined) {
    const count = Math.floor(spendMax / price)
    return `A day (UTC) costs up to ${dollars(spendMax)} (IMAGE_DAILY_SPEND_MAX_USD): ${count} selfies at ${dollars(price)}.`
  }
  const count = (atOnceMax * 86_400) / assumedSeconds
  return (
    `Nothing limits a day: ${atOnceMax} at once (IMAGE_AT_ONCE), each in ${assumedSeconds} s, ` +
    `would be ${dollars(count * price)}. Set IMAGE_DAILY_SPEND_MAX_USD.`
  )
}

/** Says of a price when it was read so long ago that it may have changed. */
export function priceWarning(
  settings: ImageSettings,
  { provider, model }: ChainStep,
  now: Date,
): string[] {
  if (provider === 'compositor') return []
  const name = cardName({ provider, model })
  if (settings.prices[name] !== undefined) return []
  const card = settings.models.find(provider, model)
  if (!isPriceOld(card, now)) return []
  return [
    `OLD PRICE: that of ${name} was read ${card.price?.on}. Look it up, and set IMAGE_PRICES_USD.`,
  ]
}

/** Millionths of a US dollar as people read them. */
export function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(3)}`
}
