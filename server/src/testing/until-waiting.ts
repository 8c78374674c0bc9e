import type pg from 'pg'
import { expect } from 'vitest'

/**
 * Resolves when so many statements in this database wait for a lock, or when `act`, which may not need to
 * wait, has ended in whatever way.
 */
export async function untilWaiting(
  pool: pg.Pool,
  count: number,
  act?: Promise<unknown>,
): Promise<void> {
  let hasEnded = false
  const end = () => (hasEnded = true)
  act?.then(end, end)
  const countWaiting = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::integer from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows[0]?.count
  }
  await expect.poll(async () => (hasEnded ? count : countWaiting())).toBe(count)
}
