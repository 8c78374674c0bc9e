import { spawn } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from './project-folder.js'

/**
 * Runs npm in the project's folder, the same npm that runs us where there is one. It gets no
 * keyboard; its words go to ours.
 *
 * @param {string[]} args
 * @returns {Promise<number>} npm's exit code
 */
export async function runNpm(args) {
  const npmScript = process.env.npm_execpath ?? ''
  const isNpm = /^npm.*\.c?js$/.test(path.basename(npmScript))
  const runner = process.env.npm_node_execpath ?? process.execPath
  const child = isNpm
    ? spawn(runner, [npmScript, ...args], {
        cwd: projectFolder,
        stdio: ['ignore', 'inherit', 'inherit'],
      })
    : spawn('npm', args, {
        cwd: projectFolder,
        stdio: ['ignore', 'inherit', 'inherit'],
        // npm is a batch file there; the arguments are our own constants.
        shell: process.platform === 'win32',
      })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`npm could not be started (${error.message}). It comes with Node.`))
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
