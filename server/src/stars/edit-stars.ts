import { sql } from 'kysely'
import { inTransaction } from '../platform/db/database.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { publishAtCommit } from '../platform/db/notifications.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import { starQueue } from './star-job.ts'
import type { StarState } from './star-tables.ts'

/** The topic that is published when what is offered changed. */
export const starsTopic = 'stars'

/** A star of the operator's own, in any state. */
export function findStar(database: Database, id: string) {
  return database.selectFrom('stars').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Offers a draft; false where there is no such draft. */
export function publishStar(database: Database, id: string): Promise<boolean> {
  return changeState(database, { id, from: ['draft'], to: 'published' })
}

/** Takes a star out of the offer for good; selfies with it keep its name. */
export function retireStar(database: Database, id: string): Promise<boolean> {
  return changeState(database, {
    id,
    from: ['cutting', 'failed', 'draft', 'published'],
    to: 'retired',
  })
}

/** Has a star that failed cut out anew; false where there is no such star. */
export function retryStar(
  { database, jobs }: { database: Database; jobs: Pick<JobQueue, 'enqueue'> },
  id: string,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const changed = await transaction
      .updateTable('stars')
      .set({ state: 'cutting', failure: null })
      .where('id', '=', id)
      .where('state', '=', 'failed')
      .returning('id')
      .executeTakeFirst()
    if (changed !== undefined) await jobs.enqueue(transaction, starQueue.name, { starId: id })
    return changed !== undefined
  })
}

/** Says where a star stands and whether it is shown; also of those that come with the program. */
export function placeStar(
  database: Database,
  place: { id: string; position: number; isHidden: boolean },
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await lockStars(transaction)
    const { id, position, isHidden } = place
    await transaction
      .insertInto('star_places')
      .values({ star_id: id, position, is_hidden: isHidden })
      .onConflict((conflict) =>
        conflict.column('star_id').doUpdateSet({ position, is_hidden: isHidden }),
      )
      .execute()
    await publishAtCommit(transaction, starsTopic)
  })
}

function changeState(
  database: Database,
  change: {
    id: string
    from: StarState[]
    to: 'published' | 'retired'
  },
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await lockStars(transaction)
    const changed = await transaction
      .updateTable('stars')
      .set({ state: change.to })
      .where('id', '=', change.id)
      .where('state', 'in', change.from)
      .returning('id')
      .executeTakeFirst()
    await publishAtCommit(transaction, starsTopic)
    return changed !== undefined
  })
}

/** Changes are rare and go one after the other; readers don't wait. */
async function lockStars(transaction: Transaction): Promise<void> {
  await sql`lock table star_places in share row exclusive mode`.execute(transaction)
}
