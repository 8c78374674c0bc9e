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

/** A model that judges pictures: nsfwjs, or the operator's own. By default there is none. */
export interface PictureClassifier {
  /** Written into the record beside every refusal. */
  readonly name: string
  /** The outside service that gets photos, named where people choose one; undefined: none does. */
  readonly sendsPhotosTo?: string
  /** Why an upright JPEG or PNG (at most 2048 px) is refused, or undefined; errors let it pass. */
  judge(
    picture: Uint8Array,
    options: { kind: 'photo' | 'result'; signal: AbortSignal },
  ): Promise<string | undefined>
}
