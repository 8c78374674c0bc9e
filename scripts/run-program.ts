import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { projectFolder } from './project-folder.js'

/**
 * Runs one of the project's tools with our terminal but without a keyboard, by the present Node.
 * The signals that end us end it too.
 *
 * @param script the tool's JavaScript file, relative to the project
 * @param output where what it prints goes in place of our terminal
 * @returns its exit code; 1 when it was ended by a signal
 */
export async function runTool(
  script: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  output?: Writable,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: projectFolder,
      stdio: ['ignore', output ? 'pipe' : 'inherit', output ? 'pipe' : 'inherit'],
      env: { ...process.env, ...settings },
    })
    const pass = (signal: NodeJS.Signals) => child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(output!, { end: false })
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve(code ?? 1)
    })
  })
}
