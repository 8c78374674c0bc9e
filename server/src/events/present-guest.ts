import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { GuestAnswer } from '@starside/contract/events.ts'
import { findRows } from '../platform/db/rows.ts'
import type { EventPrintsTable } from '../platform/db/tables.d.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { readAccount } from '../ledger/credits/account.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { presentGeneration } from '../selfies/present-generation.ts'
import { listGenerations } from '../selfies/queries.ts'
import type { EventParts } from './parts.ts'

/** More than a guest can have. */
const selfiesMax = 100

/** The guest's part in an event. Throws `guest_unknown` for somebody who is no guest of it. */
export function assertGuest(user: SignedInUser, event: string) {
  if (user.guest?.event !== event) throw new AppError('guest_unknown')
  return { ...user.guest, userId: user.userId }
}

/** A guest with their selfies, as the guest sees them. */
export async function presentGuest(parts: EventParts, userId: string): Promise<GuestAnswer> {
  const { database } = parts
  const { balance } = await readAccount(database, userId)
  const rows = await listGenerations(database, { userId, after: undefined, limit: selfiesMax })
  const ids = rows.map(({ id }) => id)
  const ofThese = <Row extends { generation_id: string }>(all: readonly Row[], id: string) =>
    all.filter(({ generation_id: generationId }) => generationId === id)
  const ofRows = sql`generation_id = any(${ids})`
  const walls = await findRows(database, 'event_selfies', ofRows)
  const prints = await findRows(database, 'event_prints', sql`${ofRows} order by created_at`)
  return {
    success: true,
    selfiesLeft: balance,
    selfies: rows.map((row) => ({
      generation: presentGeneration(parts, row),
      wall: ofThese(walls, row.id)[0]?.wall ?? 'private',
      prints: ofThese(prints, row.id).map(presentPrint),
    })),
  }
}

/** A print as guest and attendant see it. */
export function presentPrint(
  print: Pick<
    Selectable<EventPrintsTable>,
    'id' | 'number' | 'format' | 'created_at' | 'printed_at'
  >,
) {
  return {
    printId: print.id,
    number: print.number,
    format: print.format,
    createdAt: print.created_at.toISOString(),
    printedAt: print.printed_at?.toISOString() ?? null,
  }
}
