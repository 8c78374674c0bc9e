import { spawn } from 'node:child_process'
import { projectFolder } from './project-folder.js'

/**
 * Runs a tool by the present Node with our terminal, no keyboard; signals that end us end it too.
 * @param script the tool's JavaScript file, relative to the project
 * @returns its exit code; 1 when it was ended by a signal
 */
export async function runTool(
  script: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: projectFolder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...settings },
    })
    const pass = (signal: NodeJS.Signals) => child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve(code ?? 1)
    })
  })
}
