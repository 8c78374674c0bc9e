import { z } from 'zod'
import type { NsfwThresholds } from './nsfw/nsfw-scores.ts'

export interface ClassifierSettings {
  /** `nsfwjs`, or the file of a module that makes a `PictureClassifier`; undefined: none. */
  module: string | undefined
  /** Of nsfwjs: from which score on a class refuses. */
  thresholds: NsfwThresholds
}

const score = z.coerce.number().min(0).max(1)

export const classifierVariables = {
  MODERATION_CLASSIFIER: z
    .string()
    .trim()
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
  MODERATION_PORN_FROM: score.default(0.9),
  MODERATION_HENTAI_FROM: score.default(0.9),
  MODERATION_SEXY_FROM: score.optional(),
}

export function readClassifierSettings(
  env: z.output<z.ZodObject<typeof classifierVariables>>,
): ClassifierSettings {
  const sexy = env.MODERATION_SEXY_FROM
  return {
    module: env.MODERATION_CLASSIFIER,
    thresholds: {
      porn: env.MODERATION_PORN_FROM,
      hentai: env.MODERATION_HENTAI_FROM,
      ...(sexy === undefined ? {} : { sexy }),
    },
  }
}

/**
 * A model that judges pictures: nsfwjs, once its packages are installed, or one that the operator
 * brings. By default there is none.
 */
export interface PictureClassifier {
  /** Written into the record beside every refusal. */
  readonly name: string
  /**
   * The outside service that it sends photos to, as people know it. They read so where they choose
   * a photo. Left out: photos stay with this installation.
   */
  readonly sendsPhotosTo?: string
  /**
   * Judges an upright JPEG or PNG of at most 2048 pixels. Answers why it is refused, or undefined.
   * An error counts as no judgement: it is logged, and the picture passes.
   */
  judge(
    picture: Uint8Array,
    options: { kind: 'photo' | 'result'; signal: AbortSignal },
  ): Promise<string | undefined>
}
