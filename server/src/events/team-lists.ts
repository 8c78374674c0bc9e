import { sql } from 'kysely'
import type { WallState } from '@starside/contract/event-formats.ts'
import { updateRows } from '../platform/db/rows.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { decodeCursor, pageOf } from '../platform/http/cursor.ts'
import { presentGeneration } from '../selfies/present-generation.ts'
import { selectVisible } from '../selfies/queries.ts'
import type { OwnedGenerationRow } from '../selfies/queries.ts'
import type { EventRow } from './event.ts'
import { presentPrint } from './guest-selfies.ts'
import type { EventParts } from './parts.ts'

const wallPicturesMax = 60
const pageSize = 30
const printsMax = 100

const selectAsked = ({ database }: Pick<EventParts, 'database'>, { id }: EventRow) =>
  selectVisible(database)
    .innerJoin('event_selfies', 'event_selfies.generation_id', 'generations.id')
    .select(['event_selfies.wall', 'event_selfies.asked_at'])
    .where('event_selfies.event_id', '=', id)
    .orderBy('event_selfies.asked_at', 'desc')
    .orderBy('generations.id', 'desc')

/** What hangs on the wall, where the event has one: approved, and not deleted or taken down since. */
export async function readWall(parts: EventParts, event: EventRow) {
  if (!event.has_wall) return []
  const rows = await selectAsked(parts, event)
    .where('event_selfies.wall', '=', 'approved')
    .limit(wallPicturesMax)
    .execute()
  return rows.map((row) => presentPicture(parts, row))
}

/** What a moderator looks at: everything that was asked for, in pages. */
export async function readModeration(
  parts: EventParts,
  event: EventRow,
  cursor: string | undefined,
) {
  const after = decodeCursor(cursor, isUuid)
  const rows = await selectAsked(parts, event)
    .where('event_selfies.wall', '<>', 'private')
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(event_selfies.asked_at, generations.id) < (${after.at}, ${after.id})`,
    )
    .limit(pageSize + 1)
    .execute()
  const { page, nextCursor } = pageOf(rows, pageSize, (row) => row.asked_at)
  return {
    pictures: page.map((row) => ({
      ...presentPicture(parts, row),
      wall: row.wall,
      askedAt: row.asked_at.toISOString(),
    })),
    nextCursor,
  }
}

/**
 * A moderator's word on what was asked for at a time, which stands until the guest says no (what is hidden also then) or shows another
 * version (trigger `generations_ask_wall_anew`). Throws `generation_unknown`.
 */
export async function judgeForWall(
  { database }: Pick<EventParts, 'database'>,
  asked: { event: EventRow; generationId: string; askedAt: string; wall: WallState },
): Promise<void> {
  const { event, generationId, askedAt, wall } = asked
  const match = sql`generation_id = ${generationId} and event_id = ${event.id}
    and asked_at = ${new Date(askedAt)} and wall <> 'private'`
  const set = { wall, was_hidden: wall === 'hidden' }
  const judged = isUuid(generationId)
    ? await updateRows(database, 'event_selfies', { match, set })
    : []
  if (judged.length === 0) throw new AppError('generation_unknown')
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
    .limit(printsMax)
    .execute()
  return rows.map(({ printId, askedAt, ...row }) => ({
    ...presentPicture(parts, row),
    furtherUrls: presentGeneration(parts, row)
      // A strip alone has several pictures.
      .variations.filter(({ isChosen }) => !isChosen && row.format === 'strip')
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

/** A picture of an event by its signed address. */
function presentPicture(parts: EventParts, row: OwnedGenerationRow) {
  const { generationId, imageUrl, widthPx, heightPx } = presentGeneration(parts, row)
  if (imageUrl === null || widthPx === null || heightPx === null) {
    throw new Error(`${generationId} is done without a picture`)
  }
  return { generationId, imageUrl, widthPx, heightPx }
}
