import { stat } from 'node:fs/promises'
import path from 'node:path'
import { prepareBinaries } from './embedded/binaries.ts'
import { openBoundedLog, type BoundedLog } from './embedded/bounded-log.ts'
import {
  canReach,
  chooseClusterFolder,
  claimClusterFolder,
  clusterName,
  makeHome,
  stateFileName,
} from './embedded/cluster-folder.ts'
import {
  embeddedProblem,
  explainFileErrors,
  type EmbeddedPostgresError,
} from './embedded/embedded-postgres-error.ts'
import { lockFolder, type FolderLock } from './embedded/folder-lock.ts'
import {
  assertSameVersion,
  initialiseCluster,
  writeSettings,
} from './embedded/initialise-cluster.ts'
import {
  invalidatePostmasterFile,
  isAlive,
  isPostgresOf,
  readPostmasterFile,
} from './embedded/postmaster-file.ts'
import { databaseName, databaseUrl, prepareDatabase } from './embedded/prepare-database.ts'
import {
  sendSignal,
  startServer,
  stopServer,
  type RunningServer,
  type ServerPlace,
} from './embedded/running-server.ts'
import { newState, readState, writeState, type DatabaseState } from './embedded/state-file.ts'
import type { SystemUser } from './embedded/run-command.ts'
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

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>

/**
 * Runs the PostgreSQL that came with npm on the data folder: makes the database at the first start,
 * stops a server that a killed program left behind, and lets only one program in.
 *
 * @throws EmbeddedPostgresError with a sentence for the operator; the data is left as it was
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  return explainFileErrors(path.resolve(options.dataDir, 'postgres'), async () => {
    const home = await makeHome(options.dataDir)
    const lock = await lockFolder(home, path.resolve(options.dataDir))
    try {
      return await startLocked(home, lock, options)
    } catch (error) {
      await lock.release()
      throw error
    }
  })
}

async function startLocked(home: string, lock: FolderLock, options: EmbeddedPostgresOptions) {
  const found = await findCluster(home)
  const user = await chooseDatabaseUser(found.exists ? found.cluster : undefined)
  const sharedFolder = options.sharedFolder ?? '/var/lib/starside'
  const binaries = await prepareBinaries(user, sharedFolder, options.log)
  const clusterHome = { home, user, binaries, sharedFolder }
  const { cluster, state } = found.exists
    ? await openCluster(clusterHome, found)
    : await makeCluster(clusterHome, found.state, options)

  const place = { cluster, binaries, user }
  const serverLog = await openBoundedLog(path.join(home, 'postgres.log'))
  const server = await runServer(place, state, { ...options, serverLog }).catch(
    async (error: unknown) => {
      await serverLog.close()
      throw error
    },
  )
  const stopAtExit = () => sendSignal(server.pid, 'SIGINT')
  process.once('exit', stopAtExit)
  await lock.describe({ pid: process.pid, port: server.port })
  const lost = Promise.withResolvers<EmbeddedPostgresError>()
  let stopped: Promise<void> | undefined
  void server.ended.then(() => {
    process.off('exit', stopAtExit)
    if (stopped !== undefined) return
    lost.resolve(embeddedProblem('ended-unexpectedly', 'ended', { pid: server.pid }))
  })
  const stop = async () => {
    await stopServer(place, server.pid)
    await serverLog.close()
    await lock.release()
  }
  return {
    /**
     * Address of the database `starside`, signed in as its owner. Holds the password: never log it.
     */
    url: databaseUrl(databaseName, state.password, server.port, databaseName),
    /** Address of the maintenance database, signed in as the superuser. Never log it. */
    superuserUrl: databaseUrl('postgres', state.superuserPassword, server.port, 'postgres'),
    port: server.port,
    pid: server.pid,
    clusterFolder: cluster,
    /** Resolves if the server ends without `stop`; the program can't go on then. */
    lost: lost.promise,
    /** Stops the server cleanly and gives the data folder free. May be called more than once. */
    stop: () => (stopped ??= stop()),
  }
}

interface ClusterHome extends Omit<ServerPlace, 'cluster'> {
  readonly home: string
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
    throw embeddedProblem('data-folder-damaged', 'noStateFile', { cluster, stateFile })
  }
  if (state?.initialised === true) {
    throw embeddedProblem('data-folder-damaged', 'noCluster', { cluster, home })
  }
  return { exists: false, state }
}

async function openCluster(
  { home, binaries, user }: ClusterHome,
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
  { home, user, binaries, sharedFolder }: ClusterHome,
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

/** Starts a server on the folder, and makes sure that it is ours. */
async function runServer(
  place: ServerPlace,
  state: DatabaseState,
  options: EmbeddedPostgresOptions & { readonly serverLog: BoundedLog },
): Promise<RunningServer> {
  const { cluster, user } = place
  const { log, signal, durable = true, serverLog } = options
  signal?.throwIfAborted()
  await endEarlierServer(place, state, log)
  await writeSettings(cluster, user)
  const server = await startServer({ ...place, serverLog, log, durable, signal })
  try {
    await prepareDatabase(server.port, cluster, state)
    return server
  } catch (error) {
    await stopServer(place, server.pid)
    throw error
  }
}

/** Stops what a killed program left running on the folder, after proof that it is ours. */
async function endEarlierServer(
  place: ServerPlace,
  state: DatabaseState,
  log: (sentence: string) => void,
): Promise<void> {
  const { cluster } = place
  const file = await readPostmasterFile(cluster)
  if (file === undefined || !isAlive(file.pid)) return
  const { pid, port, status } = file
  if (await isPostgresOf(pid, cluster)) {
    log(`An earlier program left PostgreSQL running (process ${pid}); it is started anew.`)
    if (status === 'ready' && port !== undefined) await prepareDatabase(port, cluster, state)
    await stopServer(place, pid)
  } else {
    log(`PostgreSQL was killed earlier; its process id ${pid} is another program's now.`)
    await invalidatePostmasterFile(cluster)
  }
}

async function assertReachable(cluster: string, user: SystemUser | undefined): Promise<void> {
  if (user === undefined || (await canReach(user, cluster))) return
  throw embeddedProblem('no-permission', 'closedFolder', { cluster, user: user.name })
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
