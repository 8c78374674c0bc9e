import type { Arrangement } from '@starside/contract/arrangement.ts'
import { findRow } from '../../platform/db/rows.ts'
import { randomBytes } from 'node:crypto'
import { adjustmentsMax } from '@starside/contract/limits.ts'
import { LayersError } from '@starside/engine/compositor/layers/layers-error.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Context } from '../../app/context.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { takeBatches } from '../../platform/jobs/take-batches.ts'
import { seal } from '../../platform/secrets/seal.ts'
import { arrangementAt } from '../../testing/arrangement-at.ts'
import { listKeys } from '../../testing/list-keys.ts'
import { makeDoneGeneration, makeGeneration } from '../../testing/make-generation.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import type { AdjustCall } from '../../testing/scripted-engine.ts'
import { findPicture } from '../queries.ts'
import { removeGeneration } from '../delete-generation.ts'
import { addVariation, judgeCaption, makeMore } from './add-variation.ts'
import { chooseVariation } from './choose-variation.ts'
import { deleteExpiredLayers, deleteOwnLayers } from './layers.ts'
import { deleteVariation, purgeVariations, restoreVariation } from './delete-variation.ts'
import { lockOwnGeneration } from '../own-generation.ts'
import { readOtherVariations } from './variation-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const noon = new Date('2026-11-22T12:00:00Z')
const minuteMs = 60_000
let parts: Context
let now: Date
/** What the engine was given to finish, and what it meets before it renders. */
let finished: { bytes: Uint8Array; look: string; provider: string; model: string }[]
let beforeRender: () => Promise<void>
let renders: number
let calls: AdjustCall[]
beforeEach(() => {
  ;[now, finished, renders, calls] = [noon, [], 0, []]
  beforeRender = async () => {}
  app.engine.adjust = async (call) => {
    renders += 1
    calls.push(call)
    await beforeRender()
  }
  const engine: Context['engine'] = {
    ...app.engine,
    async developPicture({ bytes, look, provider, model }) {
      finished.push({ bytes, look, provider, model })
      return await makeTestSelfie()
    },
  }
  parts = { ...app.context, engine, clock: () => now }
})

type Own = Awaited<ReturnType<typeof makeDoneGeneration>>
const deletedAt = { deleted_at: noon }
const database = () => app.context.database
const keysOf = ({ generationId }: Own, name: string) => {
  const key = (form: string) => `variations/${generationId}/${name}-${form}.jpg`
  return {
    clean_key: key('clean'),
    watermarked_key: key('watermarked'),
    clean_thumbnail_key: key('clean-thumbnail'),
    watermarked_thumbnail_key: key('watermarked-thumbnail'),
  }
}

/** A variation of which there is a small picture, or, with a name, one at full size. */
async function makeVariation(
  own: Own,
  row: {
    position: number
    name?: string
    source?: 'made' | 'adjusted'
    arrangement?: Arrangement
    deleted_at?: Date
  },
) {
  const { position, name, source = 'made' } = row
  const preview = `variations/${own.generationId}/${position}-preview.jpg`
  for (const key of name === undefined ? [] : Object.values(keysOf(own, name))) {
    await app.context.store.put(key, Buffer.from(key), 'image/jpeg')
  }
  await app.context.store.put(preview, Buffer.from(`small ${position}`), 'image/jpeg')
  const { id } = await database()
    .insertInto('variations')
    .values({
      generation_id: own.generationId,
      position,
      source,
      arrangement: JSON.stringify(row.arrangement ?? arrangementAt(position / 10)),
      clean_preview_key: preview,
      watermarked_preview_key: preview,
      width_px: 1000 + position,
      height_px: 2000 + position,
      ...(name !== undefined && { ...keysOf(own, name), picture_hash: `${position}` }),
      created_at: noon,
      deleted_at: row.deleted_at ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
async function makeLayers(own: Own, expiresAt = new Date(noon.getTime() + minuteMs)) {
  const encryptionKey = randomBytes(32)
  const key = `layers/${own.generationId}/1`
  const sealing = { key: encryptionKey, subject: own.generationId, randomBytes }
  await app.context.store.put(key, seal(Buffer.from('layers'), sealing), 'application/octet-stream')
  await database()
    .insertInto('generation_layers')
    .values({
      generation_id: own.generationId,
      object_key: key,
      encryption_key: encryptionKey,
      expires_at: expiresAt,
      more_made_at: null,
    })
    .execute()
  return key
}
const shownAs = async ({ generationId }: Own) => {
  const row = await findPicture(database(), generationId)
  return { key: row?.clean_key, widthPx: row?.width_px, heightPx: row?.height_px }
}
const variationOf = (id: string) =>
  database().selectFrom('variations').selectAll().where('id', '=', id).executeTakeFirst()
const objectsOf = ({ generationId }: Own) =>
  listKeys(app.context.store, `variations/${generationId}`)
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }: AppError) => code,
  )
const choose = (own: Own, id: string) => outcome(chooseVariation(parts, own, id))
/** How many connections wait for somebody else's lock. */
async function countLocked(): Promise<number> {
  const { rows } = await app.context.pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}
/** Two finished pictures of one person. */
async function makeTwo(row: object = {}): Promise<[Own, Own]> {
  const userId = await makeUser(database(), 4)
  const make = (more: object) => makeDoneGeneration(database(), { userId, ...more })
  return [await make({ row }), await make({})]
}

describe('a picture is locked', () => {
  const lock = (own: { generationId: string; userId: string }) =>
    inTransaction(database(), (transaction) => lockOwnGeneration(transaction, own))

  test('for its owner, and says what it is shown as', async () => {
    for (const own of await makeTwo()) {
      expect(await lock(own)).toMatchObject({ clean_key: (await shownAs(own)).key })
    }
  })

  test('for nobody else, nor while it is made, nor once it is deleted', async () => {
    const [own] = await makeTwo()
    const { userId } = own
    const stranger = await makeUser(database(), 0)
    const running = await makeGeneration(database(), { userId })
    const deleted = await makeDoneGeneration(database(), { userId, row: deletedAt })
    const nowhere = { generationId: crypto.randomUUID(), userId }
    for (const other of [{ ...own, userId: stranger }, running, deleted, nowhere]) {
      await expect(lock(other)).rejects.toMatchObject({ code: 'generation_unknown' })
    }
  })
})

describe('a variation that is there at full size', () => {
  test('is shown as it is, and no other selfie changes', async () => {
    const [own, other] = await makeTwo()
    const before = await shownAs(other)
    const id = await makeVariation(own, { position: 1, name: 'one' })
    expect(await choose(own, id)).toBe('done')
    const { clean_key: clean } = keysOf(own, 'one')
    expect(await shownAs(own)).toEqual({ key: clean, widthPx: 1001, heightPx: 2001 })
    expect(await shownAs(other)).toEqual(before)
    expect([renders, finished]).toEqual([0, []])
  })

  test('of another selfie, of somebody else, deleted or without an id is unknown', async () => {
    const [own, other] = await makeTwo()
    const id = await makeVariation(own, { position: 1, name: 'one' })
    const deleted = await makeVariation(own, { position: 2, name: 'two', ...deletedAt })
    expect(await choose(other, id)).toBe('variation_unknown')
    expect(await choose(own, deleted)).toBe('variation_unknown')
    expect(await choose(own, 'no id')).toBe('variation_unknown')
    expect(await choose({ ...own, userId: other.holdId }, id)).toBe('generation_unknown')
    const nowhere = { ...own, generationId: crypto.randomUUID() }
    expect(await choose(nowhere, id)).toBe('generation_unknown')
  })

  test('keeps its files when it is deleted in the moment in which it is chosen', async () => {
    const [own] = await makeTwo()
    const id = await makeVariation(own, { position: 0, name: 'one' })
    const files = await objectsOf(own)
    const chosen = await inTransaction(database(), async (transaction) => {
      await lockOwnGeneration(transaction, own)
      const choosing = choose(own, id)
      await expect.poll(countLocked).toBe(1)
      await transaction.updateTable('variations').set(deletedAt).where('id', '=', id).execute()
      return { choosing }
    })
    expect(await chosen.choosing).toBe('variation_unknown')
    expect([files.length, await objectsOf(own)]).toEqual([5, files])
  })
})

describe('a variation of which there is a small picture', () => {
  test('is made of the layers, while they are kept', async () => {
    const [own, other] = await makeTwo()
    const [id, neighbour] = [
      await makeVariation(own, { position: 1 }),
      await makeVariation(own, { position: 2 }),
    ]
    await makeLayers(own)
    await makeLayers(other)
    expect(await choose(own, id)).toBe('done')
    expect(calls).toMatchObject([
      { method: 'renderVariation', layers: Buffer.from('layers'), arrangement: arrangementAt(0.1) },
    ])
    const ofOther = await makeVariation(other, { position: 1 })
    expect(await choose(other, ofOther)).toBe('done')
    expect([renders, finished]).toEqual([2, []])
    const made = await variationOf(id)
    expect(made).toMatchObject({ width_px: 1024, height_px: 1280 })
    expect(made?.picture_hash).toMatch(/^-?\d+$/)
    expect(await shownAs(own)).toEqual({ key: made?.clean_key, widthPx: 1024, heightPx: 1280 })
    expect(await variationOf(neighbour)).toMatchObject({ clean_key: null, width_px: 1002 })
  })

  test.for([
    [{}, 'compositor', ''],
    [{ provider: 'fal', model: 'a-model' }, 'fal', 'a-model'],
  ] as const)('is finished from it once they are gone, as made by %j', async ([row, ...names]) => {
    const [own] = await makeTwo(row)
    const id = await makeVariation(own, { position: 1 })
    await makeLayers(own, noon)
    expect(await choose(own, id)).toBe('done')
    const [provider, model] = names
    expect(finished).toEqual([{ bytes: Buffer.from('small 1'), look: 'natural', provider, model }])
    expect((await shownAs(own)).key).toBe((await variationOf(id))?.clean_key)
  })

  test('is developed from the best one at full size, where its look alone is another', async () => {
    const [own] = await makeTwo()
    await makeVariation(own, { position: 0, name: 'best' })
    const grey = { ...arrangementAt(0), look: 'black-and-white' } as const
    const id = await makeVariation(own, { position: 1, arrangement: grey })
    const elsewhere = await makeVariation(own, {
      position: 2,
      arrangement: { ...arrangementAt(0.2), look: 'black-and-white' },
    })
    expect([await choose(own, id), await choose(own, elsewhere)]).toEqual(['done', 'done'])
    expect(finished).toMatchObject([
      { bytes: Buffer.from(keysOf(own, 'best').clean_key), look: 'black-and-white' },
      { bytes: Buffer.from('small 2'), look: 'natural' },
    ])
  })

  test('is finished from it where another version stored the layers', async () => {
    const [own] = await makeTwo()
    const id = await makeVariation(own, { position: 1 })
    await makeLayers(own)
    beforeRender = () => Promise.reject(new LayersError('layers_unreadable'))
    expect(await choose(own, id)).toBe('done')
    expect(finished).toHaveLength(1)
  })

  test('stays as it is where it can’t be made', async () => {
    const [own] = await makeTwo()
    const before = await shownAs(own)
    const id = await makeVariation(own, { position: 1 })
    await makeLayers(own)
    beforeRender = () => Promise.reject(new LayersError('arrangement_unfit'))
    expect(await choose(own, id)).toBe('arrangement_unfit')
    beforeRender = () => Promise.reject(new Error('broken'))
    await expect(chooseVariation(parts, own, id)).rejects.toThrow('broken')
    await deleteOwnLayers(parts, own)
    await app.context.store.delete(`variations/${own.generationId}/1-preview.jpg`)
    expect(await choose(own, id)).toBe('variation_unknown')
    expect(finished).toEqual([])
    expect(await shownAs(own)).toEqual(before)
  })

  test('is made once where the database fails, and nothing is left of it', async () => {
    const [own] = await makeTwo()
    const id = await makeVariation(own, { position: 1 })
    await makeLayers(own)
    const failing = vi.spyOn(database(), 'transaction').mockImplementationOnce(() => {
      throw new Error('no database')
    })
    await expect(chooseVariation(parts, own, id)).rejects.toThrow('no database')
    failing.mockRestore()
    expect(renders).toBe(1)
    expect(await objectsOf(own)).toHaveLength(1)
    expect(await choose(own, id)).toBe('done')
  })

  test('pressed twice at once is made twice and kept once', async () => {
    const [own] = await makeTwo()
    const id = await makeVariation(own, { position: 1 })
    await makeLayers(own)
    const both = Promise.withResolvers<void>()
    beforeRender = () => {
      if (renders === 2) both.resolve()
      return both.promise
    }
    expect(await Promise.all([choose(own, id), choose(own, id)])).toEqual(['done', 'done'])
    expect(renders).toBe(2)
    expect((await shownAs(own)).key).toBe((await variationOf(id))?.clean_key)
    expect(await objectsOf(own), 'a small one and four of full size').toHaveLength(5)
  })

  test('deleted meanwhile, or with its selfie, leaves nothing behind', async () => {
    for (const table of ['variations', 'generations'] as const) {
      const [own] = await makeTwo()
      const id = await makeVariation(own, { position: 1 })
      await makeLayers(own)
      beforeRender = async () => {
        const rowId = table === 'variations' ? id : own.generationId
        await database().updateTable(table).set(deletedAt).where('id', '=', rowId).execute()
      }
      const unknown = table === 'variations' ? 'variation_unknown' : 'generation_unknown'
      expect(await choose(own, id)).toBe(unknown)
      expect(await objectsOf(own)).toHaveLength(1)
      expect((await variationOf(id))?.clean_key).toBeNull()
    }
  })
})

describe('an arrangement of one’s own', () => {
  test('is kept of its own selfie, and what fails leaves nothing behind', async () => {
    const [own, other] = await makeTwo()
    for (const each of [own, other]) await makeLayers(each)
    const before = await shownAs(other)
    expect(await outcome(addVariation(parts, own, arrangementAt(0.3)))).toBe('done')
    expect((await shownAs(own)).key).toContain(`variations/${own.generationId}/`)
    expect(await shownAs(other)).toEqual(before)
    beforeRender = async () => {
      const { generationId } = other
      await database()
        .updateTable('generations')
        .set(deletedAt)
        .where('id', '=', generationId)
        .execute()
    }
    expect(await outcome(addVariation(parts, other, arrangementAt(0.3)))).toBe('generation_unknown')
    expect(await objectsOf(other)).toEqual([])
  })

  test('is one of so many', async () => {
    const [own, other] = await makeTwo()
    await makeLayers(own)
    const adjusted = { source: 'adjusted' } as const
    const ids: string[] = []
    for (let position = 0; position < adjustmentsMax; position += 1) {
      ids.push(await makeVariation(own, { position, ...adjusted }))
    }
    await makeVariation(other, { position: 0, ...adjusted })
    await makeVariation(own, { position: adjustmentsMax })
    const add = () => outcome(addVariation(parts, own, arrangementAt(0.3)))
    expect([await add(), renders]).toEqual(['variations_too_many', 0])
    expect(await outcome(deleteVariation(parts, own, ids[0]!))).toBe('done')
    expect([await add(), renders]).toEqual(['done', 1])
    expect(await add()).toBe('variations_too_many')
  })

  test('is one of so many, also where two are made at once', async () => {
    const [own] = await makeTwo()
    await makeLayers(own)
    for (let position = 1; position < adjustmentsMax; position += 1) {
      await makeVariation(own, { position, source: 'adjusted' })
    }
    const both = Promise.withResolvers<void>()
    beforeRender = () => {
      if (renders === 2) both.resolve()
      return both.promise
    }
    const add = () => outcome(addVariation(parts, own, arrangementAt(0.3)))
    const outcomes = await Promise.all([add(), add()])
    expect(outcomes.toSorted()).toEqual(['done', 'variations_too_many'])
  })

  test('has its caption judged, and none where there is none', async () => {
    const judged: unknown[] = []
    parts.moderation = {
      ...parts.moderation,
      judgePrompt: async (words) => {
        judged.push(words)
        if (words === 'broken') throw new Error('no judge')
        if (words === 'bad') throw new AppError('prompt_refused')
      },
    }
    const judge = (caption: string) =>
      judgeCaption(parts, { userId: crypto.randomUUID() }, { caption })
    await judge('good')
    await expect(judge('bad')).rejects.toMatchObject({ code: 'caption_refused' })
    await expect(judge('broken')).rejects.toThrow('no judge')
    await judge('')
    expect(judged.filter((words) => words !== undefined)).toEqual(['good', 'bad', 'broken'])
  })

  test('is not made where its caption is refused', async () => {
    parts.moderation = {
      ...parts.moderation,
      judgePrompt: () => Promise.reject(new AppError('prompt_refused')),
    }
    const [own] = await makeTwo()
    await makeLayers(own)
    const arrangement = { ...arrangementAt(0.3), caption: 'bad' }
    expect(await outcome(addVariation(parts, own, arrangement))).toBe('caption_refused')
    expect(renders).toBe(0)
  })
})

test('more variations asked for twice at once are kept once', async () => {
  const [own] = await makeTwo()
  const known = await makeVariation(own, { position: 0 })
  await makeLayers(own)
  const small = await makeTestSelfie()
  app.engine.more = [
    { ...small, arrangement: arrangementAt(0.7), quality: 1, widthPx: 410, heightPx: 512 },
  ]
  parts.engine.moreVariations = app.engine.moreVariations.bind(app.engine)
  const both = Promise.withResolvers<void>()
  beforeRender = () => {
    if (renders === 2) both.resolve()
    return both.promise
  }
  const ends = await Promise.all([1, 2].map(() => outcome(makeMore(parts, own))))
  expect(ends.toSorted()).toEqual(['done', 'more_variations_made'])
  expect(await objectsOf(own), 'one known, and both forms of one more').toHaveLength(3)
  expect(await outcome(makeMore(parts, own))).toBe('more_variations_made')
  expect(renders, 'without asking the engine again').toBe(2)
  const rows = await database()
    .selectFrom('variations')
    .select(['id', 'position', 'source', 'arrangement', 'width_px'])
    .where('generation_id', '=', own.generationId)
    .orderBy('position')
    .execute()
  expect(rows).toEqual([
    { id: known, position: 0, source: 'made', arrangement: arrangementAt(0), width_px: 1000 },
    {
      id: expect.any(String),
      position: 1,
      source: 'more',
      arrangement: arrangementAt(0.7),
      width_px: 410,
    },
  ])
  expect(calls[0]?.except, 'which others are to differ from').toEqual([arrangementAt(0)])
})

test('with a selfie go its own variations and layers, and nobody else’s', async () => {
  const [own, other] = await makeTwo()
  for (const each of [own, other]) {
    await makeVariation(each, { position: 0 })
    await makeLayers(each)
  }
  const row = await findRow(database(), 'generations', { id: own.generationId })
  const removal = { store: app.context.store, now: noon }
  await inTransaction(database(), (it) => removeGeneration(it, row!, removal))
  const left = async ({ generationId }: Own) => {
    const [variations, layers] = await Promise.all(
      (['variations', 'generation_layers'] as const).map((table) =>
        database()
          .selectFrom(table)
          .select('generation_id')
          .where('generation_id', '=', generationId)
          .execute(),
      ),
    )
    return [variations?.length, layers?.length]
  }
  expect([await left(own), await left(other)]).toEqual([
    [0, 0],
    [1, 1],
  ])
})

describe('deleting a variation', () => {
  test('takes it alone, and not the one that is shown', async () => {
    const [own, other] = await makeTwo()
    const [shown, rendered, small] = [
      await makeVariation(own, { position: 0, name: 'shown' }),
      await makeVariation(own, { position: 1, name: 'other' }),
      await makeVariation(own, { position: 2 }),
    ]
    await choose(own, shown)
    const remove = (id: string, of = own) => outcome(deleteVariation(parts, of, id))
    expect(await remove(shown)).toBe('variation_chosen')
    expect(await remove(rendered, other)).toBe('variation_unknown')
    expect(await remove(rendered)).toBe('done')
    expect(await variationOf(rendered)).toMatchObject({ deleted_at: noon })
    expect(await variationOf(small)).toMatchObject({ deleted_at: null })
    expect(await remove(small)).toBe('done')
    expect(await remove(small)).toBe('variation_unknown')
  })

  test('is undone by its owner, of that selfie', async () => {
    const [own, other] = await makeTwo()
    const [one, two] = [
      await makeVariation(own, { position: 0, ...deletedAt }),
      await makeVariation(own, { position: 1, ...deletedAt }),
    ]
    const restore = (id: string, of: { generationId: string; userId: string } = own) =>
      outcome(restoreVariation(parts, of, id))
    expect(await restore(one, other)).toBe('variation_unknown')
    expect(await restore(one, { ...own, userId: own.holdId })).toBe('generation_unknown')
    expect(await restore('no id')).toBe('variation_unknown')
    expect(await restore(one)).toBe('done')
    expect(await variationOf(one)).toMatchObject({ deleted_at: null })
    expect(await variationOf(two)).toMatchObject({ deleted_at: noon })
  })

  test('is not undone where others have taken its place among the adjusted ones', async () => {
    const [own] = await makeTwo()
    for (let position = 0; position < adjustmentsMax - 1; position += 1) {
      await makeVariation(own, { position, source: 'adjusted' })
    }
    const restore = (id: string) => outcome(restoreVariation(parts, own, id))
    const adjusted = { source: 'adjusted', ...deletedAt } as const
    const [first, second] = [
      await makeVariation(own, { position: 50, ...adjusted }),
      await makeVariation(own, { position: 51, ...adjusted }),
    ]
    const made = await makeVariation(own, { position: 52, ...deletedAt })
    expect([await restore(first), await restore(second)]).toEqual(['done', 'variations_too_many'])
    expect(await variationOf(second)).toMatchObject({ deleted_at: noon })
    expect([await restore(first), await restore(made)]).toEqual(['done', 'done'])
  })

  test('is for good after half a minute, however many there are', async () => {
    const [own] = await makeTwo()
    const ago = (ms: number) => new Date(noon.getTime() - ms)
    const late = [0, 1, 2].map((position) => ({ position, deleted_at: ago(30_001) }))
    for (const row of late) await makeVariation(own, row)
    const early = await makeVariation(own, { position: 3, deleted_at: ago(30_000) })
    const kept = await makeVariation(own, { position: 4 })
    await takeBatches(new AbortController().signal, 2, (size) => purgeVariations(parts, size))
    const rows = await database()
      .selectFrom('variations')
      .select('id')
      .where('generation_id', '=', own.generationId)
      .orderBy('position')
      .execute()
    expect(rows.map(({ id }) => id)).toEqual([early, kept])
    expect(await objectsOf(own)).toHaveLength(2)
  })
})

describe('layers', () => {
  const left = async (keys: string[]) =>
    (await listKeys(app.context.store, 'layers')).filter((key) => keys.includes(key))

  test('are deleted for their owner, of that selfie', async () => {
    const [own, other] = await makeTwo()
    const keys = [await makeLayers(own), await makeLayers(other)]
    const stranger = await makeUser(database(), 0)
    const remove = (of: { generationId: string; userId: string }) =>
      outcome(deleteOwnLayers(parts, of))
    expect(await remove({ ...own, userId: stranger })).toBe('generation_unknown')
    expect(await remove({ ...own, generationId: crypto.randomUUID() })).toBe('generation_unknown')
    expect(await left(keys)).toHaveLength(2)
    expect(await remove(own)).toBe('done')
    expect(await left(keys)).toEqual([keys[1]])
    expect(await remove(own), 'once more').toBe('done')
    const deleted = await makeDoneGeneration(database(), { row: deletedAt })
    expect(await remove(deleted)).toBe('generation_unknown')
  })

  test('are deleted in the moment in which they expire, however many there are', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => makeDoneGeneration(database())))
    const [kept, ...expired] = made
    const keys = await Promise.all(expired.map((own) => makeLayers(own, noon)))
    keys.push(await makeLayers(kept!, new Date(noon.getTime() + 1)))
    await takeBatches(new AbortController().signal, 2, (size) => deleteExpiredLayers(parts, size))
    expect(await left(keys)).toEqual([`layers/${kept?.generationId}/1`])
    const rows = await database()
      .selectFrom('generation_layers')
      .select('generation_id')
      .where(
        'generation_id',
        'in',
        made.map(({ generationId }) => generationId),
      )
      .execute()
    expect(rows).toEqual([{ generation_id: kept?.generationId }])
  })
})

test('an export has the other variations, as large as they are and as their owner may have them', async () => {
  const [own] = await makeTwo()
  const full = keysOf(own, 'full')
  const shown = await makeVariation(own, { position: 0, name: 'shown' })
  await choose(own, shown)
  const ids = [
    await makeVariation(own, { position: 1, name: 'full' }),
    await makeVariation(own, { position: 2 }),
  ]
  await makeVariation(own, { position: 3, name: 'lost' })
  for (const key of Object.values(keysOf(own, 'lost'))) await app.context.store.delete(key)
  await makeVariation(own, { position: 4, ...deletedAt })
  const read = async (bought: number) => {
    const row = (await findPicture(database(), own.generationId))!
    const found = await readOtherVariations(parts, { ...row, is_premium: bought > 0 })
    return found.map(({ variationId, bytes }) => [variationId, bytes.toString()])
  }
  expect(await read(0)).toEqual([
    [ids[0], full.watermarked_key],
    [ids[1], 'small 2'],
  ])
  expect(await read(1)).toEqual([
    [ids[0], full.clean_key],
    [ids[1], 'small 2'],
  ])
})
