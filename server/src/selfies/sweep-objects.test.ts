import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openFolderStore } from '../platform/storage/folder-store.ts'
import { listKeys } from '../testing/list-keys.ts'
import { makeAttempt, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { sweepObjects } from './sweep.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())
beforeEach(async () => {
  await db.database.deleteFrom('sweep_positions').execute()
  folder = await mkdtemp(join(tmpdir(), 'starside-sweep-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const now = new Date('2026-11-22T12:00:00Z')
const hourMs = 60 * 60_000

/** A store that holds `keys` since two hours, or so long. */
async function openSweep(keys: readonly string[], ageMs = 2 * hourMs) {
  const store = openFolderStore(folder)
  const put = async (key: string, keyAgeMs: number) => {
    await store.put(key, Buffer.from(key), 'image/jpeg')
    const at = new Date(now.getTime() - keyAgeMs)
    await utimes(join(folder, key), at, at)
  }
  for (const key of keys) await put(key, ageMs)
  const parts = { database: db.database, store, clock: () => now }
  return {
    put,
    sweep: (options: { prefix?: string; objectsMax?: number; signal?: AbortSignal } = {}) => {
      const { prefix = 'pictures', objectsMax = 1_000, signal } = options
      return sweepObjects(parts, prefix, {
        signal: signal ?? new AbortController().signal,
        objectsMax,
      })
    },
    left: (prefix = 'pictures') => listKeys(store, prefix),
  }
}
const keyOf = (n: number) => `pictures/0000000${n}-0000-4000-8000-000000000000/1-clean.jpg`

test('what no row names goes, whatever its name', async () => {
  const { generationId: id } = await makeDoneGeneration(db.database)
  const other = await makeDoneGeneration(db.database)
  const kept = `pictures/${id}/1-clean.jpg`
  const { sweep, left } = await openSweep([
    kept,
    `pictures/${id}/2-clean.jpg`,
    `pictures/${other.generationId}/2-clean.jpg`,
    `pictures/${crypto.randomUUID()}/1-clean.jpg`,
    'pictures/no-id-at-all/1-clean.jpg',
    `pictures/${'0'.repeat(36)}/1-clean.jpg`,
    `pictures/${id}-1/1-clean.jpg`,
    'pictures/stray.jpg',
  ])
  await sweep()
  expect(await left()).toEqual([kept])
  await openSweep(['pictures/stray.jpg']).then((strays) => strays.sweep())
  expect(await left()).toEqual([kept])
})

test('a finished picture stays with its small ones and the PNGs beside it', async () => {
  const { generationId: id } = await makeDoneGeneration(db.database)
  const names = ['clean', 'clean-thumbnail', 'watermarked', 'watermarked-thumbnail']
  const kept = [
    ...names.map((name) => `pictures/${id}/1-${name}.jpg`),
    ...['clean', 'watermarked'].map((name) => `pictures/${id}/1-${name}.png`),
  ].toSorted()
  const { sweep, left } = await openSweep([...kept, `pictures/${id}/1-clean-thumbnail.png`])
  await sweep()
  expect(await left()).toEqual(kept)
})

test('a picture’s variations stay, with their PNGs, and its layers', async () => {
  const { generationId: id } = await makeDoneGeneration(db.database)
  const names = ['clean-preview', 'watermarked-preview', 'clean', 'watermarked']
  const of = (name: string, kind = 'jpg') => `pictures/${id}/v-${name}.${kind}`
  await db.database
    .insertInto('variations')
    .values({
      generation_id: id,
      position: 0,
      source: 'made',
      arrangement: null,
      clean_preview_key: of('clean-preview'),
      watermarked_preview_key: of('watermarked-preview'),
      clean_key: of('clean'),
      watermarked_key: of('watermarked'),
      clean_thumbnail_key: of('clean-thumbnail'),
      watermarked_thumbnail_key: of('watermarked-thumbnail'),
      width_px: 1024,
      height_px: 1280,
      picture_hash: null,
      created_at: now,
    })
    .execute()
  await db.database
    .insertInto('generation_layers')
    .values({
      generation_id: id,
      object_key: `layers/${id}/1`,
      encryption_key: Buffer.alloc(32),
      expires_at: now,
      more_made_at: null,
    })
    .execute()
  const kept = [
    ...[...names, 'clean-thumbnail', 'watermarked-thumbnail'].map((name) => of(name)),
    ...['clean', 'watermarked'].map((name) => of(name, 'png')),
  ].toSorted()
  const { sweep, left } = await openSweep([
    ...kept,
    of('clean-preview', 'png'),
    of('other'),
    `layers/${id}/1`,
    `layers/${id}/2`,
  ])
  await sweep()
  expect(await left()).toEqual(kept)
  await sweep({ prefix: 'layers' })
  expect(await left('layers')).toEqual([`layers/${id}/1`])
})

test('what a vendor’s answer is kept in stays with its attempt', async () => {
  const own = await makeGeneration(db.database)
  const of = (name: string) => `pictures/${own.generationId}/${name}.jpg`
  await makeAttempt(db.database, own, {
    state: 'fetched',
    request_id: own.generationId,
    status_url: 's',
    submitted_at: now,
    output_key: of('output-1'),
    further_output_keys: [of('output-2'), of('output-3')],
  })
  const kept = ['output-1', 'output-2', 'output-3'].map(of)
  const { sweep, left } = await openSweep([...kept, of('output-4')])
  await sweep()
  expect(await left()).toEqual(kept)
})

test('photos stay while their selfie is made, and no longer', async () => {
  const columns = ['user', 'star', 'second_star', 'background'] as const
  const makeWithPhotos = async (make: typeof makeGeneration) => {
    const { generationId: id } = await make(db.database)
    const keys = columns.map((name) => `inputs/${id}/${name}.jpg`)
    const [user, star, second, background] = keys
    await db.database
      .updateTable('generations')
      .set({
        user_photo_key: user,
        star_photo_key: star,
        star_names: ['One', 'Other'],
        second_star_photo_key: second,
        background_photo_key: background,
        background_photo_hash: '1',
        has_background_photo: true,
      })
      .where('id', '=', id)
      .execute()
    return keys
  }
  const running = await makeWithPhotos(makeGeneration)
  const done = await makeWithPhotos(makeDoneGeneration)
  const { sweep, left } = await openSweep([...running, ...done])
  await sweep({ prefix: 'inputs' })
  expect(await left('inputs')).toEqual(running.toSorted())
})

test('an object of the last hour stays: its row may not be written yet', async () => {
  const { put, sweep, left } = await openSweep([keyOf(1)], hourMs)
  await put(keyOf(2), hourMs + 1_000)
  await sweep()
  expect(await left()).toEqual([keyOf(1)])
})

test('a sweep looks at so many objects, and the next one goes on behind them', async () => {
  const { put, sweep, left } = await openSweep([3, 4, 5, 6, 7].map(keyOf))
  for (const young of [1, 2]) await put(keyOf(young), 0)
  const remaining = async () => (await left()).map((key) => Number(key.slice(9, 17)))
  await sweep({ objectsMax: 2 })
  expect(await remaining()).toEqual([1, 2, 3, 4, 5, 6, 7])
  await sweep({ objectsMax: 2 })
  expect(await remaining()).toEqual([1, 2, 5, 6, 7])
  await sweep({ objectsMax: 2 })
  expect(await remaining()).toEqual([1, 2, 7])
  await sweep({ objectsMax: 2 })
  expect(await remaining()).toEqual([1, 2])
})

test('a sweep that is stopped looks at nothing more', async () => {
  const { sweep, left } = await openSweep([keyOf(1)])
  await sweep({ signal: AbortSignal.abort() })
  expect(await left()).toEqual([keyOf(1)])
})

test('after the last object a sweep begins anew, and finds what came in front', async () => {
  const { put, sweep, left } = await openSweep([keyOf(8), keyOf(9)])
  await sweep({ objectsMax: 1 })
  await sweep()
  await put(keyOf(1), 2 * hourMs)
  await sweep()
  expect(await left()).toEqual([])
})

test('each kind of object has a place of its own where the next sweep goes on', async () => {
  const key = keyOf(1).replace('pictures', 'inputs')
  const { sweep, left } = await openSweep([keyOf(1), keyOf(2), key])
  await sweep({ objectsMax: 1 })
  await sweep({ prefix: 'inputs' })
  expect([await left('inputs'), await left()]).toEqual([[], [keyOf(2)]])
})

test('a page of objects is asked for by the ids of their generations, not one by one', async () => {
  await makeDoneGeneration(db.database)
  const keys = Array.from({ length: 40 }, () => `pictures/${crypto.randomUUID()}/1-clean.jpg`)
  const { sweep, left } = await openSweep(keys)
  const statements: string[] = []
  db.pool.on('acquire', () => statements.push('statement'))
  await sweep()
  db.pool.removeAllListeners('acquire')
  expect(await left()).toEqual([])
  // Where it goes on, and one page.
  expect(statements).toHaveLength(2)
})
