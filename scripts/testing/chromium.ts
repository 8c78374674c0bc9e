import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from '../project-folder.js'

const namesInPath = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
]
const usualPlaces: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
  ],
  linux: ['/usr/bin/chromium', '/usr/lib/chromium/chromium', '/opt/google/chrome/chrome'],
}
const shellName = 'chromium-headless-shell'
const downloadTimeoutMs = 5 * 60_000

/**
 * The program file of a Chromium that runs: the one CHROMIUM names, an installed one, Playwright's
 * own (downloaded if need be), or Debian's package where we are root. Never asks a question.
 *
 * @throws Error with a sentence that says what was tried and what to do
 */
export async function findOrInstallChromium(): Promise<string> {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') {
    if (await runs(named)) return named
    throw new Error(`CHROMIUM names ${named}, which can't be started.`)
  }
  return (
    (await findInstalled()) ??
    (await usePlaywrights()) ??
    ((await installDebianPackage('chromium')) ? await findInstalled() : undefined) ??
    fail(
      'The browser tests need Chromium or Chrome, and none could be found or installed. ' +
        'Install one, or name its program file in the environment variable CHROMIUM. ' +
        '`npm test -- unit` runs the tests that need no browser.',
    )
  )
}

/**
 * The program file of Chromium without windows, which draws a page with a third less work: the one in the
 * PATH, or Debian's package where we are root. Undefined where there is none, or CHROMIUM names a browser.
 */
export async function findOrInstallHeadlessShell(): Promise<string | undefined> {
  if (process.env['CHROMIUM']) return undefined
  const find = async () => findFirstThatRuns(filesInPath([shellName]))
  return (await find()) ?? ((await installDebianPackage(shellName)) ? find() : undefined)
}

function fail(sentence: string): never {
  throw new Error(sentence)
}

async function findInstalled(): Promise<string | undefined> {
  return findFirstThatRuns([...filesInPath(namesInPath), ...(usualPlaces[process.platform] ?? [])])
}

function filesInPath(names: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
  const ending = process.platform === 'win32' ? '.exe' : ''
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name + ending)))
}

async function findFirstThatRuns(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await runs(candidate)) return candidate
  return undefined
}

/** An installed file may be a stub, or lack its libraries: only starting it tells. */
async function runs(file: string): Promise<boolean> {
  const isThere = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
  // On Windows Chrome doesn't answer to --version but opens a window.
  if (!isThere || process.platform === 'win32') return isThere
  return (await run(file, ['--version'], { quiet: true, timeoutMs: 20_000 })) === 0
}

async function usePlaywrights(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const file = chromium.executablePath()
  if (await runs(file)) return file
  console.log('No Chromium is installed here; downloading the one of Playwright…')
  const cli = path.join(projectFolder, 'node_modules', 'playwright', 'cli.js')
  await run(process.execPath, [cli, 'install', '--no-shell', 'chromium'], {
    timeoutMs: downloadTimeoutMs,
  })
  return (await runs(file)) ? file : undefined
}

/** Whether the package could be installed. */
async function installDebianPackage(name: string): Promise<boolean> {
  const aptGet = '/usr/bin/apt-get'
  if (process.getuid?.() !== 0 || !(await runs(aptGet))) return false
  console.log(`Installing Debian's package ${name}…`)
  const settings = { timeoutMs: downloadTimeoutMs, quiet: true }
  await run(aptGet, ['update', '--quiet'], settings)
  const install = ['install', '--yes', '--quiet', '--no-install-recommends', name]
  return (await run(aptGet, install, settings)) === 0
}

/** Runs a program without a keyboard, for a bounded time, and gives its exit code (1 if killed). */
async function run(
  file: string,
  args: readonly string[],
  { timeoutMs, quiet = false }: { timeoutMs: number; quiet?: boolean },
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
