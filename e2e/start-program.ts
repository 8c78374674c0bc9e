import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertNoSecretsInLog } from './assert-no-secrets-in-log.ts'

const projectFolder = path.join(import.meta.dirname, '..')

/**
 * Starts the real program for all stories, and ends it after the last one. `STORIES_LOG` names the file
 * that its output goes to, mails included.
 */
export default async function startForAll(): Promise<() => Promise<void>> {
  const program = await startProgram(process.env['STORIES_PORT'] ?? '')
  process.env['STORIES_LOG'] = program.logFile
  process.env['STORIES_DATA'] = program.dataFolder
  return program.stop
}

/** The program, started with a data folder of its own. */
export interface StartedProgram {
  url: string
  dataFolder: string
  /** Its output, mails included. */
  logFile: string
  /** Ends it, looks for secrets in its log, and deletes its folder. */
  stop(): Promise<void>
}

/** Starts the real program on a free port with an empty data folder. */
export async function startProgram(port: string): Promise<StartedProgram> {
  if (!existsSync(path.join(projectFolder, 'web/dist/index.html'))) {
    throw new Error('The web app is not built. Run `npm run build -w web` first.')
  }
  const url = `http://localhost:${port}`
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-stories-'))
  // Where tests run as root, PostgreSQL's own user must get to the data folder.
  await chmod(folder, 0o711)
  const logFile = path.join(folder, 'program.log')
  const dataFolder = path.join(folder, 'data')
  const log = createWriteStream(logFile)
  const program = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: port,
      // Everything is written, so that the log can be searched for secrets afterwards.
      LOG_LEVEL: 'debug',
      PUBLIC_URL: url,
      DATA_DIR: dataFolder,
      ENGINE_NICENESS: '0',
      REGISTRATIONS_PER_ADDRESS_PER_DAY: '1000',
      REFERRALS_PER_ADDRESS_PER_DAY: '1000',
      JOINS_PER_HOUR: '1000',
      REQUESTS_PER_MINUTE: '100000',
    },
  })
  program.stdout.pipe(log, { end: false })
  program.stderr.pipe(log, { end: false })
  const stop = async (): Promise<void> => {
    await endProgram(program)
    await new Promise<void>((resolve) => log.end(resolve))
    await assertNoSecretsInLog(logFile)
    if (!process.env['STORIES_KEEP']) await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(`${url}/api/health/ready`, program)
  } catch (error) {
    process.env['STORIES_KEEP'] = '1'
    await stop()
    throw new Error(`The program did not start; see ${logFile}`, { cause: error })
  }
  return { url, dataFolder, logFile, stop }
}

async function waitUntilReady(address: string, program: ChildProcess): Promise<void> {
  for (;;) {
    if (program.exitCode !== null) throw new Error(`It ended with code ${program.exitCode}`)
    const ready = await fetch(address).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function endProgram(program: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (program.exitCode !== null) return resolve()
    const force = setTimeout(() => program.kill('SIGKILL'), 20_000)
    program.once('exit', () => {
      clearTimeout(force)
      resolve()
    })
    program.kill('SIGTERM')
  })
}
