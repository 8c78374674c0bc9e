import { z } from 'zod'
import type { NsfwThresholds } from './nsfw/nsfw-scores.ts'

/** What the environment says about the classifier of pictures. */
export interface ClassifierSettings {
  /** `nsfwjs`, or the file of a module that makes a `PictureClassifier`; undefined: none. */
  module: string | undefined
  /** Of nsfwjs: from which score on a class refuses. */
  thresholds: NsfwThresholds
}

const score = z.coerce.number().min(0).max(1)

/** The variables about the classifier; part of the environment's schema. */
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
