import { auditBooks } from '../credits/audit.ts'
import type { AdminCommands } from './admin-command.ts'

export const booksCommands: AdminCommands = {
  audit: {
    usage: '',
    help: 'proves that the books add up',
    async run({ database, print }) {
      const report = await auditBooks(database)
      const { entries, userAccounts, openHolds, findings } = report
      print(`${entries} ledger entries, ${userAccounts} accounts, ${openHolds} open holds`)
      for (const finding of findings) print(`  ${finding}`)
      print(findings.length === 0 ? 'The books are sound.' : `${findings.length} findings.`)
      return findings.length === 0 ? 0 : 1
    },
  },
}
