import { stat } from 'node:fs/promises'
import { embeddedProblem } from './embedded-postgres-error.ts'
import { runCommand, type SystemUser } from './run-command.ts'

/** The account under which the database runs when the program itself runs as root. */
export const databaseUserName = 'starside-postgres'

/**
 * Chooses the account PostgreSQL runs under: the present one (answered as `undefined`), unless that
 * is root, whom PostgreSQL refuses. Then it is the owner of an existing cluster, else a system user
 * made for this purpose without password, home or shell.
 *
 * @param clusterFolder an existing cluster, if there is one
 */
export async function chooseDatabaseUser(
  clusterFolder: string | undefined,
): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = clusterFolder === undefined ? undefined : await stat(clusterFolder)
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  return (await lookUpUser(databaseUserName)) ?? createUser(databaseUserName)
}

async function lookUpUser(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all([
    runCommand('id', ['-u', name]),
    runCommand('id', ['-g', name]),
  ])
  if (uid.code !== 0 || gid.code !== 0) return undefined
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

async function createUser(name: string): Promise<SystemUser> {
  const attempts = [
    'useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin',
    'adduser -S -D -H -s /sbin/nologin',
  ]
  const reports: string[] = []
  for (const attempt of attempts) {
    const [command = '', ...args] = attempt.split(' ')
    const outcome = await runCommand(command, [...args, name])
    const user = await lookUpUser(name)
    if (user !== undefined) return user
    reports.push(outcome.stderr.trim())
  }
  throw embeddedProblem('no-user', 'notMade', { name, reasons: reports.join('; ') })
}
