import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseJson, readObject } from '../../http/read-object.ts'
import { embeddedProblem } from './embedded-postgres-error.ts'
import { runCommand, type SystemUser } from './run-command.ts'
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

/**
 * Refuses a data folder that is a copy of another one when both point to the same database outside
 * of them; accepts one that was moved.
 */
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
