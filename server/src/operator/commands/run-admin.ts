import { actCommands } from './act-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { booksCommands } from './books-commands.ts'
import { healthCommands } from './health-commands.ts'
import { listCommands } from './list-commands.ts'
import { endWith, explainFailure, findSurplusWord, readWords } from './operator-command.ts'
import type { OperatorCommand, OperatorCommands, OperatorParts } from './operator-command.ts'
import { providerCommands } from './provider-commands.ts'
import { codeOf } from '../../platform/errors/code-of.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openExistingDatabase, useDatabase } from '../../platform/db/start-database.ts'

/** What the command line gives: its settings, read when a command needs them, and where it prints lines. */
export interface Terminal {
  readConfig: () => OperatorParts['config']
  print: (line: string) => void
  printError: (line: string) => void
}

/** The operator's commands: those that show and keep, and one for each act of the pages. */
const commands: OperatorCommands = {
  ...booksCommands,
  ...backupCommands,
  ...healthCommands,
  ...providerCommands,
  ...listCommands,
  ...actCommands,
}

/** Runs the command that the words name, and explains what fails; gives the exit status. */
export async function runAdmin(words: string[], terminal: Terminal): Promise<number> {
  try {
    return await run(words, terminal)
  } catch (error) {
    const stack = error instanceof Error ? error.stack : String(error)
    terminal.printError(explainFailure(error) ?? stack ?? '')
    return 1
  }
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

function printHelp({ print }: Terminal): void {
  print('Usage: npm run admin -- COMMAND\n')
  for (const [name, { usage, help }] of Object.entries(commands)) {
    print(`  ${`${name} ${usage}`.trim()}\n      ${help}`)
  }
}

async function run(words: string[], terminal: Terminal): Promise<number> {
  const { print } = terminal
  const found = findCommand(words)
  if (found === undefined) {
    const asksForHelp = words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')
    if (!asksForHelp) print(`There is no command '${words.join(' ')}'.\n`)
    printHelp(terminal)
    return asksForHelp ? 0 : 2
  }
  const { name, command, rest } = found
  const usage = `Usage: npm run admin -- ${`${name} ${command.usage}`.trim()}`
  if (rest.includes('--help')) return endWith(print, 0, `${usage}\n${command.help}`)
  const surplus = findSurplusWord(command.usage, rest)
  if (surplus !== undefined) {
    print(`There is no place for '${surplus}'. Put a text of several words into quotes.\n${usage}`)
    return 2
  }
  try {
    const status = await runCommand(command, rest, terminal)
    if (status === 2) print(usage)
    return status
  } catch (error) {
    if (!(error instanceof Error && codeOf(error).startsWith('ERR_PARSE_ARGS'))) throw error
    return endWith(print, 2, `${error.message.split('. ')[0]}.\n${usage}`)
  }
}

async function runCommand(
  command: OperatorCommand,
  words: string[],
  { readConfig, print }: Terminal,
): Promise<number> {
  const parts = { config: readConfig(), clock: () => new Date(), print }
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
