import { pathToFileURL } from 'node:url'

/**
 * Runs a script as if Node had been started with it: `node scripts/run-script.js SCRIPT ARGUMENT…`.
 * @param {string} script absolute path
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function runScript(script, args) {
  process.argv = [process.execPath, script, ...args]
  await import('../server/src/app/start/end-on-signals.ts')
  await import(pathToFileURL(script).href)
}

const [, self = '', script, ...args] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(self).href) {
  await runScript(script, args)
}
