import path from 'node:path'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { clusterName } from './embedded/cluster-folder.ts'
import { embeddedProblem, explainFileErrors } from './embedded/embedded-postgres-error.ts'
import { isPostgresOf, readPostmasterFile } from './embedded/postmaster-file.ts'
import { databaseName, databaseUrl } from './embedded/prepare-database.ts'
import { readState } from './embedded/state-file.ts'
import { assertMigrated } from './migrate.ts'

/** Which database is used; without a URL it is the embedded one in the data folder. */
export interface DatabaseSettings {
  readonly databaseUrl: string | undefined
  readonly dataFolder: string
}

/** The database that the settings name, ready to be connected to. */
export interface StartedDatabase {
  /** Holds a password: never log it. */
  url: string
  /** Resolves with the reason when the database ends by itself; never for an outside one. */
  lost: Promise<Error>
  stop(): Promise<void>
}

/** The PostgreSQL of DATABASE_URL, or the embedded one of the data folder, made when missing. */
export async function startDatabase(
  config: DatabaseSettings,
  tell: (sentence: string) => void,
): Promise<StartedDatabase> {
  if (config.databaseUrl !== undefined) return outsideDatabase(config.databaseUrl)
  return startEmbeddedPostgres({ dataDir: config.dataFolder, log: tell })
}

/**
 * The same for a command beside the program: an embedded database that the program is running is
 * shared instead of being started and stopped, and a missing one is never made.
 *
 * @throws EmbeddedPostgresError, DatabaseError with a sentence that names what was looked for
 */
export async function openExistingDatabase(
  config: DatabaseSettings,
  tell: (sentence: string) => void,
): Promise<StartedDatabase> {
  if (config.databaseUrl !== undefined) {
    await assertMigrated(config.databaseUrl)
    return outsideDatabase(config.databaseUrl)
  }
  const home = path.join(config.dataFolder, 'postgres')
  return explainFileErrors(home, async () => {
    const url = await findRunningDatabase(home)
    if (url !== undefined) return outsideDatabase(url)
    const state = await readState(home)
    if (state?.initialised !== true) {
      throw embeddedProblem('no-database', 'missing', { dataFolder: config.dataFolder })
    }
    return startDatabase(config, tell)
  })
}

/** Does something with a database by its address, and stops it then. */
export async function useDatabase<Result>(
  opening: Promise<StartedDatabase>,
  act: (url: string) => Promise<Result>,
): Promise<Result> {
  const database = await opening
  try {
    return await act(database.url)
  } finally {
    await database.stop()
  }
}

function outsideDatabase(url: string): StartedDatabase {
  return { url, lost: new Promise(() => undefined), stop: async () => undefined }
}

/** Address of the embedded database that runs on `home` now, with its password: never log it. */
async function findRunningDatabase(home: string): Promise<string | undefined> {
  const state = await readState(home)
  if (state === undefined) return undefined
  const cluster = path.resolve(home, state.clusterFolder ?? clusterName)
  const file = await readPostmasterFile(cluster)
  if (file?.status !== 'ready' || file.port === undefined) return undefined
  if (!(await isPostgresOf(file.pid, cluster))) return undefined
  return databaseUrl(databaseName, state.password, file.port, databaseName)
}
