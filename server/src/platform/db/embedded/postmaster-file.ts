import { readFile, readlink, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, undefinedWhenMissing } from '../../errors/code-of.ts'
import { runCommand } from './run-command.ts'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number | undefined
  readonly status: string
}

const fileName = 'postmaster.pid'

/** Reads the file, or answers `undefined` when there is none (or none with a process id). */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path.join(cluster, fileName), 'utf8').catch(undefinedWhenMissing)
  return parsePostmasterFile(text ?? '')
}

/** Reads `postmaster.pid` (PostgreSQL's `miscadmin.h`, LOCK_FILE_LINE_*); the port comes later. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    status: lines[7] ?? 'unknown',
  }
}

/** True when the process runs and is the PostgreSQL of this folder; a zombie doesn't count. */
export async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  const folder = await realpath(cluster)
  if (process.platform === 'linux') {
    // A postmaster's working folder is its data folder.
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    return workingFolder === folder && program.startsWith('postgres')
  }
  if (process.platform === 'win32') {
    const { stdout } = await runCommand('tasklist', ['/FI', `PID eq ${pid}`, '/NH'])
    return stdout.toLowerCase().includes('postgres')
  }
  const { code, stdout } = await runCommand('ps', ['-p', String(pid), '-o', 'stat=,command='])
  return (
    code === 0 && !stdout.startsWith('Z') && stdout.includes('postgres') && stdout.includes(cluster)
  )
}

/** True when a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Writes a process id that can't exist into a file left by a killed PostgreSQL whose number another
 * program has got since. The rest stays: PostgreSQL reads there which shared memory to check for
 * surviving processes before it removes the file itself.
 */
export async function invalidatePostmasterFile(cluster: string): Promise<void> {
  const file = path.join(cluster, fileName)
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
  const pidThatCannotExist = '999999999'
  await writeFile(file, [pidThatCannotExist, ...rest].join('\n'))
}
