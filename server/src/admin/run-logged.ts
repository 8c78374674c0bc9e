import { parseArgs } from 'node:util'
import { normaliseEmail } from '../auth/mailbox.ts'
import { beginLogRow, completeLogRow } from '../operator/operator-log.ts'
import type { AdminCommand, AdminParts } from './admin-command.ts'

/** Who stands in the log of operators for what a command did. */
export const commandLine = 'command line'

/** Runs a command on the database; what it changes stands in the operators' log, as that of a page does. */
export async function runLogged(
  name: string,
  command: Exclude<AdminCommand, { needsDatabase: false }>,
  parts: AdminParts,
  words: string[],
): Promise<number> {
  if (command.readsOnly === true) return command.run(parts, words)
  const { database } = parts
  const { subject, reason } = await readAct(parts, command.usage, words)
  const row = await beginLogRow(parts, {
    operator: { id: undefined, name: commandLine },
    act: name,
    subject,
  })
  try {
    const status = await command.run(parts, words)
    await completeLogRow(database, row, { reason, outcome: status === 0 ? 'done' : 'refused' })
    return status
  } catch (error) {
    await completeLogRow(database, row, { reason, outcome: 'failed' })
    throw error
  }
}

/** What a command is about, and why, as its words say it. Of a person the log keeps the account's id. */
async function readAct({ database }: AdminParts, usage: string, words: string[]) {
  const { values, positionals } = parseArgs({
    args: words,
    strict: false,
    allowPositionals: true,
    options: { reason: { type: 'string' }, note: { type: 'string' } },
  })
  // Such as `ORDER_ID --reason TEXT`; where only options are taken, none of their values is it.
  const word = (/^[A-Z]/.test(usage) && positionals[0]) || ''
  const reason = String(values['reason'] ?? values['note'] ?? '')
  if (!word.includes('@')) return { subject: word, reason }
  const user = await database
    .selectFrom('users')
    .select('id')
    .where('email', '=', normaliseEmail(word))
    .executeTakeFirst()
  return { subject: user?.id ?? '', reason }
}
