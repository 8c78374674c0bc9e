import type { OperatorParts } from './parts.ts'
import type { Database } from '../platform/db/database.ts'
import type { Operator } from './operator-sessions.ts'

/** What an act changed, for its row in the log. */
export interface LoggedChange {
  /** What it was about: a user's id, an order's id, a key. */
  subject?: string
  reason?: string
  /** As JSON; nothing secret. */
  before?: unknown
  after?: unknown
}

/** Writes down that an act begins; answers the row's id. */
export async function beginLogRow(
  { database, clock }: Pick<OperatorParts, 'database' | 'clock'>,
  {
    operator,
    act,
    subject,
  }: { operator: Pick<Operator, 'id' | 'name'>; act: string; subject: string },
): Promise<string> {
  const { id } = await database
    .insertInto('operator_log')
    .values({
      at: clock(),
      operator_id: operator.id ?? null,
      operator_name: operator.name,
      act,
      subject,
      before: null,
      after: null,
      outcome: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Completes a row that `beginLogRow` wrote. */
export async function completeLogRow(
  database: Database,
  id: string,
  { outcome, ...change }: LoggedChange & { outcome: 'done' | 'refused' | 'failed' },
): Promise<void> {
  await database
    .updateTable('operator_log')
    .set({
      outcome,
      ...(change.subject === undefined ? {} : { subject: change.subject }),
      ...(change.reason === undefined ? {} : { reason: change.reason }),
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    })
    .where('id', '=', id)
    .execute()
}

/** The newest rows, or those before an id; at most `limit`. */
export async function listLogRows(
  database: Database,
  { beforeId, subject, limit }: { beforeId?: string; subject?: string; limit: number },
) {
  return database
    .selectFrom('operator_log')
    .select(['id', 'at', 'operator_name', 'act', 'subject', 'reason', 'before', 'after', 'outcome'])
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? ''))
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
