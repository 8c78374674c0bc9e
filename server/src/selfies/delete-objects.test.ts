import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { findObjectKeys } from './delete-generation.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

/** A finished generation with a variation and layers, and the keys of all its objects. */
async function makeWithParts() {
  const { database } = db
  const { generationId } = await makeDoneGeneration(database)
  const keyOf = (name: string) => `pictures/${generationId}/v-${name}.jpg`
  const variation = {
    clean_preview_key: keyOf('clean-preview'),
    watermarked_preview_key: keyOf('watermarked-preview'),
    clean_key: keyOf('clean'),
    watermarked_key: keyOf('watermarked'),
    clean_thumbnail_key: keyOf('clean-thumbnail'),
    watermarked_thumbnail_key: keyOf('watermarked-thumbnail'),
  }
  const layers = `layers/${generationId}`
  await database
    .insertInto('variations')
    .values({
      generation_id: generationId,
      position: 0,
      source: 'made',
      arrangement: null,
      ...variation,
      width_px: 1024,
      height_px: 1280,
      picture_hash: null,
      created_at: new Date(),
    })
    .execute()
  await database
    .insertInto('generation_layers')
    .values({
      generation_id: generationId,
      object_key: layers,
      encryption_key: Buffer.alloc(32),
      expires_at: new Date(),
      more_made_at: null,
    })
    .execute()
  const row = await database
    .selectFrom('generations')
    .selectAll()
    .where('id', '=', generationId)
    .executeTakeFirstOrThrow()
  return { row, parts: [...Object.values(variation), layers] }
}

test('a generation’s objects are its own pictures, variations and layers, and nobody else’s', async () => {
  const [mine, other] = [await makeWithParts(), await makeWithParts()]
  const keys = await findObjectKeys(db.database, mine.row)
  expect(keys).toEqual(expect.arrayContaining(mine.parts))
  expect(keys).toContain(mine.row.clean_key)
  expect(keys.filter((key) => !key.includes(mine.row.id))).toEqual([])
  expect(await findObjectKeys(db.database, other.row)).toEqual(expect.arrayContaining(other.parts))
})
