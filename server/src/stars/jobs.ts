import { sql } from 'kysely'
import { z } from 'zod'
import { changeStar } from './edit-stars.ts'
import type { StarParts } from './parts.ts'
import {
  starQueue,
  samplesMax,
  starObjectKey,
  starObjects,
  starSampleKey,
  starUploadKey,
} from './star-objects.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import { markTextOf } from '../platform/site/present-brand.ts'
import { findRow, findRows } from '../platform/db/rows.ts'
import { loadPeople } from './person-files.ts'
import { systemVersion } from '../platform/settings/system-version.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { fromNow } from '../platform/clock.ts'

const starJob = z.object({ starId: z.string() })

/** Cuts stars out of their pictures, one at a time, and deletes what a crash has left of them. */
export async function workOnStars(context: StarParts): Promise<void> {
  await context.jobs.work({
    ...starQueue,
    concurrency: 1,
    run: ({ data, signal }) => cutOutStar(context, starJob.parse(data).starId, signal),
    onDead: (data) => failStar(context.database, starJob.parse(data).starId, 'generation_failed'),
  })
  // A backup holds stars, and not the jobs that cut them out.
  for (const { id: starId } of await findRows(context.database, 'stars', { state: 'cutting' })) {
    await inTransaction(context.database, (transaction) =>
      context.jobs.enqueue(transaction, starQueue.name, { starId }),
    )
  }
  await context.jobs.schedule('sweep-stars', '29 4 * * *', (signal) =>
    sweepStarObjects(context, signal),
  )
}

/**
 * The job of a new star: cuts it out, makes samples beside people, and makes it a draft, or
 * 'failed' where no selfie can be made of it. May run twice: the same objects are written again.
 * @throws everything that may go better at the next attempt
 */
async function cutOutStar(parts: StarParts, id: string, signal: AbortSignal): Promise<void> {
  const { database, store, engine } = parts
  const star = await findRow(database, 'stars', { id, state: 'cutting' })
  if (star === undefined) return
  const uploadKey = starUploadKey(star.object_folder)
  const upload = await store.get(uploadKey)
  if (upload === undefined) throw new Error(`the picture of the star ${id} is gone`)
  let found: { sample_count: number; tight_crop: boolean }
  try {
    const files = await engine.makePresetFiles(await engine.normalise(upload, { signal }), {
      signal,
    })
    const photo = await engine.normalise(files.cutout)
    const { hints } = await engine.inspect({ photo }, { signal })
    const samples = await makeSamples(parts, photo, signal)
    for (const object of keysOf(starObjects)) {
      const { mediaType } = starObjects[object]
      await store.put(starObjectKey(star.object_folder, object), files[object], mediaType)
    }
    for (const [index, sample] of samples.entries()) {
      await store.put(starSampleKey(star.object_folder, index), sample, 'image/jpeg')
    }
    found = { sample_count: samples.length, tight_crop: hints.includes('tight_crop') }
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    return failStar(database, id, error.code)
  }
  await changeStar(database, { id, from: ['cutting'] }, { state: 'draft', ...found })
  await store.delete(uploadKey)
}

/** Says why a star can't be cut out; its picture stays, so that it can be tried again. */
async function failStar(database: Database, id: string, code: ErrorCode): Promise<void> {
  await changeStar(database, { id, from: ['cutting'] }, { state: 'failed', failure: code })
}

/** Selfies with people who don't exist, with the brand mark: they are shown to operators alone. */
async function makeSamples(
  { engine, site, config }: StarParts,
  starPhoto: NormalisedPhoto,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const people = await loadPeople()
  const samples: Uint8Array[] = []
  for (const { id } of people.list().slice(0, samplesMax)) {
    const picture = await people.readPicture(`${id}.jpg`)
    if (picture === undefined) continue
    const input = {
      userPhoto: await engine.normalise(picture.bytes),
      stars: [{ photo: starPhoto }],
      aspect: '4:5',
      resolution: 'standard',
      watermarkText: markTextOf(site.values(), config.publicHost),
      systemVersion,
    } as const
    const { watermarked } = await engine.makeSelfie(input, { signal })
    samples.push(watermarked)
  }
  return samples
}

/** Objects younger than this may belong to a star that is being added. */
const orphanAgeMs = 60 * 60_000

/** Deletes objects in folders that no star names: what a crash has left. May run twice. */
export async function sweepStarObjects(
  { database, store, clock }: Pick<StarParts, 'database' | 'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const madeBefore = fromNow({ clock }, -orphanAgeMs)
  const stars = await findRows(database, 'stars', sql`true`)
  const named = new Set(stars.map(({ object_folder: folder }) => folder))
  for await (const { key, modifiedAt } of store.list('stars')) {
    if (signal.aborted) return
    const folder = key.split('/')[1] ?? ''
    const isLeft = isUuid(folder) && !named.has(folder)
    if (isLeft && modifiedAt < madeBefore) await store.delete(key)
  }
}
