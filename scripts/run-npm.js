import { spawn } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from './project-folder.js'

/**
 * Runs npm in the project's folder, the same npm that runs us where there is one. It gets no
 * keyboard; its words go to ours.
 *
 * @param {string[]} args
 * @param {{ node?: string | undefined }} [options] the Node to run it with, if not npm's own
 * @returns {Promise<number>} npm's exit code
 */
export async function runNpm(args, { node } = {}) {
  const npmScript = process.env.npm_execpath ?? ''
  const isNpm = /^npm.*\.c?js$/.test(path.basename(npmScript))
  const runner = node ?? process.env.npm_node_execpath ?? process.execPath
  /** @type {import('node:child_process').SpawnOptions} */
  const options = {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: pathWith(node) },
  }
  const child = isNpm
    ? spawn(runner, [npmScript, ...args], options)
    : // npm is a batch file on Windows; the arguments are our own constants.
      spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`npm could not be started (${error.message}). It comes with Node.`))
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/**
 * Puts the folder of a Node first, for npm itself and for the install scripts of packages.
 *
 * @param {string | undefined} node
 */
function pathWith(node) {
  const present = process.env.PATH ?? ''
  return node === undefined ? present : path.dirname(node) + path.delimiter + present
}
