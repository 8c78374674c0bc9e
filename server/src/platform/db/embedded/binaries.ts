import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../errors/code-of.ts'
import { parseJson } from '../../http/read-object.ts'
import { embeddedProblem } from './embedded-postgres-error.ts'
import { runCommand, type SystemUser } from './run-command.ts'

/** The programs of one PostgreSQL, as absolute paths, and their version, for example `18.4`. */
export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  readonly version: string
}

/**
 * Finds the PostgreSQL that came with npm and makes sure that the given account can run it. Below a
 * folder closed to that account (such as root's home) it takes a copy in a folder open to it.
 *
 * @param user the account PostgreSQL runs under; `undefined` for the present one
 * @param sharedFolder where copies go, for example `/var/lib/starside`
 */
export async function prepareBinaries(
  user: SystemUser | undefined,
  sharedFolder: string,
  log: (sentence: string) => void,
): Promise<PostgresBinaries> {
  const installed = locateInstalledFolder()
  await addMissingLinks(installed)
  let binaries = await tryBinaries(installed, user)
  if (typeof binaries === 'string' && user !== undefined) {
    binaries = await tryBinaries(await copyForUser(installed, sharedFolder, log), user)
  }
  if (typeof binaries !== 'string') return binaries
  throw embeddedProblem('no-binaries', 'broken', { reason: binaries })
}

/** Starts `postgres --version` as the user: path, permissions, libraries. Gives what is wrong. */
async function tryBinaries(folder: string, user: SystemUser | undefined) {
  const program = (name: string) =>
    path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  const postgres = program('postgres')
  const outcome = await runCommand(postgres, ['--version'], { user, timeoutMs: 20_000 })
  const version = /\(PostgreSQL\) (\d+(?:\.\d+)*)/u.exec(outcome.stdout)?.[1]
  if (version === undefined) return outcome.stderr.trim().slice(0, 500)
  const catalogue = path.join(folder, 'share', 'postgresql', 'postgres.bki')
  if (user !== undefined && (await runCommand('test', ['-r', catalogue], { user })).code !== 0) {
    return `${catalogue} can't be read by ${user.name}`
  }
  return { postgres, initdb: program('initdb'), pgCtl: program('pg_ctl'), version }
}

function locateInstalledFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const packageName = `@embedded-postgres/${system}-${process.arch}`
  try {
    const requireHere = createRequire(import.meta.url)
    const requireThere = createRequire(requireHere.resolve('embedded-postgres'))
    return path.resolve(path.dirname(requireThere.resolve(packageName)), '..', 'native')
  } catch (error) {
    throw embeddedProblem('no-binaries', 'none', { packageName }, { cause: error })
  }
}

const symbolicLinks = z.array(z.object({ source: z.string(), target: z.string() }))

/** Makes the links to shared libraries that npm leaves to an install script, if it was skipped. */
export async function addMissingLinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '')
  for (const { source, target } of symbolicLinks.safeParse(parseJson(list)).data ?? []) {
    const link = path.resolve(folder, '..', target)
    await symlink(path.relative(path.dirname(target), source), link).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return
      throw embeddedProblem('no-permission', 'libraryLink', { link }, { cause: error })
    })
  }
}

/** Copies the programs under a name with their version, complete or not at all. */
async function copyForUser(
  installed: string,
  sharedFolder: string,
  log: (sentence: string) => void,
): Promise<string> {
  const packageText = await readFile(path.resolve(installed, '..', 'package.json'), 'utf8')
  const version = /"version":\s*"([\w.+-]+)"/u.exec(packageText)?.[1] ?? 'unknown'
  const target = path.join(sharedFolder, `postgresql-${version}`)
  const present = await readdir(target).catch(() => [])
  if (present.length > 0) return target

  log(
    `PostgreSQL's programs lie below a folder that is closed to its own system user; ` +
      `they are copied to ${target}.`,
  )
  await mkdir(sharedFolder, { recursive: true })
  await chmod(sharedFolder, 0o755)
  const unfinished = `${target}.${randomBytes(6).toString('hex')}`
  try {
    await cp(installed, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    })
    await runCommand('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another program may have been quicker with the same copy.
    if ((await readdir(target).catch(() => [])).length === 0) throw error
  }
  return target
}
