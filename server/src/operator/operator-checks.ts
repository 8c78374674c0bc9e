import type { Database } from '../platform/db/database.ts'

const findingLengthMax = 2_000

/** Whether hosted pictures are compared with the photos. */
export const likenessCheck = 'likeness'

/** What was last found of something that isn't looked at whenever a page is opened. */
export function findCheck(database: Database, name: string) {
  return database
    .selectFrom('operator_checks')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Keeps what was found, in the place of what was found before. */
export async function saveCheck(
  database: Database,
  check: { name: string; at: Date; isGood: boolean; finding: string },
): Promise<void> {
  const found = {
    checked_at: check.at,
    is_good: check.isGood,
    finding: check.finding.slice(0, findingLengthMax),
  }
  await database
    .insertInto('operator_checks')
    .values({ name: check.name, ...found })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(found))
    .execute()
}
