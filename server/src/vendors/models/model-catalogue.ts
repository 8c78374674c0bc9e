import { z } from 'zod'
import { parseJson } from '../../platform/http/read-object.ts'
import { vendorNames } from '../vendor-names.ts'
import type { VendorName } from '../vendor-names.ts'
import { cardName, modelDescriptionSchema } from './model-description.ts'
import type { ModelDescription } from './model-description.ts'
import modelList from './models.json' with { type: 'json' }

/** What is known of image models, by the program and by the operator. */
export type ModelCatalogue = ReturnType<typeof openCatalogue>

/** An entry of a list: what differs from what is known of the model. */
const entrySchema = modelDescriptionSchema.partial().required({ provider: true, model: true })
const listSchema = z.object({
  /** What every model of a vendor takes. */
  others: z.record(
    z.enum(vendorNames),
    modelDescriptionSchema.omit({ provider: true, model: true }),
  ),
  models: z.array(entrySchema),
})
const { others, models } = listSchema.parse(modelList)

/** The list that comes with the program. Prices are for planning and the daily cap. */
export const knownModels: readonly ModelDescription[] = models.map((entry) =>
  modelDescriptionSchema.parse({ ...others[entry.provider], ...entry }),
)

/** For a model that no list has. OpenAI's own take other fields than an open one on its server. */
function unlistedCard(provider: VendorName, model: string): ModelDescription {
  const isOpenaiOwn = provider === 'openai' && /^(?:gpt-image-(?!1)|chatgpt-image)/.test(model)
  const own = knownModels.find((card) => isOpenaiOwn && cardName(card) === 'openai:gpt-image-2')
  return { ...(own ?? others[provider]), provider, model, seen: undefined, retires: undefined }
}

/** The known models with those of an operator, whose fields win. */
export function openCatalogue(own: readonly ModelDescription[] = []) {
  const cards = new Map([...knownModels, ...own].map((card) => [cardName(card), card]))
  return {
    /** Every known model, the operator's own last. */
    all: [...cards.values()],
    /** Of one model; of one that is not in the list, what every model of its vendor takes. */
    find: (provider: VendorName, model: string) =>
      cards.get(cardName({ provider, model })) ?? unlistedCard(provider, model),
    /** Whether it is in the list, though nobody has seen it at its vendor's. */
    isUnverified(provider: VendorName, model: string) {
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
): { cards: ModelDescription[]; faults: [] } | { cards: []; faults: string[] } {
  const parsed = z.array(z.unknown()).safeParse(parseJson(text)).data
  if (parsed === undefined) return { cards: [], faults: ['it must be a JSON array of models'] }
  const faults: string[] = []
  const cards = new Map<string, ModelDescription>()
  for (const [index, value] of parsed.entries()) {
    const entry = entrySchema.safeParse(value)
    if (!entry.success) {
      faults.push(...entry.error.issues.map((issue) => describe(index, issue)))
      continue
    }
    const name = cardName(entry.data)
    if (cards.has(name)) faults.push(`entry ${index + 1}: ${name} is there twice`)
    const known = openCatalogue().find(entry.data.provider, entry.data.model)
    cards.set(name, modelDescriptionSchema.parse({ ...known, ...entry.data }))
  }
  return faults.length === 0 ? { cards: [...cards.values()], faults: [] } : { cards: [], faults }
}

function describe(index: number, issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.')
  return `entry ${index + 1}: ${field === '' ? '' : `${field}: `}${issue.message}`
}
