import { retiredPresets } from '@starside/contract/preset-categories.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { Database } from '../db/database.ts'
import { violatedConstraint } from '../db/postgres-errors.ts'
import { loadPeople } from '../generation/people.ts'
import { personIdPattern } from '../generation/person-files.ts'
import { shippedPresets } from '../generation/presets.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { systemVersion } from '../system-version.ts'
import { samplesMax, starObjectKey, starObjects, starSampleKey } from './star-objects.ts'
import type { StarObject } from './star-objects.ts'
import type { StarRules } from './star-rules.ts'

interface Parts {
  database: Database
  store: ObjectStore
  engine: Pick<Engine, 'normalise' | 'makePresetFiles' | 'makeSelfie'>
  clock: () => Date
  /** Text of the brand mark on the samples. */
  watermarkText: string
}

/** How often a name that is taken gets the next number. */
const idsMax = 100

/**
 * Cuts a star out of a picture, makes the samples that show how it comes out beside people, and keeps
 * all of it as a draft; answers its id. Nothing is kept when anything fails.
 *
 * @param picture an upload of any origin and content
 * @throws PhotoError where the picture can't be used; a cut-out without its background is
 *   `photo_format`, as the whole picture is shown too
 */
export async function addStar(
  parts: Parts,
  star: StarRules & { picture: Uint8Array; createdBy: string; signal?: AbortSignal },
): Promise<string> {
  const { engine, store } = parts
  const photo = await engine.normalise(star.picture)
  const files = await engine.makePresetFiles(photo)
  const samples = await makeSamples(parts, await engine.normalise(files.cutout))
  const objectFolder = crypto.randomUUID()
  const objects = [
    ...Object.entries(starObjects).map(([name, { mediaType }]) => ({
      key: starObjectKey(objectFolder, name as StarObject),
      bytes: files[name as StarObject],
      mediaType,
    })),
    ...samples.map((bytes, index) => ({
      key: starSampleKey(objectFolder, index),
      bytes,
      mediaType: 'image/jpeg',
    })),
  ]
  try {
    for (const { key, bytes, mediaType } of objects) await store.put(key, bytes, mediaType)
    return await insertStar(parts, star, { objectFolder, sampleCount: samples.length })
  } catch (error) {
    await Promise.all(objects.map(({ key }) => store.delete(key)))
    throw error
  }
}

/** Selfies with people who don't exist, with the brand mark: they are shown to operators alone. */
async function makeSamples(
  { engine, watermarkText }: Parts,
  starPhoto: NormalisedPhoto,
): Promise<Uint8Array[]> {
  const people = await loadPeople()
  const samples: Uint8Array[] = []
  for (const { id } of people.list().slice(0, samplesMax)) {
    const picture = await people.readPicture(`${id}.jpg`)
    if (picture === undefined) continue
    const { watermarked } = await engine.makeSelfie({
      userPhoto: await engine.normalise(picture.bytes),
      starPhoto,
      aspect: '4:5',
      resolution: 'standard',
      watermarkText,
      systemVersion,
    })
    samples.push(watermarked)
  }
  return samples
}

async function insertStar(
  { database, clock }: Parts,
  star: StarRules & { createdBy: string },
  { objectFolder, sampleCount }: { objectFolder: string; sampleCount: number },
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const id = idOf(star.name, number)
    if (isReserved(id)) continue
    try {
      await database
        .insertInto('stars')
        .values({
          id,
          name: star.name,
          category: star.category,
          line: star.line === null ? null : JSON.stringify(star.line),
          licence: star.licence,
          attribution: star.attribution,
          source: star.source,
          consent_note: star.consentNote,
          ai_generated: star.aiGenerated,
          object_folder: objectFolder,
          sample_count: sampleCount,
          created_at: clock(),
          created_by: star.createdBy,
        })
        .execute()
      return id
    } catch (error) {
      if (violatedConstraint(error) !== 'stars_pkey' || number === idsMax) throw error
    }
  }
}

/** Ids of stars that come with the program, or came with an earlier one. */
function isReserved(id: string): boolean {
  return [...shippedPresets, ...retiredPresets.map((retired) => retired.id)].some(
    (reserved) => reserved === id,
  )
}

/** `Ada Lovelace` is `ada-lovelace`, the second one `ada-lovelace-2`; others are numbered stars. */
function idOf(name: string, number: number): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 34)
    .replace(/-+$/, '')
  const stem = personIdPattern.test(plain) ? plain : 'star'
  return number === 1 && stem !== 'star' ? stem : `${stem}-${number}`
}
