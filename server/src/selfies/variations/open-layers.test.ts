import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '../../platform/secrets/seal.ts'
import { openFolderStore } from '../../platform/storage/folder-store.ts'
import { makeDoneGeneration, makeGeneration } from '../../testing/make-generation.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { openLayers } from './layers.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
beforeAll(async () => {
  db = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'starside-layers-'))
})
afterAll(async () => {
  await db[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const expiresAt = new Date('2026-11-22T12:30:00Z')

/** A finished picture whose layers are these words, opened at a time by its owner or somebody else. */
async function makeLayers(row: { deleted_at?: Date; resolution?: 'high' } = {}) {
  const { database } = db
  const store = openFolderStore(folder)
  const { generationId, userId } = await makeDoneGeneration(database, { row })
  const key = randomBytes(32)
  const objectKey = `layers/${generationId}`
  const sealed = seal(Buffer.from('layers'), { key, subject: generationId, randomBytes })
  await store.put(objectKey, sealed, 'application/octet-stream')
  await database
    .insertInto('generation_layers')
    .values({
      generation_id: generationId,
      object_key: objectKey,
      encryption_key: key,
      expires_at: expiresAt,
      more_made_at: null,
    })
    .execute()
  return (aheadMs: number, reader = userId) => {
    const clock = () => new Date(expiresAt.getTime() + aheadMs)
    return openLayers({ database, store, clock }, { generationId, userId: reader })
  }
}

test('layers open for their owner up to the moment in which they expire', async () => {
  const open = await makeLayers()
  expect(Buffer.from((await open(-1)).layers).toString()).toBe('layers')
  await expect(open(0)).rejects.toMatchObject({ code: 'layers_expired' })
})

test('layers of a deleted picture, and of somebody else’s, are unknown', async () => {
  const openDeleted = await makeLayers({ deleted_at: new Date() })
  await expect(openDeleted(-1)).rejects.toMatchObject({ code: 'generation_unknown' })
  const open = await makeLayers()
  const other = await makeUser(db.database, 1)
  await expect(open(-1, other)).rejects.toMatchObject({ code: 'generation_unknown' })
})

test('layers come with what their owner may see, and whether more were made', async () => {
  const open = await makeLayers({ resolution: 'high' })
  const other = await makeLayers()
  const facts = { resolution: 'high', isPremium: false, wereMoreMade: false, expiresAt }
  expect(await open(-1)).toMatchObject(facts)
  expect(await other(-1)).toMatchObject({ resolution: 'standard' })
  await db.database.updateTable('generation_layers').set({ more_made_at: expiresAt }).execute()
  await db.database.updateTable('credit_accounts').set({ bought_total: 1 }).execute()
  expect(await open(-1)).toMatchObject({ ...facts, isPremium: true, wereMoreMade: true })
})

test('layers whose object or key is gone have expired', async () => {
  const open = await makeLayers()
  await rm(join(folder, 'layers'), { recursive: true })
  await expect(open(-1)).rejects.toMatchObject({ code: 'layers_expired' })
  const sealed = await makeLayers()
  await db.database
    .updateTable('generation_layers')
    .set({ encryption_key: randomBytes(32) })
    .execute()
  await expect(sealed(-1)).rejects.toMatchObject({ code: 'layers_expired' })
})

test('a picture that never had layers has none to open', async () => {
  const { generationId, userId } = await makeDoneGeneration(db.database)
  const parts = { database: db.database, store: openFolderStore(folder), clock: () => expiresAt }
  await expect(openLayers(parts, { generationId, userId })).rejects.toMatchObject({
    code: 'layers_expired',
  })
})

test('a picture that is still made has no layers to open', async () => {
  const { generationId, userId } = await makeGeneration(db.database)
  const parts = { database: db.database, store: openFolderStore(folder), clock: () => expiresAt }
  await expect(openLayers(parts, { generationId, userId })).rejects.toMatchObject({
    code: 'generation_unknown',
  })
})
