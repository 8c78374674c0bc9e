import { spawn } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from './project-folder.js'

/**
 * Runs npm, the same that runs us where there is one, in the project's folder, without a keyboard.
 * @param {string[]} args
 * @param {{ node?: string | undefined, silent?: boolean, env?: NodeJS.ProcessEnv }} [options]
 *   `node`: the Node to run it with, if not npm's own; `silent`: show its words only when it fails;
 *   `env`: variables beside ours
 * @returns {Promise<number>} npm's exit code
 */
export async function runNpm(args, { node, silent = false, env = {} } = {}) {
  const npmScript = process.env.npm_execpath ?? ''
  const isNpm = /^npm.*\.c?js$/.test(path.basename(npmScript))
  const runner = node ?? process.env.npm_node_execpath ?? process.execPath
  /** @type {import('node:child_process').SpawnOptions} */
  const options = {
    cwd: projectFolder,
    // Its words go to standard error: the command's own output may go to a file.
    stdio: ['ignore', silent ? 'pipe' : process.stderr, silent ? 'pipe' : 'inherit'],
    env: { ...process.env, PATH: pathWith(node), ...env },
  }
  const child = isNpm
    ? spawn(runner, [npmScript, ...args], options)
    : // npm is a batch file on Windows; the arguments are our own constants.
      spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  /** @type {Buffer[]} */
  const words = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => words.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`npm could not be started (${error.message}). It comes with Node.`))
    })
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(words))
      resolve(code ?? 1)
    })
  })
}

/**
 * Puts the folder of a Node first, for npm itself and for the install scripts of packages.
 * @param {string | undefined} node
 */
function pathWith(node) {
  const present = process.env.PATH ?? ''
  return node === undefined ? present : path.dirname(node) + path.delimiter + present
}
