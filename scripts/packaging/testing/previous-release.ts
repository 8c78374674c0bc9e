import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@starside/server/platform/db/embedded/running-server.ts'
import { projectFolder } from '../../project-folder.js'
import { waitUntilReady } from './visit.ts'

const run = promisify(execFile)

/** The commit of the newest release that `CHANGELOG.md` names. */
export async function readPreviousRelease(): Promise<string> {
  const changelog = await readFile(path.join(projectFolder, 'CHANGELOG.md'), 'utf8')
  const commit = /^## \d+\.\d+\.\d+ \((?<commit>[0-9a-f]{40})\)$/mu.exec(changelog)?.groups
  if (commit?.['commit'] === undefined) throw new Error('CHANGELOG.md names no release')
  return commit['commit']
}

/** True when this clone holds the commit; a shallow one or an archive doesn't. */
export async function hasCommit(commit: string): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectFolder }).then(
    () => true,
    () => false,
  )
}

/** Brings the files of that commit into a new folder and installs what its program needs. */
export async function installRelease(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const archive = `${folder}.tar`
  await run('git', ['archive', '--output', archive, commit], { cwd: projectFolder })
  await run('tar', ['-xf', archive, '-C', folder])
  const workspaces = ['server', 'engine', 'contract', 'sandbox']
  const selection = workspaces.map((name) => `--workspace=${name}`)
  await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', ...selection], { cwd: folder })
}

/**
 * Runs that release on a data folder, which it makes.
 *
 * @returns its address, and a way to stop it in order
 */
export async function runRelease(
  folder: string,
  dataDir: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      PAYMENT_SANDBOX_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const url = `http://127.0.0.1:${port}`
  if (!(await waitUntilReady(url, () => child.exitCode !== null))) throw new Error(printed)
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
