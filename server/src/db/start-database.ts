import { join } from 'node:path'
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { findRunningDatabase } from './embedded/find-running-database.ts'

/** The database that the settings name, ready to be connected to. */
export interface StartedDatabase {
  /** Holds a password: never log it. */
  url: string
  /** Resolves with the reason when the database ends by itself; never for an outside one. */
  lost: Promise<Error>
  stop(): Promise<void>
}

/**
 * The PostgreSQL of DATABASE_URL, or the embedded one in the data folder. With `shareRunning`, an
 * embedded one that another program runs already is used instead of being started and stopped.
 */
export async function startDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  tell: (sentence: string) => void,
  options: { shareRunning?: boolean } = {},
): Promise<StartedDatabase> {
  if (config.databaseUrl !== undefined) return outsideDatabase(config.databaseUrl)
  if (options.shareRunning === true) {
    const url = await findRunningDatabase(join(config.dataFolder, 'postgres'))
    if (url !== undefined) return outsideDatabase(url)
  }
  return startEmbeddedPostgres({
    dataDir: config.dataFolder,
    log: tell,
  })
}

function outsideDatabase(url: string): StartedDatabase {
  return { url, lost: new Promise(() => undefined), stop: async () => undefined }
}
