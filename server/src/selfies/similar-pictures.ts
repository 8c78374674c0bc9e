import { fingerprintDistanceMax } from '@starside/engine/photo/fingerprint-distance.ts'
import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'

/** A picture that looks like the one asked about. */
export interface SimilarPicture {
  id: string
  distance: number
  createdAt: Date
  deletedAt: Date | null
}

/**
 * Finished pictures whose perceptual hash is near one of `hashes` (signed int8 as text), nearest first,
 * deleted ones while their row exists. Reads one index from end to end, and the rows of what is near.
 */
export async function findSimilarPictures(database: Queryable, hashes: string[], limit: number) {
  const distances = hashes.map(
    (hash) => sql`bit_count((picture_hash # ${hash}::int8)::bit(64))::integer`,
  )
  const distance = sql`least(${sql.join(distances)})`
  const { rows } = await sql<SimilarPicture>`
    with near as materialized (
      select picture_hash, ${distance} as distance
      from generations
      where picture_hash is not null and ${distance} <= ${fingerprintDistanceMax}
      group by picture_hash
      order by distance
      fetch first ${limit} rows with ties
    )
    select id, created_at as "createdAt", deleted_at as "deletedAt", distance
    from near join generations using (picture_hash)
    order by distance, created_at
    limit ${limit}
  `.execute(database)
  return rows
}
