import { stat } from 'node:fs/promises'
import path from 'node:path'
import { prepareBinaries, type PostgresBinaries } from './embedded/binaries.ts'
import { openBoundedLog, type BoundedLog } from './embedded/bounded-log.ts'
import {
  canReach,
  chooseClusterFolder,
  claimClusterFolder,
  clusterName,
  makeHome,
  stateFileName,
} from './embedded/cluster-folder.ts'
import { EmbeddedPostgresError, explainFileErrors } from './embedded/embedded-postgres-error.ts'
import { isAlive, lockFolder, type FolderLock } from './embedded/folder-lock.ts'
import {
  assertSameVersion,
  initialiseCluster,
  writeSettings,
} from './embedded/initialise-cluster.ts'
import { invalidatePostmasterFile, readPostmasterFile } from './embedded/postmaster-file.ts'
import { databaseName, databaseUrl, prepareDatabase } from './embedded/prepare-database.ts'
import type { SystemUser } from './embedded/run-command.ts'
import {
  findRunningServer,
  sendSignal,
  startServer,
  stopServer,
  type RunningServer,
  watchServer,
} from './embedded/running-server.ts'
import { newState, readState, writeState, type DatabaseState } from './embedded/state-file.ts'
import { chooseDatabaseUser } from './embedded/system-user.ts'

export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'

export interface EmbeddedPostgresOptions {
  /** The program's data folder; PostgreSQL lives in its subfolder `postgres`. Made when missing. */
  readonly dataDir: string
  /** Takes one sentence for the operator. Never holds a secret. */
  readonly log: (sentence: string) => void
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal
  /** Where root's PostgreSQL goes when its user can't reach the data folder. */
  readonly sharedFolder?: string
  /** False only for tests: quicker, but a power cut may destroy the data. */
  readonly durable?: boolean
}

export interface EmbeddedPostgres {
  /**
   * Address of the database `starside`, signed in as its owner. Holds the password: never log it.
   */
  readonly url: string
  /** Address of the maintenance database, signed in as the superuser. Never log it. */
  readonly superuserUrl: string
  readonly port: number
  readonly pid: number
  /** True when an earlier, killed program had left this server running. */
  readonly adopted: boolean
  readonly clusterFolder: string
  /** Resolves if the server ends without {@link stop}; the program can't go on then. */
  readonly lost: Promise<EmbeddedPostgresError>
  /** Stops the server cleanly and gives the data folder free. May be called more than once. */
  stop(): Promise<void>
}

/**
 * Runs the PostgreSQL that came with npm on the data folder: makes the database at the first start,
 * adopts a server that a killed program left behind, and lets only one program in.
 *
 * @throws EmbeddedPostgresError with a sentence for the operator; the data is left as it was
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  return explainFileErrors(path.resolve(options.dataDir, 'postgres'), async () => {
    const home = await makeHome(options.dataDir)
    const lock = await lockFolder(home, {
      dataDir: path.resolve(options.dataDir),
      log: options.log,
    })
    try {
      return await startLocked(home, lock, options)
    } catch (error) {
      await lock.release()
      throw error
    }
  })
}

async function startLocked(
  home: string,
  lock: FolderLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const found = await findCluster(home)
  const user = await chooseDatabaseUser(found.exists ? found.cluster : undefined)
  const sharedFolder = options.sharedFolder ?? '/var/lib/starside'
  const binaries = await prepareBinaries(user, sharedFolder, options.log)
  const place = { home, user, binaries, sharedFolder }
  const { cluster, state } = found.exists
    ? await openCluster(place, found)
    : await makeCluster(place, found.state, options)

  const server = await runServer({ ...place, cluster, state }, options)
  const stopAtExit = () => sendSignal(server.pid, 'SIGINT')
  process.once('exit', stopAtExit)
  await lock.describe({ pid: process.pid, port: server.port })
  const watch = watchServer(server, cluster)
  const stop = async () => {
    watch.end()
    await stopServer(server, cluster, binaries)
    process.off('exit', stopAtExit)
    await server.serverLog.close()
    await lock.release()
  }
  let stopped: Promise<void> | undefined
  return {
    url: databaseUrl(databaseName, state.password, server.port, databaseName),
    superuserUrl: databaseUrl('postgres', state.superuserPassword, server.port, 'postgres'),
    port: server.port,
    pid: server.pid,
    adopted: server.adopted,
    clusterFolder: cluster,
    lost: watch.lost,
    stop: async () => (stopped ??= stop()),
  }
}

interface ClusterPlace {
  readonly home: string
  readonly user: SystemUser | undefined
  readonly binaries: PostgresBinaries
  readonly sharedFolder: string
}

type FoundCluster =
  | { readonly exists: true; readonly cluster: string; readonly state: DatabaseState }
  | { readonly exists: false; readonly state: DatabaseState | undefined }

/** Reads what the data folder says, and refuses what would lose data if we began anew. */
async function findCluster(home: string): Promise<FoundCluster> {
  const stateFile = path.join(home, stateFileName)
  const state = await readState(stateFile)
  const cluster = path.resolve(home, state?.clusterFolder ?? clusterName)
  if (await isFolder(cluster)) {
    if (state !== undefined) return { exists: true, cluster, state }
    throw new EmbeddedPostgresError(
      'data-folder-damaged',
      `The database in ${cluster} can't be opened without the file ${stateFile}, which holds its ` +
        'password. Restore that file from a backup.',
    )
  }
  if (state?.initialised === true) {
    throw new EmbeddedPostgresError(
      'data-folder-damaged',
      `The database of this data folder isn't in ${cluster} any more. Put it back from a backup ` +
        `(or mount its disk), or remove ${home} to begin with an empty one.`,
    )
  }
  return { exists: false, state }
}

async function openCluster(
  { home, binaries, user }: ClusterPlace,
  { cluster, state }: { readonly cluster: string; readonly state: DatabaseState },
): Promise<{ cluster: string; state: DatabaseState }> {
  await claimClusterFolder(home, cluster)
  await assertReachable(cluster, user)
  await assertSameVersion(cluster, binaries)
  // A crash may have come between the making of the cluster and this note.
  if (!state.initialised) await writeInitialised(home, state)
  return { cluster, state }
}

async function makeCluster(
  { home, user, binaries, sharedFolder }: ClusterPlace,
  earlier: DatabaseState | undefined,
  { log, signal }: EmbeddedPostgresOptions,
): Promise<{ cluster: string; state: DatabaseState }> {
  const state = earlier ?? newState(await chooseClusterFolder(home, user, sharedFolder, log))
  if (earlier === undefined) await writeState(path.join(home, stateFileName), state)
  const cluster = path.resolve(home, state.clusterFolder)
  await claimClusterFolder(home, cluster)
  log('Making a new database.')
  await explainFileErrors(path.dirname(cluster), async () => {
    const { superuserPassword } = state
    await initialiseCluster({ cluster, binaries, user, superuserPassword, signal })
  })
  await writeInitialised(home, state)
  return { cluster, state }
}

async function writeInitialised(home: string, state: DatabaseState): Promise<void> {
  await writeState(path.join(home, stateFileName), { ...state, initialised: true })
}

/** Adopts the server that runs on the folder, or starts one, and makes sure that it is ours. */
async function runServer(
  place: ClusterPlace & { readonly cluster: string; readonly state: DatabaseState },
  { log, signal, durable = true }: EmbeddedPostgresOptions,
): Promise<RunningServer & { readonly serverLog: BoundedLog }> {
  const { cluster, binaries, user } = place
  const serverLog = await openBoundedLog(path.join(place.home, 'postgres.log'))
  let server: RunningServer | undefined
  try {
    server = await findRunningServer(cluster, signal)
    if (server === undefined) {
      await invalidateForeignPostmasterFile(cluster, log)
      await writeSettings(cluster, user)
      server = await startServer({ cluster, binaries, user, serverLog, log, durable, signal })
    } else {
      log(`An earlier program left PostgreSQL running (process ${server.pid}); going on with it.`)
    }
    await prepareDatabase(server.port, cluster, place.state)
    return { ...server, serverLog }
  } catch (error) {
    if (server?.adopted === false) await stopServer(server, cluster, binaries)
    await serverLog.close()
    throw error
  }
}

/** After a kill, the number in the file left behind may by now be another program's. */
async function invalidateForeignPostmasterFile(
  cluster: string,
  log: (sentence: string) => void,
): Promise<void> {
  const file = await readPostmasterFile(cluster)
  if (file === undefined || !isAlive(file.pid)) return
  log(`PostgreSQL was killed earlier; its process id ${file.pid} is another program's now.`)
  await invalidatePostmasterFile(cluster)
}

async function assertReachable(cluster: string, user: SystemUser | undefined): Promise<void> {
  if (user === undefined || (await canReach(user, cluster))) return
  throw new EmbeddedPostgresError(
    'no-permission',
    `The database folder ${cluster} can't be reached by its owner, ${user.name}: one of the ` +
      'folders above it is closed to others. Open it for entering (chmod o+x).',
  )
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
