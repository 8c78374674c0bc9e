import { stat } from 'node:fs/promises'
import path from 'node:path'
import { prepareBinaries } from './embedded/binaries.ts'
import {
  assertSameVersion,
  canReach,
  chooseClusterFolder,
  claimClusterFolder,
  clusterName,
  initialiseCluster,
  makeHome,
  writeSettings,
} from './embedded/cluster-folder.ts'
import {
  embeddedProblem,
  explainFileErrors,
  type EmbeddedPostgresError,
} from './embedded/embedded-postgres-error.ts'
import { lockFolder, type FolderLock } from './embedded/folder-lock.ts'
import {
  invalidatePostmasterFile,
  isAlive,
  isPostgresOf,
  readPostmasterFile,
} from './embedded/postmaster-file.ts'
import { databaseName, databaseUrl, prepareDatabase } from './embedded/prepare-database.ts'
import {
  openBoundedLog,
  sendSignal,
  startServer,
  stopServer,
  type BoundedLog,
  type ServerPlace,
} from './embedded/running-server.ts'
import {
  newState,
  readState,
  stateFileOf,
  writeState,
  type DatabaseState,
} from './embedded/state-file.ts'
import { chooseDatabaseUser } from './embedded/system-user.ts'

export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'

export interface EmbeddedPostgresOptions {
  /** The program's data folder; PostgreSQL lives in its subfolder `postgres`. Made when missing. */
  readonly dataDir: string
  /** Takes one sentence for the operator. Never holds a secret. */
  readonly log: (sentence: string) => void
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
  const { log, sharedFolder = '/var/lib/starside' } = options
  const found = await findCluster(home)
  const user = await chooseDatabaseUser(found.exists ? found.cluster : undefined)
  const binaries = await prepareBinaries(user, sharedFolder, log)
  const state =
    found.state ?? newState(await chooseClusterFolder(home, user, { sharedFolder, log }))
  const place = { cluster: path.resolve(home, state.clusterFolder), binaries, user }
  await (found.exists ? checkCluster(home, place) : makeCluster(home, place, state, options))
  // Also where a crash came between the making of the cluster and this note.
  if (!state.initialised) await writeState(home, { ...state, initialised: true })

  const serverLog = await openBoundedLog(path.join(home, 'postgres.log'))
  const server = await runServer(place, state, { ...options, serverLog }).catch(
    async (error: unknown) => {
      await serverLog.close()
      throw error
    },
  )
  const stopAtExit = () => sendSignal(server.pid, 'SIGINT')
  process.once('exit', stopAtExit)
  await lock.describe(server.port)
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
    /** Address of the database, with its owner's password: never log it. */
    url: databaseUrl(databaseName, state.password, server.port, databaseName),
    /** Address of the maintenance database, signed in as the superuser. Never log it. */
    superuserUrl: databaseUrl('postgres', state.superuserPassword, server.port, 'postgres'),
    port: server.port,
    pid: server.pid,
    clusterFolder: place.cluster,
    /** Resolves if the server ends without `stop`; the program can't go on then. */
    lost: lost.promise,
    /** Stops the server cleanly and gives the data folder free. May be called more than once. */
    stop: () => (stopped ??= stop()),
  }
}

/** Reads what the data folder says, and refuses what would lose data if we began anew. */
async function findCluster(home: string) {
  const state = await readState(home)
  const cluster = path.resolve(home, state?.clusterFolder ?? clusterName)
  const exists = await stat(cluster).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (exists && state === undefined) {
    const stateFile = stateFileOf(home)
    throw embeddedProblem('data-folder-damaged', 'noStateFile', { cluster, stateFile })
  }
  if (!exists && state?.initialised === true) {
    throw embeddedProblem('data-folder-damaged', 'noCluster', { cluster, home })
  }
  return { exists, cluster, state }
}

async function checkCluster(home: string, { cluster, binaries, user }: ServerPlace): Promise<void> {
  await claimClusterFolder(home, cluster)
  if (user !== undefined && !(await canReach(user, cluster))) {
    throw embeddedProblem('no-permission', 'closedFolder', { cluster, user: user.name })
  }
  await assertSameVersion(cluster, binaries.version)
}

async function makeCluster(
  home: string,
  place: ServerPlace,
  state: DatabaseState,
  { log }: EmbeddedPostgresOptions,
): Promise<void> {
  await writeState(home, state)
  await claimClusterFolder(home, place.cluster)
  log('Making a new database.')
  await explainFileErrors(path.dirname(place.cluster), () =>
    initialiseCluster(place, state.superuserPassword),
  )
}

/** Starts a server on the folder, and makes sure that it is ours. */
async function runServer(
  place: ServerPlace,
  state: DatabaseState,
  options: EmbeddedPostgresOptions & { readonly serverLog: BoundedLog },
) {
  const { cluster, user } = place
  const { log, durable = true, serverLog } = options
  await endEarlierServer(place, state, log)
  await writeSettings(cluster, user)
  const server = await startServer({ ...place, serverLog, log, durable })
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
