import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../app/context.ts'
import { captureHold } from '../ledger/credits/close-hold.ts'
import { inTransaction } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import { makeAttempt, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import type { TestGeneration } from '../testing/make-generation.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { storedSheet } from '../testing/stored-sheet.ts'
import { deleteInputs, removeGeneration } from './delete-generation.ts'
import { completeGeneration, failGeneration, generationTopic } from './finish-generation.ts'
import { workOnGenerations } from './jobs.ts'
import { attemptQueue } from './providers/attempts.ts'
import { generationQueue } from './providers/begin-step.ts'
import type { StoredSheet } from './variations/store-sheet.ts'
import { sweepGenerations } from './sweep.ts'
import { writeStage, writeStagePercent } from './generation-progress.ts'

let app: TestApp
let parts: Context
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  parts = { ...app.context, clock: () => noon }
})

const noon = new Date('2026-11-20T12:00:00Z')
const before = (ms: number) => new Date(noon.getTime() - ms)
const minuteMs = 60_000

const read = async ({ generationId }: Pick<TestGeneration, 'generationId'>) =>
  (await findRow(app.context.database, 'generations', { id: generationId }))!

const holdOf = async ({ holdId }: TestGeneration) =>
  app.context.database
    .selectFrom('credit_holds')
    .innerJoin('credit_accounts', 'credit_accounts.id', 'credit_holds.account_id')
    .select(['state', 'settled_at', 'balance'])
    .where('credit_holds.id', '=', holdId)
    .executeTakeFirstOrThrow()

/** Resolves when the generation’s topic was published. */
function published({ generationId }: TestGeneration): Promise<void> {
  return new Promise((resolve) => {
    const stop = app.context.notifications.subscribe(generationTopic(generationId), () => {
      stop()
      resolve()
    })
  })
}

async function put(...keys: string[]) {
  for (const key of keys) await app.context.store.put(key, Buffer.from(key), 'image/jpeg')
}
async function stillThere(...keys: string[]) {
  const found = await Promise.all(keys.map((key) => app.context.store.get(key)))
  return keys.filter((_key, index) => found[index] !== undefined)
}

const stored = storedSheet('made')

describe('a generation that is done', () => {
  const complete = async (
    { generationId }: TestGeneration,
    attempt?: { id: string; prompt_version: string },
  ) =>
    completeGeneration(parts, generationId, {
      stored,
      selfie: await makeTestSelfie(),
      layersExpireAt: noon,
      attempt,
    })

  test('keeps its pictures and captures its credit', async () => {
    const one = await makeGeneration(app.context.database, { at: before(minuteMs) })
    const other = await makeGeneration(app.context.database, { at: before(minuteMs) })
    const told = published(one)
    expect(await complete(one)).toBe('done')
    await told
    expect(await read(one)).toMatchObject({
      state: 'done',
      stage: 'done',
      clean_key: 'made/clean',
      watermarked_key: 'made/marked',
      clean_thumbnail_key: 'made/clean-small',
      watermarked_thumbnail_key: 'made/marked-small',
      picture_hash: '42',
      width_px: 1024,
      height_px: 1280,
      provider: 'scripted',
      model: 'test',
      prompt_version: null,
      finished_at: noon,
    })
    expect(await holdOf(one)).toEqual({ state: 'captured', settled_at: noon, balance: 0 })
    expect(await read(other)).toMatchObject({ state: 'running', clean_key: null })
    expect(await holdOf(other)).toMatchObject({ state: 'held' })
  })

  test('is done once, whoever comes again', async () => {
    const one = await makeGeneration(app.context.database, { at: noon })
    await complete(one)
    parts = { ...parts, clock: () => new Date() }
    expect(await complete(one)).toBe('already_finished')
    expect((await read(one)).finished_at).toEqual(noon)
  })

  test('has its attempt succeed with it', async () => {
    const one = await makeGeneration(app.context.database, { at: noon })
    const attempt = await makeAttempt(app.context.database, one, {
      state: 'fetched',
      output_key: 'inputs/x/provider.bin',
      further_output_keys: ['inputs/x/provider-2.bin'],
      submitted_at: noon,
    })
    expect(await complete(one, { id: attempt.id, prompt_version: '7' })).toBe('done')
    expect(await read(one)).toMatchObject({ prompt_version: '7' })
    const { state, finished_at, output_key, further_output_keys } = await app.context.database
      .selectFrom('generation_attempts')
      .selectAll()
      .where('id', '=', attempt.id)
      .executeTakeFirstOrThrow()
    expect({ state, finished_at, output_key, further_output_keys }).toEqual({
      state: 'succeeded',
      finished_at: noon,
      output_key: null,
      further_output_keys: [],
    })
  })

  test('keeps its picture where its credit was captured already', async () => {
    const one = await makeGeneration(app.context.database, { at: noon })
    await captureHold(app.context.database, { holdId: one.holdId, now: noon })
    expect(await complete(one)).toBe('done')
    expect(await holdOf(one)).toMatchObject({ state: 'captured', balance: 0 })
  })

  test('has each of its variations, with the fingerprint of those at full size', async () => {
    const { generationId } = await makeGeneration(app.context.database, { at: noon })
    const { picture } = storedSheet('other')
    const size = { arrangement: null, width_px: 1024, height_px: 1280 }
    const previews = { clean_preview_key: 'small/clean', watermarked_preview_key: 'small/marked' }
    const sheet: StoredSheet = {
      ...stored,
      variations: [
        { ...size, ...stored.picture },
        { ...size, ...picture, picture_hash: '7' },
        { ...size, ...previews },
      ],
    }
    const result = {
      stored: sheet,
      selfie: await makeTestSelfie(),
      layersExpireAt: noon,
      attempt: undefined,
    }
    expect(await completeGeneration(parts, generationId, result)).toBe('done')
    const rows = await app.context.database
      .selectFrom('variations')
      .select(['clean_key', 'clean_preview_key', 'picture_hash'])
      .where('generation_id', '=', generationId)
      .orderBy('position')
      .execute()
    expect(rows).toEqual([
      { clean_key: 'made/clean', clean_preview_key: null, picture_hash: '42' },
      { clean_key: 'other/clean', clean_preview_key: null, picture_hash: '7' },
      { clean_key: null, clean_preview_key: 'small/clean', picture_hash: null },
    ])
  })

  test('has no picture when its credit had gone back', async () => {
    const one = await makeGeneration(app.context.database, { at: noon })
    await app.context.database
      .updateTable('credit_holds')
      .set({ state: 'expired', settled_at: noon })
      .where('id', '=', one.holdId)
      .execute()
    expect(await complete(one)).toBe('hold_gone')
    expect(await read(one)).toMatchObject({ state: 'running', clean_key: null })
  })

  test('fails as a whole when the database does', async () => {
    const one = await makeGeneration(app.context.database, { at: noon })
    const broken = { ...stored, picture: { ...stored.picture, width_px: 1.5 } }
    const result = { stored: broken, selfie: await makeTestSelfie(), layersExpireAt: noon }
    await expect(completeGeneration(parts, one.generationId, result)).rejects.toThrow(/integer/)
    expect(await holdOf(one)).toMatchObject({ state: 'held' })
  })
})

describe('a generation that fails', () => {
  test('says why and gives its credit back, once', async () => {
    const one = await makeGeneration(app.context.database, { at: before(minuteMs) })
    const other = await makeGeneration(app.context.database, { at: before(minuteMs) })
    const told = published(one)
    await failGeneration(parts, one.generationId, 'face_missing')
    await told
    const failed = { state: 'failed', error_code: 'face_missing', finished_at: noon }
    expect(await read(one)).toMatchObject(failed)
    expect(await holdOf(one)).toEqual({ state: 'released', settled_at: noon, balance: 1 })
    expect(await read(other)).toMatchObject({ state: 'running' })
    await failGeneration(parts, one.generationId, 'generation_failed')
    expect(await read(one)).toMatchObject(failed)
  })

  test('is one whose job the queue has given up, and one whose attempt it has given up fails there', async () => {
    const [one, other] = [
      await makeGeneration(app.context.database),
      await makeGeneration(app.context.database),
    ]
    const attempt = await makeAttempt(app.context.database, other, {
      state: 'submitting',
      submitted_at: noon,
      cost_micro_usd: 39_000,
    })
    const dead = new Map<string, (data: unknown) => Promise<void>>()
    await workOnGenerations({
      ...parts,
      images: { ...app.context.images, hostedCount: 1, attach() {} },
      jobs: {
        ...app.context.jobs,
        work: async ({ name, onDead }: any) => void dead.set(name, onDead),
        schedule: async () => {},
      },
    } as never)
    await dead.get(generationQueue.name)!({ generationId: one.generationId })
    expect(await read(one)).toMatchObject({ state: 'failed', error_code: 'generation_failed' })
    expect(await holdOf(one)).toMatchObject({ state: 'released', balance: 1 })
    await dead.get(attemptQueue.name)!({ attemptId: attempt.id })
    const match = { id: attempt.id }
    expect(await findRow(app.context.database, 'generation_attempts', match)).toMatchObject({
      state: 'failed',
      error_kind: 'unknown',
      cost_micro_usd: '39000',
    })
  })

  test('is none that was done before', async () => {
    const one = await makeDoneGeneration(app.context.database)
    await failGeneration(parts, one.generationId, 'generation_failed')
    expect(await read(one)).toMatchObject({ state: 'done', error_code: null })
    expect(await holdOf(one)).toMatchObject({ state: 'held' })
  })
})

test('a stage is written for a running generation alone, and told', async () => {
  const { database } = app.context
  const [one, other] = [await makeGeneration(database), await makeGeneration(database)]
  const done = await makeDoneGeneration(database)
  const told = published(one)
  await writeStage(parts, one.generationId, 'matting')
  await told
  await writeStage(parts, done.generationId, 'matting')
  expect([(await read(one)).stage, (await read(other)).stage]).toEqual(['matting', 'queued'])
  expect((await read(done)).stage).toBe('done')
})

test('how far a picture is is written for a running generation alone, never back, and told', async () => {
  const { database } = app.context
  const one = await makeGeneration(database)
  const failed = await makeGeneration(database)
  for (const each of [one, failed]) await writeStage(parts, each.generationId, 'reading')
  await failGeneration(parts, failed.generationId, 'generation_failed')
  const told = published(one)
  await writeStagePercent(parts, one.generationId, 40)
  await told
  await writeStagePercent(parts, one.generationId, 35)
  await writeStagePercent(parts, failed.generationId, 40)
  expect(await read(one)).toMatchObject({ stage: 'blend', stage_percent: 40 })
  expect(await read(failed)).toMatchObject({ stage: 'reading', stage_percent: 0 })
  await writeStage(parts, one.generationId, 'finish')
  await writeStagePercent(parts, one.generationId, 90)
  expect(await read(one)).toMatchObject({ stage: 'finish', stage_percent: 0 })
})

test('a stage that is written already is not written again', async () => {
  const one = await makeGeneration(app.context.database)
  const rowVersion = async () =>
    (
      await app.context.pool.query<{ xmin: string }>(
        'select xmin::text from generations where id = $1',
        [one.generationId],
      )
    ).rows[0]?.xmin
  const at = await rowVersion()
  await writeStage(parts, one.generationId, 'queued')
  expect(await rowVersion()).toBe(at)
})

describe('photos', () => {
  const photosOf = (id: string) => ({
    user_photo_key: `inputs/${id}/user-1x1.jpg`,
    star_photo_key: `inputs/${id}/star-1x1.jpg`,
    second_star_photo_key: `inputs/${id}/second-star-1x1.jpg`,
    star_names: ['One', 'Two'],
  })

  test('go with their keys when a generation ends, and nobody else’s', async () => {
    const { database } = app.context
    const [mine, theirs] = [photosOf(crypto.randomUUID()), photosOf(crypto.randomUUID())]
    const one = await makeGeneration(database, { row: mine })
    const other = await makeGeneration(database, { row: theirs })
    const keysOf = ({ star_names: _names, ...photos }: typeof mine) => Object.values(photos)
    await put(...keysOf(mine), ...keysOf(theirs))
    await deleteInputs(parts, await read(one))
    expect(await stillThere(...keysOf(mine), ...keysOf(theirs))).toEqual(keysOf(theirs))
    expect(await read(one)).toMatchObject({
      user_photo_key: null,
      star_photo_key: null,
      second_star_photo_key: null,
    })
    expect(await read(other)).toMatchObject(theirs)
  })
})

/** Writes so many more generations that are as this one is, each with a hold of its own. */
async function copyGeneration({ generationId, holdId }: TestGeneration, times: number) {
  await app.context.pool.query(
    `
    with holds as (
      insert into credit_holds
      select (jsonb_populate_record(hold, jsonb_build_object('id', gen_random_uuid(),
        'reference', 'copy ' || gen_random_uuid(), 'attached_to', null,
        'state', 'released', 'settled_at', hold.created_at))).*
      from credit_holds as hold, generate_series(1, $3)
      where id = $1
      returning id
    )
    insert into generations
    select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(),
      'hold_id', holds.id))).*
    from generations as one, holds
    where one.id = $2`,
    [holdId, generationId, times],
  )
}

/** The keys of a finished generation’s four pictures and the PNGs that were made of two of them. */
function picturesOf(id: string) {
  const key = (name: string) => `pictures/${id}/1-${name}`
  const four = ['clean', 'watermarked', 'clean-thumbnail', 'watermarked-thumbnail']
  return [...four.map((name) => key(`${name}.jpg`)), key('clean.png'), key('watermarked.png')]
}

describe('a removed picture', () => {
  test('is gone at once for everybody, and its objects after the commit', async () => {
    const { database, store } = app.context
    const one = await makeDoneGeneration(database, { row: { share_id: crypto.randomUUID() } })
    const other = await makeDoneGeneration(database)
    const objects = picturesOf(one.generationId)
    await put(...objects, ...picturesOf(other.generationId))
    const row = await read(one)
    const deleteObjects = await inTransaction(database, (transaction) =>
      removeGeneration(transaction, row, { store, now: noon }),
    )
    expect(await stillThere(...objects)).toEqual(objects)
    await deleteObjects()
    expect(await stillThere(...objects)).toEqual([])
    expect(await stillThere(...picturesOf(other.generationId))).toHaveLength(6)
    expect(await read(one)).toMatchObject({
      deleted_at: noon,
      share_id: null,
      clean_key: null,
      watermarked_key: null,
      clean_thumbnail_key: null,
      watermarked_thumbnail_key: null,
    })
    expect(await read(other)).toMatchObject({ deleted_at: null })
  })

  test('keeps the time at which its owner had deleted it', async () => {
    const { database, store } = app.context
    const at = before(minuteMs)
    const one = await makeDoneGeneration(database, { row: { deleted_at: at } })
    const row = await read(one)
    await inTransaction(database, (it) => removeGeneration(it, row, { store, now: noon }))
    expect((await read(one)).deleted_at).toEqual(at)
  })

  test('is none that runs', async () => {
    const { database, store } = app.context
    const one = await makeGeneration(database)
    const row = await read(one)
    await inTransaction(database, (it) => removeGeneration(it, row, { store, now: noon }))
    expect((await read(one)).deleted_at).toBeNull()
  })
})

test('whoever hears that a generation has ended finds it so', async () => {
  const { database } = app.context
  const found: string[] = []
  const one = await makeGeneration(database)
  const notifications = {
    ...app.context.notifications,
    publish: async () => void found.push((await read(one)).state),
  }
  await failGeneration({ ...parts, notifications }, one.generationId, 'generation_failed')
  expect(found).toEqual(['failed'])
})

describe('the sweep', () => {
  const sweep = () => sweepGenerations(parts, new AbortController().signal)

  test('ends what runs past its hold, and gives the credit back', async () => {
    const { database } = app.context
    const late = await makeGeneration(database, { at: before(15 * minuteMs) })
    const early = await makeGeneration(database, { at: before(15 * minuteMs - 1) })
    const done = await makeDoneGeneration(database, { at: before(15 * minuteMs) })
    await sweep()
    expect(await read(late)).toMatchObject({ state: 'failed', error_code: 'generation_failed' })
    expect(await holdOf(late)).toMatchObject({ state: 'released', balance: 1 })
    expect((await read(early)).state).toBe('running')
    expect((await read(done)).state).toBe('done')
  })

  test('takes all there are, batch after batch, unless it is to end', async () => {
    const { database } = app.context
    const make = () => makeDoneGeneration(database, { row: { deleted_at: before(minuteMs) } })
    const gone = await Promise.all(Array.from({ length: 5 }, make))
    const late = await Promise.all(
      Array.from({ length: 5 }, () => makeGeneration(database, { at: before(15 * minuteMs) })),
    )
    const left = async () => {
      const rows = await Promise.all([...gone, ...late].map(read))
      return rows.filter((row) => row.clean_key !== null || row.state === 'running').length
    }
    await sweepGenerations(parts, AbortSignal.abort(), 2)
    expect(await left()).toBe(10)
    await sweepGenerations(parts, new AbortController().signal, 2)
    expect(await left()).toBe(0)
  })

  test('deletes photos though a step before that fails, and says that it failed', async () => {
    const { database } = app.context
    const key = `inputs/${crypto.randomUUID()}/user`
    const left = await makeDoneGeneration(database, { row: { user_photo_key: key } })
    const late = await makeGeneration(database, { at: before(15 * minuteMs) })
    const publish = () => Promise.reject(new Error('no notifications'))
    const notifications = { ...app.context.notifications, publish }
    const swept = sweepGenerations({ ...parts, notifications }, new AbortController().signal)
    await expect(swept).rejects.toThrow('A part of the sweep failed.')
    expect((await read(late)).state).toBe('failed')
    expect((await read(left)).user_photo_key).toBeNull()
  })

  test('leaves the files of a picture that is brought back meanwhile', async () => {
    const { database, pool } = app.context
    const one = await makeDoneGeneration(database, { row: { deleted_at: before(minuteMs) } })
    const pictures = picturesOf(one.generationId)
    await put(...pictures)
    const countLocked = async () =>
      (
        await pool.query(
          `select from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).rowCount
    const { sweeping } = await inTransaction(database, async (transaction) => {
      await transaction
        .updateTable('generations')
        .set({ deleted_at: null })
        .where('id', '=', one.generationId)
        .execute()
      const begun = sweep()
      await expect.poll(countLocked).toBe(1)
      return { sweeping: begun }
    })
    await sweeping
    expect(await stillThere(...pictures)).toEqual(pictures)
    expect((await read(one)).clean_key).not.toBeNull()
  })

  test('takes the pictures of what was deleted half a minute ago', async () => {
    const { database } = app.context
    const make = (deletedMsAgo: number | null) =>
      makeDoneGeneration(database, {
        row: { deleted_at: deletedMsAgo === null ? null : before(deletedMsAgo) },
      })
    const [gone, undoable, kept] = [await make(30_001), await make(30_000), await make(null)]
    const all = [gone, undoable, kept].flatMap(({ generationId }) => picturesOf(generationId))
    await put(...all)
    await sweep()
    expect(await stillThere(...all)).toEqual(all.slice(6))
    expect(await read(gone)).toMatchObject({
      clean_key: null,
      watermarked_key: null,
      clean_thumbnail_key: null,
      watermarked_thumbnail_key: null,
    })
    expect((await read(undoable)).clean_key).not.toBeNull()
    expect((await read(kept)).clean_key).not.toBeNull()
  })

  test('takes the variations of what was deleted with it, and nobody else’s', async () => {
    const { database } = app.context
    const gone = await makeDoneGeneration(database, { row: { deleted_at: before(minuteMs) } })
    const kept = await makeDoneGeneration(database)
    const pictures = [gone, kept].map(
      ({ generationId: id }) => `pictures/${id}/v-clean-preview.jpg`,
    )
    for (const [index, { generationId }] of [gone, kept].entries()) {
      const variation = { generation_id: generationId, position: 0, source: 'made' } as const
      await database
        .insertInto('variations')
        .values({
          ...variation,
          clean_preview_key: pictures[index]!,
          watermarked_preview_key: pictures[index]!,
          width_px: 1024,
          height_px: 1280,
          created_at: noon,
        })
        .execute()
    }
    await put(...pictures)
    await sweep()
    expect(await stillThere(...pictures)).toEqual([pictures[1]])
    const rows = await database
      .selectFrom('variations')
      .select('generation_id')
      .where('generation_id', 'in', [gone.generationId, kept.generationId])
      .execute()
    expect(rows).toEqual([{ generation_id: kept.generationId }])
  })

  test('deletes photos that outlived their generation, and none of a running one', async () => {
    const { database } = app.context
    const key = () => `inputs/${crypto.randomUUID()}/user-1x1.jpg`
    const [ended, running] = [key(), key()]
    const done = await makeDoneGeneration(database, { row: { user_photo_key: ended } })
    await makeGeneration(database, { at: noon, row: { user_photo_key: running } })
    await put(ended, running)
    await sweep()
    expect(await stillThere(ended, running)).toEqual([running])
    expect((await read(done)).user_photo_key).toBeNull()
  })

  test('is not kept busy by what is swept already, however much that is', async () => {
    const { database } = app.context
    // A sweep looks at 200 at a time.
    const swept = await makeDoneGeneration(database, {
      row: {
        deleted_at: before(minuteMs),
        clean_key: null,
        watermarked_key: null,
        clean_thumbnail_key: null,
        watermarked_thumbnail_key: null,
      },
    })
    await copyGeneration(swept, 250)
    const photo = `inputs/${crypto.randomUUID()}/user-1x1.jpg`
    const gone = await makeDoneGeneration(database, {
      row: { deleted_at: before(minuteMs), user_photo_key: photo },
    })
    const pictures = picturesOf(gone.generationId)
    await put(photo, ...pictures)
    await sweep()
    expect(await stillThere(photo, ...pictures)).toEqual([])
    expect(await read(gone)).toMatchObject({ clean_key: null, user_photo_key: null })
  })

  test('deletes photos and pictures that no generation names', async () => {
    const stray = ['inputs', 'pictures'].map((name) => `${name}/${crypto.randomUUID()}/1-x.jpg`)
    await put(...stray)
    parts = { ...parts, clock: () => new Date(Date.now() + 2 * 60 * minuteMs) }
    await sweep()
    expect(await stillThere(...stray)).toEqual([])
  })
})
