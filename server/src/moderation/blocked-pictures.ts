import { createHash } from 'node:crypto'
import { fingerprintDistanceMax } from '@starside/engine/photo/fingerprint-distance.ts'
import type { PictureFingerprint } from '@starside/engine/photo/fingerprint-distance.ts'
import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'

/**
 * The removed generation that had this picture as result or photo, upright or mirrored; a background
 * is known by its file alone, as others photograph the same wall.
 */
export async function findBlockedPicture(
  database: Queryable,
  fingerprint: PictureFingerprint,
  fileHash?: string,
): Promise<string | undefined> {
  const upright = toInt8(fingerprint.upright)
  const mirrored = toInt8(fingerprint.mirrored)
  const { rows } = await sql<{ generation_id: string }>`
    select generation_id from blocked_pictures
    where case
      when kind = 'background_photo' then hash = ${fileHash ?? null}::int8
      else bit_count((hash # ${upright}::int8)::bit(64)) <= ${fingerprintDistanceMax}
        or bit_count((hash # ${mirrored}::int8)::bit(64)) <= ${fingerprintDistanceMax}
      end
    limit 1
  `.execute(database)
  return rows[0]?.generation_id
}

/** Blocks a generation that is being removed, and its variations; answers how many hashes. */
export async function blockPictures(
  database: Queryable,
  generation: {
    id: string
    picture_hash: string | null
    user_photo_hash: string | null
    star_photo_hash: string | null
    second_star_photo_hash: string | null
    background_photo_hash: string | null
  },
  variationHashes: readonly string[],
  now: Date,
): Promise<number> {
  const hashes = [
    ['picture', generation.picture_hash],
    ...variationHashes.map((hash) => ['picture', hash] as const),
    ['user_photo', generation.user_photo_hash],
    ['star_photo', generation.star_photo_hash],
    ['second_star_photo', generation.second_star_photo_hash],
    ['background_photo', generation.background_photo_hash],
  ] as const
  const rows = hashes.flatMap(([kind, hash]) =>
    hash === null ? [] : [{ generation_id: generation.id, kind, hash, created_at: now }],
  )
  const once = [...new Map(rows.map((row) => [`${row.kind} ${row.hash}`, row])).values()]
  if (once.length === 0) return 0
  await database
    .insertInto('blocked_pictures')
    .values(once)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return once.length
}

/** What a file is known by exactly, in the shape of a perceptual hash. */
export function hashOfFile(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest().readBigInt64BE().toString()
}

/** Sixteen hexadecimal digits as the signed number that PostgreSQL's int8 holds. */
export function toInt8(hash: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hash}`)).toString()
}
