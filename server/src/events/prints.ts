import { sql } from 'kysely'
import type { PrintFormat } from '@starside/contract/event-formats.ts'
import { inTransaction } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { findRow, insertRow, updateRows } from '../platform/db/rows.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { presentGeneration } from '../selfies/present-generation.ts'
import { selectVisible } from '../selfies/queries.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'
import { presentPrint } from './present-guest.ts'
import { presentPicture } from './wall.ts'

const queueMax = 100

/** Queues a selfie's print, once per format. Throws `prints_too_many`. */
export async function askForPrint(
  { clock, database }: Pick<EventParts, 'clock' | 'database'>,
  { generationId, event, format }: { generationId: string; event: EventRow; format: PrintFormat },
): Promise<void> {
  try {
    await inTransaction(database, async (transaction) => {
      // Prints of an event are numbered one after the other.
      await findRow(transaction, 'events', sql`id = ${event.id} for no key update`)
      const ofEvent = sql`event_id = ${event.id} order by number desc limit 1`
      const last = await findRow(transaction, 'event_prints', ofEvent)
      await insertRow(transaction, 'event_prints', {
        event_id: event.id,
        generation_id: generationId,
        number: (last?.number ?? 0) + 1,
        format,
        created_at: clock(),
        printed_at: null,
      })
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'event_prints_once') throw error
    throw new AppError('prints_too_many', { cause: error })
  }
}

/** What is to be printed, the oldest first, then what was, the newest first. */
export async function readPrints(parts: EventParts, event: EventRow) {
  const rows = await selectVisible(parts.database)
    .innerJoin('event_prints', 'event_prints.generation_id', 'generations.id')
    .select(['event_prints.id as printId', 'number', 'format', 'printed_at'])
    .select('event_prints.created_at as askedAt')
    .where('event_prints.event_id', '=', event.id)
    .orderBy('printed_at', (order) => order.desc().nullsFirst())
    .orderBy('number')
    .limit(queueMax)
    .execute()
  return rows.map(({ printId, askedAt, ...row }) => ({
    ...presentPicture(parts, row),
    furtherUrls: presentGeneration(parts, row)
      .variations.filter(({ isChosen }) => !isChosen)
      .slice(0, 3)
      .map(({ imageUrl }) => imageUrl),
    ...presentPrint({ ...row, id: printId, created_at: askedAt }),
  }))
}

/** Marks a print as done, or as still to be done. Throws `print_unknown`. */
export async function markPrint(
  { database, clock }: Pick<EventParts, 'clock' | 'database'>,
  { event, printId, isPrinted }: { event: EventRow; printId: string; isPrinted: boolean },
): Promise<void> {
  const match = { id: printId, event_id: event.id }
  const set = { printed_at: isPrinted ? clock() : null }
  const marked = isUuid(printId) ? await updateRows(database, 'event_prints', { match, set }) : []
  if (marked.length === 0) throw new AppError('print_unknown')
}
