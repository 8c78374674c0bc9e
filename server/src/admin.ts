import { readProcessConfig } from './config.ts'
import { auditBooks } from './credits/audit.ts'
import { openDatabase } from './db/database.ts'
import type { Database } from './db/database.ts'
import { startDatabase } from './db/start-database.ts'

/** One operator's command. Resolves to the exit status. */
interface AdminCommand {
  help: string
  run(database: Database, words: string[]): Promise<number>
}

const commands: Record<string, AdminCommand> = {
  audit: { help: 'proves that the books add up', run: audit },
}

async function audit(database: Database): Promise<number> {
  const report = await auditBooks(database)
  const { entries, userAccounts, openHolds, findings } = report
  print(`${entries} ledger entries, ${userAccounts} accounts, ${openHolds} open holds`)
  for (const finding of findings) print(`  ${finding}`)
  print(findings.length === 0 ? 'The books are sound.' : `${findings.length} findings.`)
  return findings.length === 0 ? 0 : 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(): Promise<number> {
  const [name = 'help', ...words] = process.argv.slice(2)
  const command = commands[name]
  if (command === undefined) {
    print('Usage: npm run admin -- COMMAND')
    for (const [known, { help }] of Object.entries(commands)) print(`  ${known.padEnd(12)} ${help}`)
    return name === 'help' ? 0 : 2
  }
  const config = readProcessConfig()
  const server = await startDatabase(config, print, { shareRunning: true })
  const handle = openDatabase({
    url: server.url,
    connectionsMax: 2,
    onError: (error) => print(`The database connection died: ${error.message}`),
  })
  try {
    return await command.run(handle.database, words)
  } finally {
    await handle.close()
    await server.stop()
  }
}

process.exitCode = await main()
