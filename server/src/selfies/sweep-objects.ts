import { sql } from 'kysely'
import type { SelfieParts } from './parts.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { objectKeyColumns } from './queries.ts'
import { variationKeyColumns } from './variations/variation-queries.ts'

type Parts = Pick<SelfieParts, 'database' | 'store' | 'clock'>

/** Objects younger than this may belong to work under way. */
const orphanAgeMs = 60 * 60_000
/** A store of forty million objects is gone through in a day and a half at one sweep in 5 minutes. */
const objectsInSweepMax = 100_000
/** As many as an S3 listing has on a page. */
const keysInStatement = 1_000

/**
 * Deletes objects below `prefix` that no generation and no attempt names: what a crash has left. One
 * sweep looks at a bounded number of objects and remembers where it stopped; the next one goes on
 * from there, and begins anew after the last object. May run twice and on several nodes at once.
 */
export async function sweepObjects(
  parts: Parts,
  prefix: string,
  options: { signal: AbortSignal; objectsMax?: number },
): Promise<void> {
  const { signal, objectsMax = objectsInSweepMax } = options
  const madeBefore = new Date(parts.clock().getTime() - orphanAgeMs)
  const after = await readPosition(parts, prefix)
  let last = ''
  let looked = 0
  let isEnd = true
  let old: string[] = []
  for await (const { key, modifiedAt } of parts.store.list(prefix, { after })) {
    if (signal.aborted || looked === objectsMax) {
      isEnd = false
      break
    }
    looked += 1
    last = key
    if (modifiedAt < madeBefore) old.push(key)
    if (old.length < keysInStatement) continue
    await deleteOrphans(parts, old)
    old = []
  }
  await deleteOrphans(parts, old)
  const position = isEnd ? '' : last
  if (position !== after) await writePosition(parts, prefix, position)
}

async function deleteOrphans(parts: Parts, keys: readonly string[]): Promise<void> {
  const used = await findKeysInUse(parts, keys)
  for (const key of keys) if (!used.has(key)) await parts.store.delete(key)
}

/** Those of the keys that a row names. A key is made with its generation's id as its second part. */
async function findKeysInUse({ database }: Pick<SelfieParts, 'database'>, keys: readonly string[]) {
  const named = keys
    .map((key) => ({ key, generationId: key.split('/')[1] ?? '' }))
    .filter(({ generationId }) => isUuid(generationId))
  if (named.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    with listed as (
      select key, generation_id
      from unnest(${named.map(({ key }) => key)}::text[],
        ${named.map(({ generationId }) => generationId)}::uuid[]) as listed (key, generation_id)
    )
    select listed.key
    from listed join generations on generations.id = listed.generation_id
    where (
        listed.key in (${sql.join(objectKeyColumns.map((name) => sql.ref(name)))})
        -- A node of the version before forgets photos that it doesn't know when it ends a selfie.
        and (state = 'running' or listed.key not like 'inputs/%')
      )
      -- The PNG that a picture was once downloaded as lies beside it.
      or regexp_replace(listed.key, '[.]png$', '.jpg') in (clean_key, watermarked_key)
    union all
    select listed.key
    from listed join variations on variations.generation_id = listed.generation_id
    where listed.key in (${sql.join(variationKeyColumns.map((name) => sql.ref(name)))})
      or regexp_replace(listed.key, '[.]png$', '.jpg') in (clean_key, watermarked_key)
    union all
    select listed.key
    from listed join generation_layers as layers on layers.generation_id = listed.generation_id
      and layers.object_key = listed.key
    union all
    select listed.key
    from listed
    join generation_attempts as attempt on attempt.generation_id = listed.generation_id
      and listed.key = any (array_append(attempt.further_output_keys, attempt.output_key))
  `.execute(database)
  return new Set(rows.map(({ key }) => key))
}

/** The key after which the next sweep begins; '' for the first one. */
async function readPosition({ database }: Parts, prefix: string): Promise<string> {
  const row = await database
    .selectFrom('sweep_positions')
    .select('after_key')
    .where('prefix', '=', prefix)
    .executeTakeFirst()
  return row?.after_key ?? ''
}

async function writePosition({ database }: Parts, prefix: string, key: string): Promise<void> {
  await database
    .insertInto('sweep_positions')
    .values({ prefix, after_key: key })
    .onConflict((conflict) => conflict.column('prefix').doUpdateSet({ after_key: key }))
    .execute()
}
