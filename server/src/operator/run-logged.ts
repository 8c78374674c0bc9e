import { normaliseEmail } from '../accounts/auth/mailbox.ts'
import type { OperatorParts } from './parts.ts'
import { beginLogRow, completeLogRow } from './operator-log.ts'
import type { LoggedChange } from './operator-log.ts'
import type { Operator } from './operator-sessions.ts'

type Outcome = { refused: string } | { log?: LoggedChange }

/**
 * Runs an act between the two halves of its row in the operators' log: what it is about and why, and
 * how it ended. Of a user the log keeps the account's id.
 */
export async function runLogged<Result extends Outcome>(
  context: Pick<OperatorParts, 'database' | 'clock'>,
  about: {
    operator: Pick<Operator, 'id' | 'name'>
    act: string
    /** As they were sent: `id` says what it is about, `reason` why. */
    fields: Record<string, string>
  },
  run: () => Promise<Result>,
): Promise<Result> {
  const { operator, act, fields } = about
  const subject = await subjectOf(context, fields['id'] ?? '')
  const reason = (fields['reason'] ?? '').trim().slice(0, reasonLengthMax)
  const row = await beginLogRow(context, { operator, act, subject })
  try {
    const outcome = await run()
    await completeLogRow(context.database, row, {
      reason,
      ...('log' in outcome ? outcome.log : {}),
      outcome: 'refused' in outcome ? 'refused' : 'done',
    })
    return outcome
  } catch (error) {
    await completeLogRow(context.database, row, { reason, outcome: 'failed' })
    throw error
  }
}

const subjectLengthMax = 300
const reasonLengthMax = 500

async function subjectOf(
  { database }: Pick<OperatorParts, 'database'>,
  text: string,
): Promise<string> {
  if (!text.includes('@')) return text.slice(0, subjectLengthMax)
  const user = await database
    .selectFrom('users')
    .select('id')
    .where('email', '=', normaliseEmail(text))
    .executeTakeFirst()
  return user?.id ?? ''
}
