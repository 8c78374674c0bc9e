import { z } from 'zod'
import type { VendorName } from '../vendor-names.ts'
import { falCards, unknownFalCard } from './fal-cards.ts'
import { cardName, modelCardSchema } from './model-card.ts'
import type { ModelCard } from './model-card.ts'
import { googleCards, unknownGoogleCard } from './google-cards.ts'
import {
  homeCards,
  unknownComfyuiCard,
  unknownLocalaiCard,
  unknownSdcppCard,
} from './home-cards.ts'
import { openaiCards, unknownOpenaiCard } from './openai-cards.ts'

/** What is known of image models, by the program and by the operator. */
export interface ModelCatalogue {
  /** Every known model, the operator's own last. */
  all: readonly ModelCard[]
  /** Of one model; of one that is not in the list, what every model of its vendor takes. */
  find(provider: VendorName, model: string): ModelCard
  /** Whether it is in the list, though nobody has seen it at its vendor's. */
  isUnverified(provider: VendorName, model: string): boolean
}

/** The list that comes with the program. */
export const knownModels: readonly ModelCard[] = [
  ...falCards,
  ...openaiCards,
  ...googleCards,
  ...homeCards,
]

const unknownCards: Record<VendorName, (model: string) => ModelCard> = {
  fal: unknownFalCard,
  openai: unknownOpenaiCard,
  google: unknownGoogleCard,
  sdcpp: unknownSdcppCard,
  localai: unknownLocalaiCard,
  comfyui: unknownComfyuiCard,
}

/** An operator's entry: what differs from what is known of the model. */
const entrySchema = modelCardSchema.partial().required({ provider: true, model: true })

/** The known models with those of an operator, whose fields win. */
export function openCatalogue(own: readonly ModelCard[] = []): ModelCatalogue {
  const cards = new Map([...knownModels, ...own].map((card) => [cardName(card), card]))
  return {
    all: [...cards.values()],
    find: (provider, model) =>
      cards.get(cardName({ provider, model })) ?? unknownCards[provider](model),
    isUnverified(provider, model) {
      const card = cards.get(cardName({ provider, model }))
      return card !== undefined && card.seen === undefined
    },
  }
}

/**
 * Reads an operator's list of models: JSON, an array of entries, each with `provider`, `model` and
 * what differs from the known model of that name or, for another, from what its vendor's take.
 * @returns the whole cards, or a sentence for each fault, all at once
 */
export function readOwnModels(
  text: string,
): { cards: ModelCard[]; faults: [] } | { cards: []; faults: string[] } {
  const parsed = parseList(text)
  if (parsed === undefined) return { cards: [], faults: ['it must be a JSON array of models'] }
  const faults: string[] = []
  const cards = new Map<string, ModelCard>()
  for (const [index, value] of parsed.entries()) {
    const entry = entrySchema.safeParse(value)
    if (!entry.success) {
      faults.push(...entry.error.issues.map((issue) => describe(index, issue)))
      continue
    }
    const name = cardName(entry.data)
    if (cards.has(name)) faults.push(`entry ${index + 1}: ${name} is there twice`)
    const known = openCatalogue().find(entry.data.provider, entry.data.model)
    cards.set(name, modelCardSchema.parse({ ...known, ...entry.data }))
  }
  return faults.length === 0 ? { cards: [...cards.values()], faults: [] } : { cards: [], faults }
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function describe(index: number, issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.')
  return `entry ${index + 1}: ${field === '' ? '' : `${field}: `}${issue.message}`
}
