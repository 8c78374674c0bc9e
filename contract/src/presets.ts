import { z } from 'zod'
import { defaultLanguage, inEveryLanguage } from './languages.ts'
import { presetCategories } from './preset-categories.ts'
import { successful } from './successful.ts'

/** One sentence in the default language, and in others of the interface where it was translated. */
export const translatedLine = z.strictObject({
  ...inEveryLanguage(() => z.string().optional()),
  [defaultLanguage]: z.string(),
})

/** A small square picture, 320 pixels wide; addresses relative to the host. */
const pictureThumbnail = z.object({
  /** Null where only the JPEG exists. */
  avif: z.string().nullable(),
  jpeg: z.string(),
})
export type PictureThumbnail = z.infer<typeof pictureThumbnail>

const offeredPicture = z.object({
  id: z.string(),
  /** Address of the picture, relative to the host; JPEG. */
  image: z.string(),
  thumbnail: pictureThumbnail,
  licence: z.string(),
  attribution: z.string(),
})

/** A star that the operator offers. */
export const celebrityPreset = offeredPicture.extend({
  name: z.string(),
  category: z.enum(presetCategories),
  /** What the star is known for; null where the operator wrote nothing. */
  line: translatedLine.nullable(),
  /** True when a model made the picture and it shows nobody real. */
  aiGenerated: z.boolean(),
  /** True when the photo ends so soon below the chin that `story_too_tight` is answered for 9:16. */
  tightCrop: z.boolean(),
})
export type CelebrityPreset = z.infer<typeof celebrityPreset>

/** Narrows the stars to words and a category; the cursor is the last answer's. */
export const presetsQuery = z.object({
  q: z.string().max(100).optional(),
  category: z.enum(presetCategories).optional(),
  cursor: z.string().max(60).optional(),
})

/** Answer of `GET /ai?action=presets`: stars in the operator's order, the shipped ones last. */
export const presetsAnswer = successful({
  presets: z.array(celebrityPreset),
  /** For the next page; null at the end. */
  nextCursor: z.string().nullable(),
})
export type PresetsAnswer = z.infer<typeof presetsAnswer>

/** Somebody who doesn't exist, to try the product with; the JPEG is uploaded as `userPhoto`. */
export type DemoPerson = z.infer<typeof offeredPicture>

/** Answer of `GET /people`. */
export const peopleAnswer = successful({ people: z.array(offeredPicture) })
