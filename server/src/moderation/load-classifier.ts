import { pathToFileURL } from 'node:url'
import { createModelProcess } from '@starside/engine/models/model-process.ts'
import type { ModelProcess } from '@starside/engine/models/model-process.ts'
import { z } from 'zod'
import { SettingsError } from '../platform/settings/settings-error.ts'
import type { ClassifierSettings, PictureClassifier } from './classifier-settings.ts'
import { judgeScores } from './nsfw/nsfw-scores.ts'
import type { NsfwScores, NsfwThresholds } from './nsfw/nsfw-scores.ts'

/** Opens `nsfwjs` or a module whose default export makes a classifier. Throws `SettingsError`. */
export async function loadClassifier(
  settings: ClassifierSettings,
): Promise<PictureClassifier | undefined> {
  const { module: file, thresholds } = settings
  if (file === undefined) return undefined
  if (file === 'nsfwjs') return openNsfwClassifier(thresholds)
  const make = await loadDefaultExport(file)
  const made: unknown = typeof make === 'function' ? await make() : make
  const isClassifier = (value: unknown): value is PictureClassifier =>
    classifierShape.safeParse(value).success
  if (isClassifier(made)) return made
  throw new SettingsError(
    'MODERATION_CLASSIFIER must be a module whose default export makes {name, judge(picture, options)}, with an optional text sendsPhotosTo.',
  )
}

async function loadDefaultExport(file: string): Promise<unknown> {
  try {
    const loaded: unknown = await import(pathToFileURL(file).href)
    return typeof loaded === 'object' && loaded !== null && 'default' in loaded
      ? loaded.default
      : undefined
  } catch (error) {
    throw new SettingsError(`MODERATION_CLASSIFIER can't be loaded: ${String(error)}`)
  }
}

const classifierShape = z.object({
  name: z.string(),
  judge: z.custom<PictureClassifier['judge']>((value) => typeof value === 'function'),
  sendsPhotosTo: z.string().optional(),
})

export const nsfwProcess = {
  name: 'the classifier',
  processFile: new URL('nsfw/nsfw-child.ts', import.meta.url),
}

/** nsfwjs (MIT) on this machine; throws `SettingsError` when packages are missing or don't run. */
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
