import { sql } from 'kysely'
import { deleteRows, findRows } from '../platform/db/rows.ts'
import type { SelfieParts } from './parts.ts'

/** No uploaded photo is kept longer than this, whatever went wrong. */
export const inputAgeMaxMs = 24 * 60 * 60_000
/** The sweep takes them every five minutes; this much later something is wrong. */
const layersGraceMs = 60 * 60_000
const checksKeptMs = 90 * 24 * 60 * 60_000

/**
 * Proves that uploaded photos are gone within a day, and layers an hour after their time: deletes what is older
 * and writes the result down. Photos go with their generation or by the sweep, so one found here is a fault.
 * @returns how many photos and files of layers there are, and the keys of those that were kept too long
 */
export async function checkInputs(
  context: Pick<SelfieParts, 'database' | 'store' | 'clock' | 'log'> & {
    readonly config: { readonly layersMinutes: number }
  },
) {
  const { config, store } = context
  const now = context.clock()
  const agesMaxMs = { inputs: inputAgeMaxMs, layers: config.layersMinutes * 60_000 + layersGraceMs }
  const found = { inputs: 0, layers: 0 }
  let oldestAgeMs: number | undefined
  const overdue: string[] = []
  for (const prefix of ['inputs', 'layers'] as const) {
    for await (const { key, modifiedAt } of store.list(prefix)) {
      const ageMs = Math.max(0, now.getTime() - modifiedAt.getTime())
      found[prefix] += 1
      oldestAgeMs = Math.max(oldestAgeMs ?? 0, ageMs)
      if (ageMs > agesMaxMs[prefix]) overdue.push(key)
    }
  }
  for (const key of overdue) await store.delete(key)
  const oldestAgeSeconds = oldestAgeMs === undefined ? undefined : Math.round(oldestAgeMs / 1000)
  await context.database
    .insertInto('input_checks')
    .values({
      checked_at: now,
      inputs: found.inputs + found.layers,
      oldest_age_seconds: oldestAgeSeconds ?? null,
      overdue: overdue.length,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const keptSince = new Date(now.getTime() - checksKeptMs)
  await deleteRows(context.database, 'input_checks', sql`checked_at < ${keptSince}`)
  if (overdue.length > 0) {
    context.log.error(
      { overdue: overdue.length },
      'uploaded photos or their layers were kept longer than promised',
    )
  } else {
    context.log.info(
      { ...found, oldestAgeSeconds },
      'no uploaded photo and no layers are kept longer than promised',
    )
  }
  return { ...found, oldestAgeSeconds, overdue }
}

/** How many checks there were in the last month and how many of them found something. */
export async function summariseInputChecks(
  { database }: Pick<SelfieParts, 'database'>,
  now: Date,
): Promise<{ checks: number; failed: number }> {
  const since = new Date(now.getTime() - 30 * 24 * 60 * 60_000)
  const checks = await findRows(database, 'input_checks', sql`checked_at > ${since}`)
  return { checks: checks.length, failed: checks.filter(({ overdue }) => overdue > 0).length }
}
