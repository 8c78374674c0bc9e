import { sql } from 'kysely'
import type { Selectable, Updateable } from 'kysely'
import { inTransaction } from '../platform/db/database.ts'
import type { Database, Queryable, Transaction } from '../platform/db/database.ts'
import { findRow, updateRows } from '../platform/db/rows.ts'
import { publishAtCommit } from '../platform/db/notifications.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import { starQueue } from './star-objects.ts'
import { columnsOf, starPositionMax } from './star-rules.ts'
import type { StarRules } from './star-rules.ts'
import type { StarsTable } from '../platform/db/tables.d.ts'

/** Being cut out, can't be, to be looked at, offered, not offered any more for good. */
export type StarState = Selectable<StarsTable>['state']

const notRetired = ['cutting', 'failed', 'draft', 'published'] as const

export const starsTopic = 'stars'

/** The star as it was changed; `undefined` where there is none that may be. */
type ChangedStar = Promise<Selectable<StarsTable> | undefined>

/** Changes a star that is in one of these states. */
export async function changeStar(
  database: Queryable,
  { id, from }: { id: string; from: readonly StarState[] },
  columns: Updateable<StarsTable>,
): ChangedStar {
  const match = sql`id = ${id} and state = any(${from})`
  return (await updateRows(database, 'stars', { match, set: columns }))[0]
}

export function findStar(database: Database, id: string) {
  return findRow(database, 'stars', { id })
}

/** Offers a draft. */
export function publishStar(database: Database, id: string): ChangedStar {
  return changeOffer(database, { id, from: ['draft'] }, { state: 'published' })
}

/** Takes a star out of the offer for good; selfies with it keep its name. */
export function retireStar(database: Database, id: string): ChangedStar {
  return changeOffer(database, { id, from: notRetired }, { state: 'retired' })
}

/** Has a star that failed cut out anew. */
export function retryStar(
  { database, jobs }: { database: Database; jobs: Pick<JobQueue, 'enqueue'> },
  id: string,
): ChangedStar {
  return inTransaction(database, async (transaction) => {
    const again = { state: 'cutting', failure: null } as const
    const changed = await changeStar(transaction, { id, from: ['failed'] }, again)
    if (changed) await jobs.enqueue(transaction, starQueue.name, { starId: id })
    return changed
  })
}

/** Says something else of a star that isn't retired; selfies with it keep the name that it had. */
export function editStar(
  database: Database,
  { id, ...rules }: StarRules & { id: string },
): ChangedStar {
  return changeOffer(database, { id, from: notRetired }, columnsOf(rules))
}

/** Where stars stand that were moved: behind new ones of the operator, which have no place yet. */
export const firstPosition = 1_000

/**
 * Puts a star at a place among all (the first is 1), and shows or hides it. The others keep their order
 * of this moment; `stars` are all with a place, in the order known here.
 */
export function placeStar(
  database: Database,
  stars: readonly { id: string; position: number }[],
  { id, place, isHidden }: { id: string; place: number; isHidden: boolean },
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await lockStars(transaction)
    const places = await transaction.selectFrom('star_places').selectAll().execute()
    const positions = new Map(places.map(({ star_id, position }) => [star_id, position]))
    const positionOf = (star: (typeof stars)[number]) => positions.get(star.id) ?? star.position
    const ids = stars
      .toSorted((one, other) => positionOf(one) - positionOf(other))
      .map((star) => star.id)
      .filter((each) => each !== id)
      .toSpliced(place - 1, 0, id)
    await sql`
      insert into star_places (star_id, position, is_hidden)
      select id, least(${firstPosition} + number, ${starPositionMax}), id = ${id} and ${isHidden}
      from unnest(${ids}::text[]) with ordinality as ordered (id, number)
      on conflict (star_id) do update set position = excluded.position,
        is_hidden = case when excluded.star_id = ${id} then excluded.is_hidden
          else star_places.is_hidden end
    `.execute(transaction)
    await publishAtCommit(transaction, starsTopic)
  })
}

function changeOffer(
  database: Database,
  star: { id: string; from: readonly StarState[] },
  columns: Updateable<StarsTable>,
): ChangedStar {
  return inTransaction(database, async (transaction) => {
    await lockStars(transaction)
    const changed = await changeStar(transaction, star, columns)
    await publishAtCommit(transaction, starsTopic)
    return changed
  })
}

/** Changes are rare and go one after the other; readers don't wait. */
async function lockStars(transaction: Transaction): Promise<void> {
  await sql`lock table star_places in share row exclusive mode`.execute(transaction)
}
