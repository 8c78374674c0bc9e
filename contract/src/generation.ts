import { z } from 'zod'
import { greyHints, wishedLooks } from './arrangement-limits.ts'
import { headsMax, starsMax } from './limits.ts'
import { variationItem } from './variations.ts'
import { generationStages, sceneNames, selfieAspects } from './scenes.ts'
import { successful } from './successful.ts'

/** What the address of `generate` may say beside its action. */
export const generateQuery = z.object({
  /** The hold that `consume-credits` answered: this one is used, and given back at a refusal. */
  holdId: z.uuid().optional(),
})

export const generationState = z.enum(['running', 'done', 'failed'])

const stagePercent = z.number().int().min(0).max(100)

/** One selfie, running or finished, as its owner sees it. */
export const generationItem = z.object({
  generationId: z.string(),
  state: generationState,
  stage: z.enum(generationStages),
  /** How far that stage is, 0…100, where whoever works on it says so. */
  stagePercent: stagePercent.optional(),
  /** Name of the star, `Custom photo` for an upload; of two stars `… and …`. */
  celebrity: z.string(),
  /** The same one by one: of two stars both names. */
  celebrities: z.array(z.string()),
  presetId: z.string().nullable(),
  scene: z.enum(sceneNames),
  /** True where it is set in a place of which a photo was sent. */
  hasBackgroundPhoto: z.boolean().optional(),
  /** Signed, expiring; null until done. JPEG. */
  imageUrl: z.string().nullable(),
  /** The same picture as a PNG to save; null until done. */
  downloadUrl: z.string().nullable(),
  /** Small JPEG for the gallery; null until done. */
  thumbnailUrl: z.string().nullable(),
  widthPx: z.number().int().nullable(),
  heightPx: z.number().int().nullable(),
  watermarked: z.boolean(),
  error: z.string().nullable(),
  code: z.string().nullable(),
  /** While it runs: milliseconds such pictures take (median of the last); null while unknown. */
  expectedMs: z.number().int().nullable().optional(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
  /** Public link, when the owner has made one. */
  shareUrl: z.string().nullable(),
  /** Whether the first version is black and white because that suits the photo best. */
  isGreyAdvised: z.boolean().optional(),
  /** The hints of the photo check because of which it does. */
  greyHints: z.array(z.enum(greyHints)).optional(),
  /** The variations that came of its one credit, the best first, then the same in another look. */
  variations: z.array(variationItem),
  /** Until when it can be adjusted; null when its parts are not kept. */
  adjustableUntil: z.string().nullable(),
  /** Whether other variations can still be asked for. */
  hasMoreVariations: z.boolean(),
})
export type GenerationItem = z.infer<typeof generationItem>

/** Which of the faces in a photo, in the order in which `inspect` lists them. */
const faceIndex = z.coerce.number().int().min(0).max(99).optional()

/** Several faces of one photo, such as `0,2`. */
const faceIndexes = z
  .string()
  .regex(/^\d{1,2}(,\d{1,2}){0,9}$/)
  .optional()

/**
 * The form of `generate`; a photo is a file, or the `photoDigest` that `inspect` answered to the same account
 * some minutes ago, else refused with `upload_expired`. For two stars `celebrityPhoto`, `presetId` and
 * `starFaceIndex` are sent twice: the n-th is the n-th star's, an empty one none, a preset before a photo.
 */
export const generateForm = z.object({
  userPhoto: z.string(),
  celebrityPhoto: z.string().optional(),
  presetId: z.string().max(80).optional(),
  /** A file: the place that the picture is set in, instead of a scene. People in it are removed. */
  background: z.string().optional(),
  prompt: z.string().optional(),
  scene: z.enum(sceneNames).optional(),
  aspect: z.enum(selfieAspects).optional(),
  look: z.enum(wishedLooks).optional(),
  userFaceIndex: faceIndex,
  /** Instead of `userFaceIndex`: who of the photo stays together in the picture. */
  userFaces: faceIndexes,
  starFaceIndex: faceIndex,
  consent: z.enum(['true', 'false']).optional(),
  /** `true`: refuses with `already_made` what was made of the same before and can be adjusted. */
  askBeforeRepeat: z.enum(['true', 'false']).optional(),
})

/** The form of `inspect`; the photo is a file. */
export const inspectForm = z.object({
  photo: z.string(),
  faceIndex,
  faces: faceIndexes,
  /** `true` for the photo of a place, which needs no face. */
  isBackground: z.enum(['true', 'false']).optional(),
})

export const photoDigest = z.string().regex(/^[\w-]{43}$/)
const preparedFace = z.number().int().min(0).max(99)

/** What `prepare` takes: photos that were just inspected, and what else decides who stands where. */
export const prepareInput = z.object({
  /** What `inspect` answered. */
  userPhoto: photoDigest,
  /** As of `generate`. */
  userFaces: z.array(preparedFace).min(1).max(headsMax).optional(),
  stars: z
    .array(
      z.union([
        z.strictObject({ presetId: z.string().max(80) }),
        z.strictObject({ photo: photoDigest, faceIndex: preparedFace.optional() }),
      ]),
    )
    .min(1)
    .max(starsMax),
  aspect: z.enum(selfieAspects).optional(),
})
export type PrepareInput = z.infer<typeof prepareInput>

/** Answer of `POST /ai?action=prepare`; false where it would not pay, or a photo isn't known any more. */
export const prepareAnswer = successful({
  isBegun: z.boolean(),
  /** Why they can't stand together in that format: a code of `errorTable`, and what would do, the widest first. */
  refusal: z.object({ code: z.string(), formats: z.array(z.enum(selfieAspects)) }).optional(),
})
export type FormatRefusal = NonNullable<z.infer<typeof prepareAnswer>['refusal']>

/** Answer of `POST /ai?action=generate`. */
export const generateAnswer = successful({
  imageUrl: z.string(),
  generation: generationItem,
})
export type GenerateAnswer = z.infer<typeof generateAnswer>

/** One generation: also the answer of `generate` with `Prefer: respond-async`, status 202. */
export const generationAnswer = successful({ generation: generationItem })
export type GenerationAnswer = z.infer<typeof generationAnswer>

export const generationListAnswer = successful({
  items: z.array(generationItem),
  nextCursor: z.string().nullable(),
  /** Finished ones in all pages. */
  total: z.number().int(),
  /** Everybody with whom there are finished selfies, by name; what `star` of the query chooses from. */
  stars: z.array(z.string()),
})
export type GenerationListAnswer = z.infer<typeof generationListAnswer>

/** One message of `GET /generations/:id/events` (server-sent events, `data:` is this as JSON). */
export const generationEvent = z.object({
  stage: z.enum(generationStages),
  stagePercent: stagePercent.optional(),
  state: generationState,
  /** Present in the last message. */
  generation: generationItem.optional(),
})
export type GenerationEvent = z.infer<typeof generationEvent>

/** A face in an uploaded photo; the box is in fractions of the upright photo's width and height. */
export const inspectedFace = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  isMain: z.boolean(),
  /** Indexes of the faces whose people touch this one: a group that leaves one of them out between others is refused. */
  touches: z.array(z.number().int()).optional(),
  /** Why no picture can be made of this face: codes of `errorTable`; empty where one can. */
  refusals: z.array(z.string()),
  /** The sentence of the first of them. */
  reason: z.string().nullable().optional(),
  /** What would make a better picture of this face: codes as of the photo's hints. */
  hints: z.array(z.string()).optional(),
})

/** Answer of `POST /ai?action=inspect`: what would spoil the picture, before a credit is spent. */
export const inspectAnswer = successful({
  /** True when a generation with this photo would not be refused. */
  usable: z.boolean(),
  faces: z.array(inspectedFace),
  /** Codes of `errorTable` that would refuse the photo. */
  refusals: z.array(z.object({ code: z.string(), sentence: z.string() })),
  /**
   * Hints that do not refuse it: `several_faces`, `tight_crop`, `turned`, `small_face`,
   * `eyes_closed`, `hair_cut`, `hard_sun`, `bright_background`, `dark_face`, `bright_face`.
   */
  hints: z.array(z.object({ code: z.string(), sentence: z.string() })),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
  /** By which `prepare` and `generate` know the photo again, for some minutes. */
  photoDigest: z.string().optional(),
})
export type InspectAnswer = z.infer<typeof inspectAnswer>

export const healthAnswer = z.object({ status: z.literal('ok') })
