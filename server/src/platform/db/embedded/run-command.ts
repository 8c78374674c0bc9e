import { execFile, type SpawnOptions } from 'node:child_process'

/** An account of the operating system under which PostgreSQL's programs run. */
export type SystemUser = { readonly name: string; readonly uid: number; readonly gid: number }

/**
 * Runs a program to its end without a shell; at most 1 MB of output is kept. Never rejects.
 *
 * @param options.user the account to run as; the present one when left out. Only root may choose.
 * @returns what it left: `code` is -1 when it could not be started or was ended by a signal
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: { user?: SystemUser | undefined; cwd?: string; timeoutMs?: number } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { user, cwd = '/', timeoutMs: timeout = 60_000 } = options
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { ...childOptions(user), cwd, timeout, maxBuffer: 1_000_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        const reason = error !== null && code === -1 ? `\n${error.message}` : ''
        resolve({ code, stdout, stderr: stderr + reason })
      },
    )
  })
}

/** Runs PostgreSQL's programs as the account, without our environment's secrets and PG* values. */
export function childOptions(
  user: SystemUser | undefined,
): Pick<SpawnOptions, 'env' | 'windowsHide' | 'uid' | 'gid'> {
  const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return {
    env: { LC_ALL: 'C', TZ: 'UTC', ...(process.platform !== 'win32' && { PATH: systemPath }) },
    windowsHide: true,
    ...(user && { uid: user.uid, gid: user.gid }),
  }
}
