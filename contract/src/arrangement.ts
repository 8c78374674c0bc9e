import { z } from 'zod'
import { arrangementLimits, pictureLooks } from './arrangement-limits.ts'
import { sceneNames, selfieAspects } from './scenes.ts'

/** Where one subject stands: its first head stands for all of it. */
export const arrangedSubject = z.strictObject({
  /** Centre of the head, in parts of the picture's width from the left and of its height from the top. */
  x: z.number().min(-0.5).max(1.5),
  y: z.number().min(-0.5).max(1.5),
  /** Size of the head in parts of the picture's height. */
  size: z.number().min(arrangementLimits.sizeMin).max(arrangementLimits.sizeMax),
  /** Clockwise, from upright. */
  turnDegrees: z
    .number()
    .min(-arrangementLimits.turnDegreesMax)
    .max(arrangementLimits.turnDegreesMax),
  mirrored: z.boolean(),
})
export type ArrangedSubject = z.infer<typeof arrangedSubject>

/** Everything that tells one variation of a generation from another. */
export const arrangement = z
  .strictObject({
    aspect: z.enum(selfieAspects),
    /** `own` is the background of the person's photo, with all people removed. */
    scene: z.enum(sceneNames),
    /** The user, or the user and who stays with them, then the stars. */
    subjects: z.array(arrangedSubject).min(2).max(arrangementLimits.subjectsMax),
    /** Indexes of `subjects`, each once. */
    frontToBack: z
      .array(
        z
          .number()
          .int()
          .min(0)
          .max(arrangementLimits.subjectsMax - 1),
      )
      .min(2)
      .max(arrangementLimits.subjectsMax),
    /** Of the whole picture: −1 cooler, 1 warmer. */
    warmth: z.number().min(-1).max(1),
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
