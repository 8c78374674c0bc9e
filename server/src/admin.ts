import type { AdminCommands } from './admin/admin-command.ts'
import { booksCommands } from './admin/books-commands.ts'
import { moderationCommands } from './admin/moderation-commands.ts'
import { orderCommands } from './admin/order-commands.ts'
import { operatorCommands } from './admin/operator-commands.ts'
import { presetCommands } from './admin/preset-commands.ts'
import { providerCommands } from './admin/provider-commands.ts'
import { userCommands } from './admin/user-commands.ts'
import { readProcessConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { startDatabase } from './db/start-database.ts'

/** The operator's commands; each area has a file in `admin/`. */
const commands: AdminCommands = {
  ...booksCommands,
  ...orderCommands,
  ...userCommands,
  ...presetCommands,
  ...providerCommands,
  ...moderationCommands,
  ...operatorCommands,
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Finds the longest name at the start of the words; the rest is the command's own. */
function findCommand(words: string[]) {
  for (const length of [2, 1]) {
    const command = commands[words.slice(0, length).join(' ')]
    if (command !== undefined) return { command, rest: words.slice(length) }
  }
  return undefined
}

function printHelp(): void {
  print('Usage: npm run admin -- COMMAND\n')
  for (const [name, { usage, help }] of Object.entries(commands)) {
    print(`  ${`${name} ${usage}`.trim()}\n      ${help}`)
  }
}

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const found = findCommand(words)
  if (found === undefined) {
    printHelp()
    return words.length === 0 || words[0] === 'help' ? 0 : 2
  }
  const config = readProcessConfig()
  const server = await startDatabase(config, print, { shareRunning: true })
  await migrate(server.url)
  const handle = openDatabase({
    url: server.url,
    connectionsMax: 4,
    onError: (error) => print(`The database connection died: ${error.message}`),
  })
  try {
    const { database } = handle
    const parts = { config, database, databaseUrl: server.url, clock: () => new Date(), print }
    return await found.command.run(parts, found.rest)
  } finally {
    await handle.close()
    await server.stop()
  }
}

process.exitCode = await main()
