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
    .optional()
    .meta({
      description:
        '`nsfwjs`, or a module (file) that judges photos and results; see `docs/trust.md`.',
    }),
  MODERATION_PORN_FROM: score
    .default(0.9)
    .meta({ description: 'From which score of nsfwjs on a picture is refused as porn.' }),
  MODERATION_HENTAI_FROM: score.default(0.9).meta({ description: 'The same for drawn porn.' }),
  MODERATION_SEXY_FROM: score.optional().meta({
    description:
      'The same for clothes and poses; not set: never, as it is often wrong about dressed people.',
  }),
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
