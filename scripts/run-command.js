import { spawn } from 'node:child_process'
import fs from 'node:fs'
import module from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { commands } from './commands.js'
import { ensureInstalled } from './install.js'
import { projectFolder } from './project-folder.js'
import { runScript } from './run-script.js'

/**
 * Installs what is missing and runs the command's script by the pinned Node, in a child if need be.
 * @param {string[]} args the command's name and its arguments
 * @returns {Promise<void>}
 */
export async function runCommand([name = '', ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    throw new Error(`There is no command '${name}'; there are ${Object.keys(commands).join(', ')}.`)
  }
  process.chdir(projectFolder)
  await ensureInstalled({ withDevelopmentTools: command.needs === 'tools' })

  const node = findNode()
  exitWithNpm()
  process.env.PATH = path.dirname(node) + path.delimiter + (process.env.PATH ?? '')
  if (command.keepsCompiled === true) keepCompiled()
  const script = path.join(projectFolder, command.script)
  const words = [...(command.args ?? []), ...args]
  if (node === fs.realpathSync(process.execPath)) {
    await runScript(script, words)
  } else {
    await runUntilEnd(node, [
      path.join(projectFolder, 'scripts', 'run-script.js'),
      script,
      ...words,
    ])
  }
}

/** Keeps what Node compiles, for quick starts, also of the engine; a failure does no harm. */
function keepCompiled() {
  const folder = process.env.NODE_COMPILE_CACHE ?? path.join(projectFolder, '.cache', 'compile')
  process.env.NODE_COMPILE_CACHE = folder
  // Node 18 and 20 can't; what they start can.
  if ('enableCompileCache' in module) module.enableCompileCache(folder)
}

/**
 * The pinned Node of node_modules, or the present one if that is missing and this can run TypeScript.
 * @returns {string} a real path
 */
function findNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = path.join(projectFolder, 'node_modules', 'node', 'bin', name)
  if (fs.existsSync(pinned)) return fs.realpathSync(pinned)
  if (runsTypeScript(process.versions.node)) return fs.realpathSync(process.execPath)
  throw new Error(
    'The Node that Starside pins is missing, because npm was told to skip install scripts, and ' +
      `this Node ${process.versions.node} can't run TypeScript.\nEither run ` +
      '`npm rebuild node --ignore-scripts=false` once, or use Node 22.18 or newer, and run the ' +
      'same command again.',
  )
}

/** A signal to npm ends npm and its shell but not us: when one is gone we end as by that signal. */
function exitWithNpm() {
  const shell = process.ppid
  const npm = findNpmAbove(shell)
  const timer = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || fs.existsSync(`/proc/${npm}`))) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 300)
  timer.unref()
}

/**
 * The process id of the npm that started the shell that started us, on Linux.
 * @param {number} shell
 * @returns {number | undefined} `undefined` for another parent, which may well end before us
 */
function findNpmAbove(shell) {
  try {
    const status = fs.readFileSync(`/proc/${shell}/status`, 'utf8')
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1])
    return /^npm\b/.test(fs.readFileSync(`/proc/${parent}/cmdline`, 'utf8')) ? parent : undefined
  } catch {
    return undefined
  }
}

/**
 * True for a Node that runs TypeScript without a flag.
 * @param {string} version
 */
export function runsTypeScript(version) {
  return isAtLeast(version, [24, 0]) || (version.startsWith('22.') && isAtLeast(version, [22, 18]))
}

/** @param {string} version @param {number[]} least major and minor */
function isAtLeast(version, [leastMajor = 0, leastMinor = 0]) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/**
 * Runs a program with our terminal, passes signals on, and ends as it ends.
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export async function runUntilEnd(file, args) {
  const child = spawn(file, args, { stdio: 'inherit' })
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])
      resolve(undefined)
    })
  })
  // Signal listeners would keep the program alive.
  process.exit()
}
