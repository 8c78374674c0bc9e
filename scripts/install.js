import fs from 'node:fs'
import path from 'node:path'
import { withFileMutex } from './file-mutex.js'
import { projectFolder } from './project-folder.js'
import { runNpm } from './run-npm.js'

/**
 * @typedef {object} LockedPackage one package of package-lock.json or of npm's record
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [link]
 * @property {string | string[]} [os]
 * @property {string | string[]} [cpu]
 * @property {string | string[]} [libc]
 */
/** @typedef {Record<string, LockedPackage>} LockedPackages by path, such as `node_modules/zod` */

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs the packages of package-lock.json that are missing.
 * @param {{ withDevelopmentTools: boolean }} options without them, the tools for tests, checks and
 *   benchmarks are left out; they are never removed once installed
 */
export async function ensureInstalled({ withDevelopmentTools }) {
  if (isInstalled(withDevelopmentTools)) return
  await withFileMutex(async () => {
    if (isInstalled(withDevelopmentTools)) return
    // `npm ci` begins with an empty folder, which would pull the packages from under a running
    // server; when only the development tools are missing they are added.
    const adds = withDevelopmentTools && isInstalled(false)
    // On standard error, as the command's own output may go to a file.
    console.error(
      withDevelopmentTools
        ? 'Installing packages and development tools…'
        : 'Installing packages (only the first time)…',
    )
    const mode = withDevelopmentTools ? '--include=dev' : '--omit=dev'
    const args = adds ? ['install', '--no-save', mode] : ['ci', mode]
    const exitCode = await runNpm([...args, ...quiet], { node: await findNodeForNpm() })
    if (exitCode !== 0) throw installFailed(exitCode)
    if (!isInstalled(withDevelopmentTools)) {
      console.warn('npm left out some packages for this machine; going on without them.')
    }
  })
}

/**
 * npm drops, in silence, optional packages whose `engines` refuse its Node: the programs of sharp and
 * Rolldown. Below the versions they take, npm runs on the pinned Node, fetched alone beforehand.
 * @returns {Promise<string | undefined>} a Node to run npm with; `undefined` when npm's own will do
 */
async function findNodeForNpm() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return undefined

  const folder = path.join(projectFolder, '.cache', 'node')
  const version = readPinnedVersion()
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const node = path.join(folder, `node-${version}`, 'node_modules', 'node', 'bin', name)
  if (fs.existsSync(node)) return node
  const prefix = path.join(folder, `node-${version}`)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(prefix, { recursive: true })
  fs.writeFileSync(path.join(prefix, 'package.json'), '{ "private": true }\n')
  const exitCode = await runNpm([
    'install',
    '--prefix',
    prefix,
    '--no-save',
    `node@${version}`,
    ...quiet,
  ])
  if (exitCode !== 0) throw installFailed(exitCode)
  return fs.existsSync(node) ? node : undefined
}

/** @returns {string} the exact version of package.json's dependency `node` */
function readPinnedVersion() {
  const text = fs.readFileSync(path.join(projectFolder, 'package.json'), 'utf8')
  const version = /"node": "(\d+\.\d+\.\d+)"/.exec(text)?.[1]
  if (version === undefined) throw new Error('package.json pins an exact version of node')
  return version
}

/** @param {number} exitCode */
function installFailed(exitCode) {
  return new Error(
    `npm could not install the packages (exit code ${exitCode}); its own words are above. ` +
      'Most often the network or the disk is the reason: the packages come from the npm registry ' +
      'and need about 1.5 GB. Run the same command again when that is mended; it begins anew.',
  )
}

/**
 * Whether package-lock.json agrees with npm's record of a complete installation, and all folders are there.
 * @param {boolean} withDevelopmentTools
 */
function isInstalled(withDevelopmentTools) {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  return (
    wanted !== undefined &&
    present !== undefined &&
    isComplete({
      wanted,
      present,
      withDevelopmentTools,
      isThere: (place) => fs.existsSync(path.join(projectFolder, place, 'package.json')),
    })
  )
}

/**
 * True when everything needed here is present in its version, and nothing of another system's.
 * @param {object} state
 * @param {LockedPackages} state.wanted the packages of package-lock.json
 * @param {LockedPackages} state.present npm's record of what it installed
 * @param {boolean} state.withDevelopmentTools
 * @param {(place: string) => boolean} state.isThere whether a package's folder exists
 */
export function isComplete({ wanted, present, withDevelopmentTools, isThere }) {
  const needed = Object.entries(wanted).filter(([place, entry]) =>
    isNeeded(place, entry, withDevelopmentTools),
  )
  return (
    needed.every(
      ([place, { version }]) =>
        place in present && present[place]?.version === version && isThere(place),
    ) && Object.values(present).every(fitsThisMachine)
  )
}

/**
 * @param {string} place
 * @param {LockedPackage} entry
 * @param {boolean} withDevelopmentTools
 */
function isNeeded(place, entry, withDevelopmentTools) {
  if (!place.includes('node_modules/')) return false
  if (entry.optional === true && !isMadeForThisMachine(entry)) return false
  return withDevelopmentTools || (entry.dev !== true && entry.devOptional !== true)
}

/**
 * True for the optional packages that can't be done without: programs for just this system.
 * @param {LockedPackage} entry
 */
function isMadeForThisMachine(entry) {
  const { os = [], cpu = [], libc = [] } = entry
  if (os.length === 0 || cpu.length === 0 || !fitsThisMachine(entry)) return false
  return libc.length === 0 || (libc.includes('glibc') && hasGlibc())
}

/** @returns {boolean} */
function hasGlibc() {
  glibc ??= JSON.stringify(process.report.getReport()).includes('"glibcVersionRuntime"')
  return glibc
}
/** @type {boolean | undefined} */
let glibc

/**
 * False for a package that npm takes on another system only: node_modules was copied here.
 * @param {LockedPackage} entry
 */
function fitsThisMachine({ os = [], cpu = [] }) {
  return fits(os, process.platform) && fits(cpu, process.arch)
}

/**
 * @param {string | string[]} names taken, or refused with a `!` before them; all when empty
 * @param {string} name
 */
function fits(names, name) {
  const list = [names].flat()
  const taken = list.filter((item) => !item.startsWith('!'))
  return !list.includes(`!${name}`) && (taken.length === 0 || taken.includes(name))
}

/** @param {string} file @returns {LockedPackages | undefined} */
function readPackages(file) {
  try {
    /** @type {unknown} */
    const lockfile = JSON.parse(fs.readFileSync(path.join(projectFolder, file), 'utf8'))
    return isLockfile(lockfile) ? lockfile.packages : undefined
  } catch {
    return undefined
  }
}

/** @param {unknown} value @returns {value is { packages: LockedPackages }} */
function isLockfile(value) {
  return typeof value === 'object' && value !== null && 'packages' in value
}
