import { sql } from 'kysely'
import type { OperatorParts } from './parts.ts'
import type { Database } from '../platform/db/database.ts'
import { findRow, findRows, insertRow, updateRows } from '../platform/db/rows.ts'
import type { Operator } from './operator-sessions.ts'
import { normaliseEmail } from '../accounts/auth/mailbox.ts'
import { fromNow } from '../platform/clock.ts'

export interface LoggedChange {
  /** What it was about: a user's id, an order's id, a key. */
  subject?: string
  reason?: string
  /** As JSON; nothing secret. */
  before?: unknown
  after?: unknown
}

type Context = Pick<OperatorParts, 'database' | 'clock'>
type Actor = Pick<Operator, 'id' | 'name'>

/** Writes down that an act begins, or what was done at once; answers the row's id. */
async function addLogRow(
  { database, clock }: Context,
  { operator, ...row }: { operator: Actor; act: string; subject: string; outcome?: 'done' },
): Promise<string> {
  const { id } = await insertRow(database, 'operator_log', {
    ...row,
    at: clock(),
    operator_id: operator.id ?? null,
    operator_name: operator.name,
  })
  return id
}

async function completeLogRow(
  database: Database,
  id: string,
  { before, after, ...change }: LoggedChange & { outcome: 'done' | 'refused' | 'failed' },
): Promise<void> {
  const set = {
    ...change,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }
  await updateRows(database, 'operator_log', { match: { id }, set })
}

export const pictureOpening = 'user picture'
const openingIntervalMs = 24 * 60 * 60_000

/** Logs that an operator opens what is private; of the same thing once a day. */
export async function logOpening(
  { context, operator }: { context: Context; operator: Actor },
  act: string,
  subject: string,
): Promise<void> {
  const since = fromNow(context, -openingIntervalMs)
  const known = await findRows(
    context.database,
    'operator_log',
    sql`act = ${act} and subject = ${subject} and operator_name = ${operator.name}
      and at > ${since} limit 1`,
  )
  if (known.length > 0) return
  await addLogRow(context, { operator, act, subject, outcome: 'done' })
}

/** The newest rows that name what is searched for; pictures that were looked at only where asked for. */
export async function listLogRows(
  database: Database,
  { search, limit, offset }: { search: string; limit: number; offset: number },
) {
  const found =
    search === '' ? sql`act <> ${pictureOpening}` : sql`${search} in (act, subject, operator_name)`
  const page = sql`${found} order by id desc limit ${limit} offset ${offset}`
  return findRows(database, 'operator_log', page)
}

type Outcome = { refused: string } | { log?: LoggedChange }

/** Runs an act and logs it: what it is about (users by account id) and why; then how it ended. */
export async function runLogged<Result extends Outcome>(
  context: Context,
  about: {
    operator: Actor
    act: string
    /** As they were sent: `id` says what it is about, `reason` why. */
    fields: Record<string, string>
  },
  run: () => Promise<Result>,
): Promise<Result> {
  const { operator, act, fields } = about
  const { id = '' } = fields
  const email = normaliseEmail(id)
  const subject = id.includes('@')
    ? ((await findRow(context.database, 'users', { email }))?.id ?? '')
    : id.slice(0, subjectLengthMax)
  const reason = (fields['reason'] ?? '').trim().slice(0, reasonLengthMax)
  const row = await addLogRow(context, { operator, act, subject })
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
