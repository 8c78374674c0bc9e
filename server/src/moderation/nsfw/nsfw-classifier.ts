import { createModelProcess } from '@starside/engine/models/model-process.ts'
import type { ModelProcess } from '@starside/engine/models/model-process.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { PictureClassifier } from '../picture-classifier.ts'
import { judgeScores } from './nsfw-scores.ts'
import type { NsfwScores, NsfwThresholds } from './nsfw-scores.ts'

/** How its process is started. */
export const nsfwProcess = {
  name: 'the classifier',
  processFile: new URL('nsfw-child.ts', import.meta.url),
}

/**
 * The classifier that `MODERATION_CLASSIFIER=nsfwjs` names: nsfwjs (MIT) on this machine. Photos go
 * nowhere. Throws `SettingsError` when its packages are not installed or don't run here.
 */
export async function openNsfwClassifier(
  thresholds: NsfwThresholds,
  classifier: ModelProcess<NsfwScores> = createModelProcess(nsfwProcess),
): Promise<PictureClassifier> {
  await classifier.start().catch((error: unknown) => {
    const words = error instanceof Error ? error.message : String(error)
    throw new SettingsError(
      words.includes('MODULE_NOT_FOUND')
        ? 'MODERATION_CLASSIFIER=nsfwjs needs its packages: npm ci --prefix server/nsfw-classifier'
        : `MODERATION_CLASSIFIER=nsfwjs does not run here: ${words}`,
    )
  })
  return {
    name: 'nsfwjs',
    async judge(picture, { signal }) {
      return judgeScores(await classifier.ask(picture, signal), thresholds)
    },
  }
}
