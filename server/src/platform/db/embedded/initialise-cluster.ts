import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { embeddedProblem, saysDiskIsFull } from './embedded-postgres-error.ts'
import initdbArgs from './initdb.json' with { type: 'json' }
import { runCommand, type SystemUser } from './run-command.ts'
import type { ServerPlace } from './running-server.ts'
import settings from './settings.json' with { type: 'json' }
import { renameFlushed } from '../../storage/write-flushed.ts'

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
