import type { TestApp } from './open-test-app.ts'
import { readWords } from '../operator/commands/operator-command.ts'
import type {
  OperatorCommand,
  OperatorCommands,
  OperatorParts,
} from '../operator/commands/operator-command.ts'

/** Runs a command of a list in a test's program; gives its exit status and the lines that it prints. */
export async function callCommand(
  { context, databaseUrl }: TestApp,
  commands: OperatorCommands,
  { name, words }: { name: string; words: string[] },
): Promise<{ status: number | undefined; lines: string[] }> {
  const lines: string[] = []
  const { config, database, clock } = context
  const print = (line: string): void => void lines.push(line)
  const parts = { config, database, databaseUrl, clock, print }
  const status = await runWords(commands[name], parts, words)
  return { status, lines }
}

/** Runs a command with its words as they are typed. */
export async function runWords(
  command: OperatorCommand | undefined,
  parts: OperatorParts,
  words: string[],
): Promise<number | undefined> {
  return command?.run(parts, readWords(command, words))
}
