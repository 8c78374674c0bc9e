import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { parseJson, readObject } from '../../http/read-object.ts'
import { renameFlushed } from '../../storage/write-flushed.ts'
import { embeddedProblem, saysDiskIsFull } from './embedded-postgres-error.ts'
import initdbArgs from './initdb.json' with { type: 'json' }
import { runCommand, type SystemUser } from './run-command.ts'
import type { ServerPlace } from './running-server.ts'
import settings from './settings.json' with { type: 'json' }
import { readState, stateFileOf } from './state-file.ts'

/** The folder of PostgreSQL's own files, below the home or below the shared folder. */
export const clusterName = 'cluster'
const ownerFileName = 'data-folder.json'

/**
 * Chooses where a new database goes: beside the state file, or, when the account PostgreSQL runs
 * under can't get there (the clone lies below root's home, say), below the shared folder.
 *
 * @param home `<data folder>/postgres`
 * @param options.sharedFolder for example `/var/lib/starside`
 * @returns the cluster folder, not yet made: `cluster` or an absolute path
 */
export async function chooseClusterFolder(
  home: string,
  user: SystemUser | undefined,
  { sharedFolder, log }: { sharedFolder: string; log: (sentence: string) => void },
): Promise<string> {
  if (user === undefined || (await canReach(user, home))) return clusterName

  const name = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const earlier = (await readdir(sharedFolder).catch(() => [])).filter((entry) =>
    entry.startsWith(`${name}-`),
  )
  const place = path.join(sharedFolder, `${name}-${randomBytes(4).toString('hex')}`)
  await mkdir(place, { recursive: true })
  await chmod(sharedFolder, 0o755)
  await chmod(place, 0o755)
  await claimClusterFolder(home, path.join(place, clusterName))
  log(
    `PostgreSQL can't run as root, and its system user ${user.name} can't reach ${home}. ` +
      `The database's files are therefore kept in ${place}; ${stateFileOf(home)} points there.`,
  )
  if (earlier.length > 0) {
    log(
      `An earlier database of this data folder is still in ${path.join(sharedFolder, earlier[0] ?? '')}.`,
    )
  }
  return path.join(place, clusterName)
}

/** True when the account can enter the folder, found by trying. */
export async function canReach(user: SystemUser, folder: string): Promise<boolean> {
  const outcome = await runCommand('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { user })
  return outcome.code === 0
}

/** Refuses a copied data folder that points to the original's database; accepts a moved one. */
export async function claimClusterFolder(home: string, cluster: string): Promise<void> {
  if (path.dirname(cluster) === home) return
  const ownerFile = path.join(path.dirname(cluster), ownerFileName)
  const other = parseOwner(await readFile(ownerFile, 'utf8').catch(() => ''))
  if (other === home) return
  if (other !== undefined && (await pointsTo(other, cluster))) {
    throw embeddedProblem('data-folder-copied', 'copied', { home, other, cluster })
  }
  await writeFile(ownerFile, `${JSON.stringify({ dataFolder: home })}\n`, { mode: 0o600 })
}

async function pointsTo(home: string, cluster: string): Promise<boolean> {
  const state = await readState(home).catch(() => undefined)
  return state !== undefined && path.resolve(home, state.clusterFolder) === cluster
}

function parseOwner(text: string): string | undefined {
  const { dataFolder } = readObject(parseJson(text))
  return typeof dataFolder === 'string' ? dataFolder : undefined
}

/** Makes `<data folder>/postgres`, enterable for the database's account, and gives its real path. */
export async function makeHome(dataDir: string): Promise<string> {
  const home = path.resolve(dataDir, 'postgres')
  await mkdir(home, { recursive: true })
  // Nothing in it but the state file is secret, and that has its own mode.
  if (process.getuid?.() === (await stat(home)).uid) await chmod(home, 0o755)
  return realpath(home)
}

const unfinishedPrefix = 'initialising-'
const settingsFileName = 'starside.conf'

/**
 * Makes a new, empty PostgreSQL in `cluster`: complete or not at all, because `initdb` works in a
 * folder beside it that is renamed at the end. What an interrupted one left is removed. The built-in locale
 * sorts alike on every machine and after every upgrade of its libraries.
 */
export async function initialiseCluster(
  { cluster, binaries, user }: ServerPlace,
  superuserPassword: string,
): Promise<void> {
  const parent = path.dirname(cluster)
  await removeUnfinished(parent)

  const workshop = path.join(parent, unfinishedPrefix + randomBytes(6).toString('hex'))
  await mkdir(workshop, { mode: 0o700 })
  const passwordFile = path.join(workshop, 'password')
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 })
  await give(passwordFile, user)
  await give(workshop, user)
  const unfinished = path.join(workshop, 'cluster')
  try {
    const args = [...initdbArgs, `--pgdata=${unfinished}`, `--pwfile=${passwordFile}`]
    const options = { user, cwd: workshop, timeoutMs: 10 * 60_000 }
    const outcome = await runCommand(binaries.initdb, args, options)
    const words = outcome.stderr.trim().slice(-2000)
    if (outcome.code !== 0) {
      const problem = saysDiskIsFull(words) ? 'disk-full' : 'start-failed'
      throw embeddedProblem(problem, 'initdb', { folder: parent, words })
    }
    await configure(unfinished, user)
    await chmod(unfinished, 0o700)
    await renameFlushed(unfinished, cluster)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function removeUnfinished(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(unfinishedPrefix)) continue
    await rm(path.join(parent, entry), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function configure(cluster: string, user: SystemUser | undefined): Promise<void> {
  await writeFile(
    path.join(cluster, 'postgresql.conf'),
    `\n# Starside's settings, written anew at every start.\ninclude_if_exists '${settingsFileName}'\n` +
      '# Your own settings go below this line; they win.\n',
    { flag: 'a' },
  )
  await writeFile(
    path.join(cluster, 'pg_hba.conf'),
    '# Only over 127.0.0.1 and only with a password.\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
  await writeSettings(cluster, user)
}

/** Writes our settings into the cluster when they changed. */
export async function writeSettings(cluster: string, user: SystemUser | undefined): Promise<void> {
  const file = path.join(cluster, settingsFileName)
  if ((await readFile(file, 'utf8').catch(() => '')) === settingsText) return
  await writeFile(file, settingsText, { mode: 0o600 })
  await give(file, user)
}

/**
 * For a small machine; every transaction reaches the disk before it is acknowledged. A query whose program
 * died ends and gives its locks back. Neither rows nor statements are logged: they hold e-mail addresses.
 */
const settingsText = Object.entries(settings)
  .map(([name, value]) => `${name} = '${value}'\n`)
  .join('')

async function give(file: string, user: SystemUser | undefined): Promise<void> {
  if (user !== undefined) await chown(file, user.uid, user.gid)
}

/** @throws EmbeddedPostgresError `wrong-version` when another major version made the cluster. */
export async function assertSameVersion(cluster: string, version: string): Promise<void> {
  const found = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === version.split('.')[0]) return
  if (found === '') throw embeddedProblem('data-folder-damaged', 'incompleteCluster', { cluster })
  throw embeddedProblem('wrong-version', 'otherMajor', { cluster, found, version })
}
