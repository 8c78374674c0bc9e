import path from 'node:path'
import { clusterName, stateFileName } from './cluster-folder.ts'
import { isPostgresOf, readPostmasterFile } from './postmaster-file.ts'
import { databaseName, databaseUrl } from './prepare-database.ts'
import { readState } from './state-file.ts'

/**
 * Address of the embedded database that another program is running on `home` right now, or
 * undefined when none is. Holds the password: never log it.
 */
export async function findRunningDatabase(home: string): Promise<string | undefined> {
  const state = await readState(path.join(home, stateFileName))
  if (state === undefined) return undefined
  const cluster = path.resolve(home, state.clusterFolder ?? clusterName)
  const file = await readPostmasterFile(cluster)
  if (file?.status !== 'ready' || file.port === undefined) return undefined
  if (!(await isPostgresOf(file.pid, cluster))) return undefined
  return databaseUrl(databaseName, state.password, file.port, databaseName)
}
