import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { StartedProgram } from './start-program.ts'

/** Runs an operator's command beside the running program; gives what it prints. */
export async function runCommand(
  { dataFolder, url }: Pick<StartedProgram, 'dataFolder' | 'url'>,
  words: string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['server/src/admin.ts', ...words],
    {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, DATA_DIR: dataFolder, PUBLIC_URL: url },
    },
  )
  return stdout
}
