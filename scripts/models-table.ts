import { cardName } from '../server/src/vendors/models/model-description.ts'
import type { ModelDescription } from '../server/src/vendors/models/model-description.ts'
import { knownModels } from '../server/src/vendors/models/model-catalogue.ts'

/** Every known model, with what it takes, what it costs, and where that was seen. */
export function modelsTable(): string {
  const rows = knownModels.map((card) =>
    [
      `\`${cardName(card)}\``,
      String(card.photosMax),
      // A hosted model needs its vendor's key, and its pictures may be sold by the vendor's terms.
      card.price === undefined
        ? `${card.licence}; ${card.needs}`
        : `$${card.price.usd.toFixed(3)}, ${card.price.on}`,
      seenText(card),
    ].join(' | '),
  )
  return [
    '| Model | Photos | Price, read when; of your own machine licence and needs | Seen at its vendor |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}

function seenText({ seen, retires }: ModelDescription): string {
  const text = seen === undefined ? '**not verified**' : `[${seen.on}](${seen.source})`
  return retires === undefined ? text : `${text}, retires ${retires}`
}
