import { join } from 'node:path'
import { SettingsError } from '../settings/settings-error.ts'
import { openFolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3Settings } from './s3-settings.ts'
import { openS3Store } from './s3-store.ts'

/** A bucket or the data folder. Wrong keys or name stop the start; no answer is merely logged. */
export async function openStore(
  settings: { s3: S3Settings | undefined; dataFolder: string },
  log: { warn(details: object, message: string): void },
): Promise<ObjectStore> {
  if (settings.s3 === undefined) return openFolderStore(join(settings.dataFolder, 'objects'))
  const store = openS3Store(settings.s3)
  try {
    await store.check()
  } catch (error) {
    if (error instanceof SettingsError) throw error
    log.warn({ err: error }, 'the S3 store does not answer')
  }
  return store
}
