import type { TestApp } from './open-test-app.ts'
import type { OperatorCommands } from '../operator/commands/operator-command.ts'

/** Runs a command of a list in a test's program; gives its exit status and the lines that it prints. */
export async function callCommand(
  { context, databaseUrl }: TestApp,
  commands: OperatorCommands,
  { name, words }: { name: string; words: string[] },
): Promise<{ status: number | undefined; lines: string[] }> {
  const lines: string[] = []
  const { config, database, clock } = context
  const print = (line: string): void => void lines.push(line)
  const status = await commands[name]?.run({ config, database, databaseUrl, clock, print }, words)
  return { status, lines }
}
