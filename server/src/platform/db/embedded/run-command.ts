import { execFile } from 'node:child_process'

/** An account of the operating system under which PostgreSQL's programs run. */
export interface SystemUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** What a finished command left: `code` is -1 when it could not be started or was ended by a signal. */
export interface CommandOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  /** The account to run as; the present one when left out. Only root may choose. */
  readonly user?: SystemUser | undefined
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

/** Runs a program to its end without a shell; at most 1 MB of output is kept. Never rejects. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      {
        cwd: options.cwd ?? '/',
        env: childEnvironment(),
        timeout: options.timeoutMs ?? 60_000,
        maxBuffer: 1_000_000,
        windowsHide: true,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(options.user === undefined ? {} : { uid: options.user.uid, gid: options.user.gid }),
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        const reason = error !== null && code === -1 ? `\n${error.message}` : ''
        resolve({ code, stdout, stderr: stderr + reason })
      },
    )
  })
}

/**
 * The environment of PostgreSQL's programs: none of ours, which may hold secrets, and no PG*
 * variable that would steer them elsewhere.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return process.platform === 'win32'
    ? { LC_ALL: 'C', TZ: 'UTC' }
    : { LC_ALL: 'C', TZ: 'UTC', PATH: systemPath }
}
