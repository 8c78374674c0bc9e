import { z } from 'zod'
import { arrangementLimits, brushKinds, pictureLooks } from './arrangement-limits.ts'
import { sceneNames, selfieAspects } from './scenes.ts'

const { brushSizeMin, brushSizeMax, strokesMax, strokePointsMax, strokeReachMax } =
  arrangementLimits
const { sizeMin, sizeMax, turnDegreesMax, subjectsMax } = arrangementLimits
const strokeReach = z.number().min(-strokeReachMax).max(strokeReachMax)
const personIndex = z.int().min(0).lt(subjectsMax)
/** Either way from how a picture is made: 0. */
const adjustment = z.number().min(-1).max(1)

/** One stroke of a brush on a person's cut-out. */
export const brushStroke = z.strictObject({
  kind: z.enum(brushKinds),
  /** Diameter in head sizes. */
  size: z.number().min(brushSizeMin).max(brushSizeMax),
  /** Part of the radius over which it fades out. */
  softness: z.number().min(0).max(1),
  /** From the middle of the head in its sizes, to the right and down, as the photo has the person. */
  points: z
    .array(z.strictObject({ x: strokeReach, y: strokeReach }))
    .min(1)
    .max(strokePointsMax)
    .refine(isOfShortSteps),
})
export type BrushStroke = z.infer<typeof brushStroke>

/** A stroke that leaps about would take long to draw. */
function isOfShortSteps(points: readonly { x: number; y: number }[]): boolean {
  return points.every(({ x, y }, n) => {
    const before = points[n - 1] ?? { x, y }
    return Math.hypot(x - before.x, y - before.y) <= arrangementLimits.strokeStepMax
  })
}

/** Where one subject stands: its first head stands for all of it. */
export const arrangedSubject = z.strictObject({
  /** Centre of the head, in parts of the picture's width from the left and of its height from the top. */
  x: z.number().min(-0.5).max(1.5),
  y: z.number().min(-0.5).max(1.5),
  /** Size of the head in parts of the picture's height. */
  size: z.number().min(sizeMin).max(sizeMax),
  /** Clockwise, from upright. */
  turnDegrees: z.number().min(-turnDegreesMax).max(turnDegreesMax),
  mirrored: z.boolean(),
  /** Their own light, on top of the whole picture's. */
  warmth: adjustment.optional(),
  brightness: adjustment.optional(),
  /** The strokes of a brush in their order; gone when the layers are. */
  retouch: z
    .array(brushStroke)
    .max(strokesMax)
    .refine(
      (strokes) => strokes.reduce((sum, { points }) => sum + points.length, 0) <= strokePointsMax,
    )
    .optional(),
})
export type ArrangedSubject = z.infer<typeof arrangedSubject>

/** Everything that tells one variation of a generation from another. */
export const arrangement = z
  .strictObject({
    aspect: z.enum(selfieAspects),
    /** `own` is the background of the person's photo, with all people removed. */
    scene: z.enum(sceneNames),
    /** The user, or the user and who stays with them, then the stars. */
    subjects: z.array(arrangedSubject).min(2).max(subjectsMax),
    /** Indexes of `subjects`, each once. */
    frontToBack: z.array(personIndex).min(2).max(subjectsMax),
    /** Of the whole picture: −1 cooler, 1 warmer. */
    warmth: adjustment,
    /** Of the whole picture: −1 darker, 1 brighter. */
    brightness: adjustment.optional(),
    contrast: adjustment.optional(),
    /** Of the background beyond the least: 0 to 1; 0.5 is as the engine plans it. */
    blur: z.number().min(0).max(1),
    look: z.enum(pictureLooks),
    /** Stands below an `instant` picture; empty for none. */
    caption: z.string().max(arrangementLimits.captionCharactersMax),
  })
  .refine(
    ({ subjects, frontToBack }) =>
      frontToBack.length === subjects.length &&
      new Set(frontToBack).size === subjects.length &&
      frontToBack.every((index) => index < subjects.length),
    { path: ['frontToBack'], message: 'frontToBack names each of the subjects once' },
  )
export type Arrangement = z.infer<typeof arrangement>
