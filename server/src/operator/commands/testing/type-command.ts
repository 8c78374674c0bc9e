import { readProcessConfig } from '../../../config.ts'
import { runAdmin } from '../run-admin.ts'

/** What an operator's command answers when it is typed with these settings and words. */
export async function typeCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', '']
  const status = await runAdmin(words, {
    readConfig: () => readProcessConfig({ NODE_ENV: 'test', ...settings }),
    print: (line) => (stdout += `${line}\n`),
    printError: (line) => (stderr += `${line}\n`),
  })
  return { status, stdout, stderr }
}
