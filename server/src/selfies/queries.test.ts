import { randomBytes } from 'node:crypto'
import { customCelebrity } from '@starside/contract/limits.ts'
import { findRow } from '../platform/db/rows.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doneRow, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { deleteGeneration, restoreGeneration, findRemovable } from './delete-generation.ts'
import { findMarkedGeneration, markIdOf } from './selfie-marks.ts'
import {
  createGenerationReader,
  findPicture,
  hasRunningGeneration,
  listGenerations,
  summariseSelfies,
  userFacesOf,
} from './queries.ts'
import { findSharedPicture } from './sharing/share-picture.ts'
import { findSimilarPictures } from './similar-pictures.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const noon = new Date('2026-11-20T12:00:00Z')
const after = (ms: number) => new Date(noon.getTime() + ms)
const failed = { state: 'failed', error_code: 'generation_failed', finished_at: noon } as const
const unknown = { code: 'generation_unknown' }

const change = (generationId: string, columns: object) =>
  db.database.updateTable('generations').set(columns).where('id', '=', generationId).execute()
const suspend = (userId: string) =>
  db.database.updateTable('users').set({ status: 'suspended' }).where('id', '=', userId).execute()

describe('a person’s own generation', () => {
  const find = (own: { generationId: string; userId: string }) =>
    createGenerationReader(db.pool)(own)

  test('is read with what its owner is shown, and nothing that is ours alone', async () => {
    const own = await makeGeneration(db.database, { at: noon, row: { prompt: 'a secret' } })
    await db.database
      .updateTable('credit_accounts')
      .set({ bought_total: 7 })
      .where('user_id', '=', own.userId)
      .execute()
    const { referral_code } = await db.database
      .selectFrom('users')
      .select('referral_code')
      .where('id', '=', own.userId)
      .executeTakeFirstOrThrow()
    const row = await find(own)
    expect(row).toMatchObject({
      id: own.generationId,
      state: 'running',
      stage: 'queued',
      celebrity: 'Elena Vassandri',
      preset_id: 'elena-vassandri',
      is_premium: true,
      referral_code,
      created_at: noon,
    })
    expect(
      Object.keys(row ?? {}).filter((name) => /prompt|key|digest|hash|hold/.test(name)),
    ).toEqual([])
  })

  test('is nobody else’s, and not there once it was deleted', async () => {
    const own = await makeDoneGeneration(db.database)
    const other = await makeDoneGeneration(db.database)
    expect(await find({ ...own, userId: other.userId })).toBeUndefined()
    expect(await find(own)).toBeDefined()
    await change(own.generationId, { deleted_at: noon })
    expect(await find(own)).toBeUndefined()
  })

  test('is found among many that are asked for at the same time', async () => {
    const many = await Promise.all([1, 2, 3].map(() => makeGeneration(db.database)))
    const read = createGenerationReader(db.pool)
    const rows = await Promise.all(many.map((own) => read(own)))
    expect(rows.map((row) => row?.id)).toEqual(many.map(({ generationId }) => generationId))
  })
})

/** 128 bits in base64url. */
const newShareId = () => randomBytes(16).toString('base64url')

describe('a picture to be shown', () => {
  test('is a finished one whose owner is not suspended', async () => {
    const own = await makeDoneGeneration(db.database, { row: { share_id: newShareId() } })
    const other = await makeDoneGeneration(db.database, { row: { share_id: newShareId() } })
    const shareId =
      (await findRow(db.database, 'generations', { id: own.generationId }))?.share_id ?? ''
    const idsOf = async () => [
      (await findPicture(db.database, own.generationId))?.id,
      (await findSharedPicture(db.database, shareId))?.id,
    ]
    expect(await idsOf()).toEqual([own.generationId, own.generationId])
    expect(await findPicture(db.database, own.generationId)).toMatchObject({
      clean_key: doneRow(own.generationId).clean_key,
      is_premium: false,
    })
    await suspend(own.userId)
    expect(await idsOf()).toEqual([undefined, undefined])
    expect((await findPicture(db.database, other.generationId))?.id).toBe(other.generationId)
  })

  test('is not one that runs, has failed or was deleted', async () => {
    const running = await makeGeneration(db.database)
    const broken = await makeGeneration(db.database, { row: failed })
    const deleted = await makeDoneGeneration(db.database, { row: { deleted_at: noon } })
    for (const { generationId } of [running, broken, deleted]) {
      expect(await findPicture(db.database, generationId)).toBeUndefined()
    }
  })

  test('may be removed by an operator, also once its owner has deleted it', async () => {
    const deleted = await makeDoneGeneration(db.database, { row: { deleted_at: noon } })
    const running = await makeGeneration(db.database)
    expect((await findRemovable(db.database, deleted.generationId))?.id).toBe(deleted.generationId)
    expect(await findRemovable(db.database, running.generationId)).toBeUndefined()
    expect(await findRemovable(db.database, crypto.randomUUID())).toBeUndefined()
  })
})

describe('the history', () => {
  test('shows what is made and being made, newest first, and only one’s own', async () => {
    const userId = await makeUser(db.database, 9)
    const make = (ms: number, row: object = {}) =>
      makeDoneGeneration(db.database, { userId, at: after(ms), row })
    const [old, young] = [await make(0), await make(1_000)]
    const gone = await make(2_000, { deleted_at: noon })
    const broken = await makeGeneration(db.database, { userId, at: after(3_000), row: failed })
    const running = await makeGeneration(db.database, { userId, at: after(4_000) })
    await makeDoneGeneration(db.database)
    const list = async (limit = 9, cursor?: { at: Date; id: string }) =>
      (await listGenerations(db.database, { userId, after: cursor, limit })).map(({ id }) => id)
    const shown = [running, young, old].map(({ generationId }) => generationId)
    expect(await list()).toEqual(shown)
    expect(await list(2)).toEqual(shown.slice(0, 2))
    expect(await list(9, { at: after(1_000), id: young.generationId })).toEqual(shown.slice(2))
    expect([gone, broken].some(({ generationId }) => shown.includes(generationId))).toBe(false)
    expect((await summariseSelfies(db.database, userId)).total).toBe(2)
  })

  test('names the stars by name, and a photo of one’s own, which has none, last', async () => {
    const userId = await makeUser(db.database, 9)
    for (const celebrity of ['Elena', customCelebrity, 'Anaya', 'Elena']) {
      await makeDoneGeneration(db.database, { userId, row: { celebrity } })
    }
    const { stars } = await summariseSelfies(db.database, userId)
    expect(stars).toEqual(['Anaya', 'Elena', customCelebrity])
  })

  test('is of one star where it is asked for, also beside another one', async () => {
    const userId = await makeUser(db.database, 9)
    const make = (ms: number, row: object) =>
      makeDoneGeneration(db.database, { userId, at: after(ms), row })
    const alone = await make(0, { celebrity: 'Ada' })
    const both = await make(1_000, { celebrity: 'Ada and Bo', star_names: ['Ada', 'Bo'] })
    await make(2_000, { celebrity: 'Cy' })
    await make(3_000, { celebrity: 'Di', deleted_at: noon })
    const broken = { ...failed, celebrity: 'Ed' }
    await makeGeneration(db.database, { userId, at: after(4_000), row: broken })
    const withAda = { userId, star: 'Ada', after: undefined, limit: 9 }
    const found = await listGenerations(db.database, withAda)
    expect(found.map(({ id }) => id)).toEqual([both.generationId, alone.generationId])
    const stars = ['Ada', 'Bo', 'Cy']
    expect(await summariseSelfies(db.database, userId, 'Ada')).toEqual({ total: 2, stars })
    expect(await summariseSelfies(db.database, userId, 'Di')).toEqual({ total: 0, stars })
    expect(await summariseSelfies(db.database, crypto.randomUUID())).toEqual({
      total: 0,
      stars: [],
    })
  })

  test.for(['newest', 'oldest'] as const)(
    'begins with the %s where that is asked for, and goes on behind a selfie of the same moment',
    async (order) => {
      const userId = await makeUser(db.database, 3)
      for (let count = 0; count < 3; count += 1) {
        await makeDoneGeneration(db.database, { userId, at: noon })
      }
      const seen: string[] = []
      for (let page = 0; page < 3; page += 1) {
        const cursor = seen.length === 0 ? undefined : { at: noon, id: seen.at(-1) ?? '' }
        const rows = await listGenerations(db.database, { userId, order, after: cursor, limit: 1 })
        seen.push(...rows.map(({ id }) => id))
      }
      expect([seen.length, new Set(seen).size]).toEqual([3, 3])
      const sorted = seen.toSorted()
      expect(seen).toEqual(order === 'oldest' ? sorted : sorted.toReversed())
    },
  )
})

describe('a person’s generations', () => {
  test('run while one is neither done nor failed', async () => {
    const userId = await makeUser(db.database, 3)
    await makeGeneration(db.database)
    await makeDoneGeneration(db.database, { userId })
    expect(await hasRunningGeneration(db.database, userId)).toBe(false)
    await makeGeneration(db.database, { userId })
    expect(await hasRunningGeneration(db.database, userId)).toBe(true)
  })

  test('mean the main face, one, or several', () => {
    const faces = (one: number | null, many: number[] | null) =>
      userFacesOf({ user_face_index: one, user_face_indexes: many })
    expect(faces(null, null)).toBeUndefined()
    expect(faces(0, null)).toEqual([0])
    expect(faces(1, [1, 3])).toEqual([1, 3])
  })
})

describe('deleting a selfie', () => {
  const isDeleted = async (generationId: string) =>
    (await findRow(db.database, 'generations', { id: generationId }))?.deleted_at ?? null
  const remove = (own: { generationId: string; userId: string }, at = noon) =>
    deleteGeneration(db.database, own, at)
  const restore = (own: { generationId: string; userId: string }) =>
    restoreGeneration(db.database, own)

  test('is its owner’s, once, and ends its public link', async () => {
    const own = await makeDoneGeneration(db.database, { row: { share_id: newShareId() } })
    const other = await makeDoneGeneration(db.database)
    await expect(remove({ ...own, userId: other.userId })).rejects.toMatchObject(unknown)
    expect(await isDeleted(own.generationId)).toBeNull()
    await remove(own)
    expect(await findRow(db.database, 'generations', { id: own.generationId })).toMatchObject({
      deleted_at: noon,
      share_id: null,
    })
    expect(await isDeleted(other.generationId)).toBeNull()
    await expect(remove(own, after(1))).rejects.toMatchObject(unknown)
    expect(await isDeleted(own.generationId)).toEqual(noon)
  })

  test('begins the time anew of those that their owner could still bring back', async () => {
    const of = { userId: await makeUser(db.database, 4) }
    const own = await makeDoneGeneration(db.database, of)
    const deletedAt = (ms: number) => ({ deleted_at: after(ms) })
    const rows = [deletedAt(-30_000), deletedAt(-30_001), { ...deletedAt(-1), clean_key: null }]
    const others = [await makeDoneGeneration(db.database, { row: deletedAt(-1) })]
    for (const row of rows) others.push(await makeDoneGeneration(db.database, { ...of, row }))
    await remove(own)
    const times = await Promise.all(others.map(({ generationId }) => isDeleted(generationId)))
    expect(times).toEqual([after(-1), noon, after(-30_001), after(-1)])
  })

  test('waits until it is made', async () => {
    const own = await makeGeneration(db.database)
    await expect(remove(own)).rejects.toMatchObject(unknown)
    expect(await isDeleted(own.generationId)).toBeNull()
  })

  test('is undone by its owner while the picture is there', async () => {
    const own = await makeDoneGeneration(db.database, { row: { deleted_at: noon } })
    const other = await makeDoneGeneration(db.database, { row: { deleted_at: noon } })
    await expect(restore({ ...own, userId: other.userId })).rejects.toMatchObject(unknown)
    expect(await isDeleted(own.generationId)).toEqual(noon)
    await restore(own)
    expect(await isDeleted(own.generationId)).toBeNull()
    expect(await isDeleted(other.generationId)).toEqual(noon)
    await expect(restore(own)).rejects.toMatchObject(unknown)
    await change(other.generationId, { clean_key: null })
    await expect(restore(other)).rejects.toMatchObject(unknown)
  })
})

describe('the invisible mark', () => {
  test('leads to its generation alone', async () => {
    const [one, other] = [await makeGeneration(db.database), await makeGeneration(db.database)]
    for (const { generationId } of [one, other]) {
      const markId = markIdOf(generationId)
      expect(markId).toMatch(/^[0-9a-f]{16}$/)
      expect((await findMarkedGeneration(db.database, markId))?.id).toBe(generationId)
    }
    expect(await findMarkedGeneration(db.database, 'f'.repeat(16))).toBeUndefined()
    expect(await findMarkedGeneration(db.database, '0'.repeat(16))).toBeUndefined()
  })
})

describe('pictures that look alike', () => {
  test('are found nearest first, by any of several hashes', async () => {
    const base = BigInt(Math.floor(Math.random() * 2 ** 40)) << 16n
    const make = async (hash: bigint) =>
      (await makeDoneGeneration(db.database, { row: { picture_hash: String(hash) } })).generationId
    const near = await make(base ^ 0b11n)
    const same = await make(base)
    await makeDoneGeneration(db.database)
    const find = async (hashes: bigint[], limit = 9) =>
      (await findSimilarPictures(db.database, hashes.map(String), limit)).map(
        ({ id, distance }) => [id, distance],
      )
    expect(await find([base])).toEqual([
      [same, 0],
      [near, 2],
    ])
    expect(await find([base], 1)).toEqual([[same, 0]])
    expect(await find([~base, base ^ 0b11n])).toEqual([
      [near, 0],
      [same, 2],
    ])
    expect(await find([~base])).toEqual([])
  })
})
