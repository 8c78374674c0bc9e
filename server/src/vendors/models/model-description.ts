import { selfieAspects } from '@starside/contract/scenes.ts'
import type { Aspect } from '@starside/engine/image-provider.ts'
import { z } from 'zod'
import { vendorNames } from '../vendor-names.ts'

const day = z.iso.date()
const plainValue = z.union([z.string(), z.number(), z.boolean()])
/** A ratio or size in the model's own words, or pixels. */
const shapeValue = z.union([
  z.string().min(1).max(40),
  z.strictObject({ width: z.int().min(64).max(8192), height: z.int().min(64).max(8192) }),
])
/** Where something was read, and when. */
const source = z.strictObject({ on: day, source: z.string().min(1).max(200) })

/** For models whose card says nothing else. Measured: decision 0335. */
export const likenessMinDefault = 0.55

/** What is known of one model. A field that is left out is not sent. */
export const modelDescriptionSchema = z.strictObject({
  provider: z.enum(vendorNames),
  model: z.string().regex(/^[\w.:/@-]{1,120}$/, 'must be a vendor’s name of a model'),
  /** How the picture's shape is asked for, each of our aspects in the model's own words. */
  shape: z
    .strictObject({
      field: z.string().min(1).max(40),
      values: z.record(z.enum(selfieAspects), shapeValue),
    })
    .optional(),
  outputFormat: z.enum(['jpeg', 'png', 'webp']).optional(),
  photosMax: z.int().min(2).max(16),
  /** Pixels of one photo at most; a larger one is made smaller. */
  photoPixelsMax: z.int().min(65_536).optional(),
  /** Whether the server cuts or stretches photos to the picture's size, whatever is in them. */
  resizesPhotos: z.boolean().optional(),
  promptLengthMax: z.int().min(500).max(50_000),
  /** The field of its safety filter, with the vendor's own default. */
  safety: z.strictObject({ field: z.string().min(1).max(40), value: plainValue }).optional(),
  /** Whether it takes how many pictures are wanted. */
  takesCount: z.boolean().optional(),
  /** How alike everybody must be to their photo, 0…1, or the picture counts as a stranger's. */
  likenessMin: z.number().min(0).max(1).optional(),
  /** Further fields of every request. */
  fields: z.record(z.string(), plainValue).optional(),
  /** One picture of about one megapixel. Undefined where the operator runs the model. */
  price: source.extend({ usd: z.number().min(0).max(100) }).optional(),
  /** What the pictures may be used for. */
  licence: z.string().min(1).max(200),
  /** What has to be there: an account, memory of a GPU, files. */
  needs: z.string().min(1).max(300),
  /** The page of its vendor that names it; a list of types proves nothing. Undefined: not verified. */
  seen: source.optional(),
  /** The day on which its vendor shuts it down; undefined: none was announced. */
  retires: day.optional(),
})

export type ModelDescription = z.infer<typeof modelDescriptionSchema>

/** A model's name in IMAGE_PROVIDERS. */
export function cardName({ provider, model }: { provider: string; model: string }): string {
  return `${provider}:${model}`
}

/** Millionths of a US dollar for one picture; 0 where the operator runs the model. */
export function priceMicroUsdOf({ price }: ModelDescription): number {
  return Math.round((price?.usd ?? 0) * 1_000_000)
}

const priceAgeDaysMax = 90

/** Whether a price was read so long ago that it should be looked up again. */
export function isPriceOld({ price }: ModelDescription, now: Date): boolean {
  if (price === undefined) return false
  return now.getTime() - Date.parse(price.on) > priceAgeDaysMax * 86_400_000
}

/** What a model takes and costs. */
export type ModelLimits = Readonly<ReturnType<typeof limitsOf>>

/** What the program asks about a model; the operator's own price wins. */
export function limitsOf(card: ModelDescription, ownPriceMicroUsd: number | undefined) {
  return {
    model: card.model,
    takesCount: card.takesCount === true,
    /** Of one picture, in millionths of a US dollar; 0 where the operator runs the model. */
    priceMicroUsd: ownPriceMicroUsd ?? priceMicroUsdOf(card),
    promptLengthMax: card.promptLengthMax,
    photosMax: card.photosMax,
    photoPixelsMax: card.photoPixelsMax,
    /** How alike everybody must be to their photo, 0…1. */
    likenessMin: card.likenessMin ?? likenessMinDefault,
    /** What the server cuts or stretches photos to; undefined: it leaves them as they are. */
    photoSize: (aspect: Aspect) => (card.resizesPhotos === true ? sizeOf(card, aspect) : undefined),
  }
}

/** The pixels that a picture of a shape is asked for; undefined where the card names a ratio. */
export function sizeOf(
  { shape }: ModelDescription,
  aspect: Aspect,
): { widthPx: number; heightPx: number } | undefined {
  const value = shape?.values[aspect]
  if (typeof value === 'object') return { widthPx: value.width, heightPx: value.height }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(value ?? '') ?? []
  if (width === undefined || height === undefined) return undefined
  return { widthPx: Number(width), heightPx: Number(height) }
}

type Settings = { readonly picturesMax: number }

/** How many pictures a model is asked for at once. */
export function pictureCountOf(
  { takesCount }: Pick<ModelLimits, 'takesCount'>,
  { picturesMax }: Settings,
): number {
  return takesCount ? picturesMax : 1
}

/** What one request may cost, in millionths of a US dollar. */
export function requestPriceOf(
  provider: Pick<ModelLimits, 'priceMicroUsd' | 'takesCount'>,
  settings: Settings,
): number {
  return provider.priceMicroUsd * pictureCountOf(provider, settings)
}
