import fs from 'node:fs'
import path from 'node:path'
import { oneAtATime } from './one-at-a-time.js'
import { projectFolder } from './project-folder.js'
import { runNpm } from './run-npm.js'

/**
 * @typedef {object} LockedPackage one package of package-lock.json or of npm's record
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 */
/** @typedef {Record<string, LockedPackage>} LockedPackages by path, such as `node_modules/zod` */

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs the packages of package-lock.json that are missing, and does nothing when all are there.
 *
 * @param {{ withDevelopmentTools: boolean }} options without them, the tools for tests, checks and
 *   benchmarks are left out; they are never removed once installed
 */
export async function ensureInstalled({ withDevelopmentTools }) {
  if (isInstalled(withDevelopmentTools)) return
  await oneAtATime(async () => {
    if (isInstalled(withDevelopmentTools)) return
    // `npm ci` begins with an empty folder, which would pull the packages from under a running
    // server; when only the development tools are missing they are added.
    const adds = withDevelopmentTools && isInstalled(false)
    console.log(
      withDevelopmentTools
        ? 'Installing packages and development tools…'
        : 'Installing packages (only the first time)…',
    )
    const mode = withDevelopmentTools ? '--include=dev' : '--omit=dev'
    const args = adds ? ['install', '--no-save', mode] : ['ci', mode]
    const exitCode = await runNpm([...args, ...quiet])
    if (exitCode !== 0 || !isInstalled(withDevelopmentTools)) throw installFailed(exitCode)
  })
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
 * Compares package-lock.json with the record npm leaves in node_modules at the end of a complete
 * installation, and looks whether the folders are there.
 *
 * @param {boolean} withDevelopmentTools
 */
function isInstalled(withDevelopmentTools) {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (wanted === undefined || present === undefined) return false
  return (
    Object.entries(wanted).every(
      ([place, entry]) =>
        !isNeeded(place, entry, withDevelopmentTools) || matches(place, entry, present),
    ) && Object.values(present).every(fitsThisMachine)
  )
}

/**
 * @param {string} place
 * @param {LockedPackage} entry
 * @param {boolean} withDevelopmentTools
 */
function isNeeded(place, entry, withDevelopmentTools) {
  if (!place.includes('node_modules/') || entry.optional === true) return false
  return withDevelopmentTools || (entry.dev !== true && entry.devOptional !== true)
}

/**
 * @param {string} place
 * @param {LockedPackage} entry
 * @param {LockedPackages} present
 */
function matches(place, entry, present) {
  const found = present[place]
  return (
    found !== undefined &&
    found.version === entry.version &&
    fs.existsSync(path.join(projectFolder, place, 'package.json'))
  )
}

/**
 * False for a package that npm takes on another system only: node_modules was copied here.
 *
 * @param {LockedPackage} entry
 */
function fitsThisMachine({ os = [], cpu = [] }) {
  return fits(os, process.platform) && fits(cpu, process.arch)
}

/**
 * @param {string[]} list names taken, or names refused with a `!` before them; all when empty
 * @param {string} name
 */
function fits(list, name) {
  const taken = list.filter((item) => !item.startsWith('!'))
  return !list.includes(`!${name}`) && (taken.length === 0 || taken.includes(name))
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readPackages(file) {
  try {
    /** @type {unknown} */
    const lockfile = JSON.parse(fs.readFileSync(path.join(projectFolder, file), 'utf8'))
    return isLockfile(lockfile) ? lockfile.packages : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {unknown} value
 * @returns {value is { packages: LockedPackages }}
 */
function isLockfile(value) {
  return typeof value === 'object' && value !== null && 'packages' in value
}
