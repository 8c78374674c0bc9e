import { actCommands } from './operator/commands/act-commands.ts'
import type { OperatorCommand, OperatorCommands } from './operator/commands/operator-command.ts'
import { backupCommands } from './operator/commands/backup-commands.ts'
import { booksCommands } from './operator/commands/books-commands.ts'
import { healthCommands } from './operator/commands/health-commands.ts'
import { listCommands } from './operator/commands/list-commands.ts'
import { providerCommands } from './operator/commands/provider-commands.ts'
import {
  findSurplusWord,
  explainFailure,
  isRefusalOfArguments,
  readWords,
} from './operator/commands/operator-command.ts'
import { readProcessConfig } from './config.ts'
import { openDatabase } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { openExistingDatabase, useDatabase } from './platform/db/start-database.ts'
import './app/start/end-on-signals.ts'

/** The operator's commands: those that show and keep, and one for each act of the pages. */
const commands: OperatorCommands = {
  ...booksCommands,
  ...backupCommands,
  ...healthCommands,
  ...providerCommands,
  ...listCommands,
  ...actCommands,
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Finds the longest name at the start of the words; the rest is the command's own. */
function findCommand(words: string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) return { name, command, rest: words.slice(length) }
  }
  return undefined
}

function printHelp(): void {
  print('Usage: npm run admin -- COMMAND\n')
  for (const [name, { usage, help }] of Object.entries(commands)) {
    print(`  ${`${name} ${usage}`.trim()}\n      ${help}`)
  }
}

async function main(words: string[]): Promise<number> {
  const found = findCommand(words)
  if (found === undefined) {
    const asksForHelp = words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')
    if (!asksForHelp) print(`There is no command '${words.join(' ')}'.\n`)
    printHelp()
    return asksForHelp ? 0 : 2
  }
  const { name, command, rest } = found
  const usage = `Usage: npm run admin -- ${`${name} ${command.usage}`.trim()}`
  if (rest.includes('--help')) {
    print(`${usage}\n${command.help}`)
    return 0
  }
  const surplus = findSurplusWord(command.usage, rest)
  if (surplus !== undefined) {
    print(`There is no place for '${surplus}'. Put a text of several words into quotes.\n${usage}`)
    return 2
  }
  try {
    const status = await runCommand(command, rest)
    if (status === 2) print(usage)
    return status
  } catch (error) {
    if (!isRefusalOfArguments(error)) throw error
    print(`${error.message.split('. ')[0]}.\n${usage}`)
    return 2
  }
}

async function runCommand(command: OperatorCommand, words: string[]): Promise<number> {
  const parts = { config: readProcessConfig(), clock: () => new Date(), print }
  const given = readWords(command, words)
  if (command.needsDatabase === false) return command.run(parts, given)
  return useDatabase(openExistingDatabase(parts.config, print), async (url) => {
    await migrate(parts.config.databaseDirectUrl ?? url)
    const { database, close } = openDatabase({
      url,
      connectionsMax: 4,
      onError: (error) => print(`The database connection was lost: ${error.message}`),
    })
    try {
      return await command.run({ ...parts, database, databaseUrl: url }, given)
    } finally {
      await close()
    }
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${explainFailure(error) ?? stack}\n`)
  process.exitCode = 1
}
