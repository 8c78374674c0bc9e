import { z } from 'zod'
import { pictureLooks } from './arrangement-limits.ts'
import { arrangement } from './arrangement.ts'
import { successful } from './successful.ts'

/** Where a variation comes from: made with the picture, made when others were asked for, adjusted. */
export const variationSources = ['made', 'more', 'adjusted'] as const

/** One arrangement of a generation's people and its picture, as the owner sees it. */
export const variationItem = z.object({
  variationId: z.string(),
  source: z.enum(variationSources),
  /** Null for a picture that was made as a whole, which has no parts to adjust. */
  arrangement: arrangement.nullable(),
  /** How it is developed; as its arrangement says, where it has one. */
  look: z.enum(pictureLooks),
  /** Whether the generation is shown as this one: in the gallery, as `imageUrl`. */
  isChosen: z.boolean(),
  /** Whether its public link shows this one. */
  isShared: z.boolean().optional(),
  /** Whether it was made at full size; one that was not has a picture of at most 512 pixels. */
  isRendered: z.boolean(),
  /** Signed, expiring. JPEG. */
  imageUrl: z.string(),
  thumbnailUrl: z.string(),
  /** The same picture as a PNG to save; null until it was made at full size. */
  downloadUrl: z.string().nullable(),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
})
export type VariationItem = z.infer<typeof variationItem>

/** An arrangement to be shown or made. */
export const arrangementBody = z.object({ arrangement })

/** Which variation the generation is to be shown as. */
export const chosenBody = z.object({ variationId: z.uuid() })

/** An arrangement to be looked at. */
export const previewBody = z.object({
  arrangement,
  /** Asks for everybody by themselves too. */
  withPeople: z.boolean(),
  /** Asks for 1280 pixels on the long side rather than 512. */
  isLarge: z.boolean(),
})
export type PreviewBody = z.infer<typeof previewBody>

/** Somebody of a picture, to be moved in the browser, in the light of the arrangement. */
const movablePerson = z.object({
  /** WebP in base64, at most 512 pixels; 384 for free accounts, without brand mark. */
  image: z.string(),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
  /** Centre and size of each head in the image's pixels; an arrangement places the first. */
  heads: z.array(z.object({ x: z.number(), y: z.number(), size: z.number() })),
  /** About all that is there of them, in sizes of the first head from its middle. */
  box: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  /** How far the image is turned clockwise where an arrangement turns nobody. */
  uprightDegrees: z.number(),
  /** Where the photo cuts the body at its foot; it is drawn longer from below the middle on. */
  foot: z
    .object({
      left: z.number(),
      right: z.number(),
      y: z.number(),
      middleX: z.number(),
      middleY: z.number(),
      stretchBelow: z.number(),
    })
    .nullable(),
})
export type MovablePerson = z.infer<typeof movablePerson>

/** A small picture of an arrangement that is being adjusted; nothing is kept of it. */
export const previewAnswer = successful({
  /** When the parts are deleted. */
  expiresAt: z.string(),
  /** JPEG in base64; with the brand mark for free accounts. */
  image: z.string(),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
  /** Length of a photo's border that would show, in head sizes; 0 where none would. */
  visibleBorder: z.number(),
  /** Where each subject would stand for none to show; null where none does, or nowhere near. */
  mended: z.array(z.object({ x: z.number(), y: z.number(), size: z.number() })).nullable(),
  /** The photographed part with nobody in it; JPEG in base64, with the brand mark for free accounts. */
  background: z.string(),
  /** Where the brand mark stands on the background, in parts of it; null where it has none. */
  markBox: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .nullable(),
  /** In the order of an arrangement's subjects, where they were asked for. */
  people: z.array(movablePerson).nullable(),
})
export type PreviewAnswer = z.infer<typeof previewAnswer>
