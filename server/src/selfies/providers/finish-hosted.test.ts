import { PictureError } from '@starside/engine/photo/picture-error.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import { markIdOf } from '../selfie-marks.ts'
import type { GenerationRow } from '../queries.ts'
import { findRow } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AttemptRow } from './attempts.ts'
import { finishHosted } from './finish-hosted.ts'

const likenessMin = 0.75

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

/** What was given to the engine, and which pictures it finds a fault with. */
let finished: Record<string, unknown>[]
let faults: Record<string, Error>
/** Texts of pictures that the moderation refuses. */
let refused: string[]
/** How far the user's face in each picture is from their photo, in hundredths; none are compared without. */
let far: Record<string, number> | undefined
/** What the moderation was told of each picture. */
let judged: object[]
beforeEach(() => {
  ;[finished, faults, refused, far, judged] = [[], {}, [], undefined, []]
})

/** A running generation of three pictures, 'a' to 'c'. */
async function make(row: Partial<GenerationRow> = {}, attemptRow: Partial<AttemptRow> = {}) {
  const own = await makeGeneration(db.database)
  const attempt = await makeAttempt(db.database, own, {
    state: 'fetched',
    submitted_at: new Date(),
    output_key: 'inputs/x/a',
    further_output_keys: ['inputs/x/b', 'inputs/x/c'],
  })
  const photos = { user_photo_key: 'inputs/u-1x1.jpg', star_photo_key: 'inputs/s-1x1.jpg' }
  const found = await findRow(db.database, 'generations', { id: own.generationId })
  return { row: { ...found!, ...photos, ...row }, attempt: { ...attempt, ...attemptRow } }
}

const faceOf = (who: number, farness = 0) => ({
  crop: Uint8Array.of(who, farness),
  headSizePx: 100,
})

function parts() {
  const compare = async (crops: readonly Uint8Array[]) =>
    crops.map((one) =>
      crops.map((other) => (one[0] === other[0] ? (one[1]! + other[1]!) / 100 : 0.9)),
    )
  return {
    config: { publicHost: 'selfie.example' },
    site: { values: () => ({ 'brand.markText': '', 'brand.name': 'Starside' }) },
    guestRules: { wishesFor: async () => ({}) },
    database: db.database,
    notifications: { publish: async () => {} },
    images: { find: () => ({ likenessMin }) },
    log: { info() {} },
    store: {
      get: async (key: string) => (key.endsWith('gone') ? undefined : Buffer.from(key.slice(-1))),
    },
    faceComparison: far === undefined ? undefined : { compare, close() {} },
    moderation: {
      async judgeResult({ clean }: { clean: Uint8Array }, about: object) {
        judged.push(about)
        const isRefused = refused.includes(Buffer.from(clean).toString())
        if (isRefused) throw new AppError('picture_refused')
        return '0'
      },
    },
    engine: {
      cropFaces: async () => [faceOf(crops.shift() ?? 0)],
      async finishProviderPicture(given: { bytes: Uint8Array }) {
        const name = Buffer.from(given.bytes).toString()
        finished.push({ ...given, bytes: name })
        if (faults[name] !== undefined) throw faults[name]
        const faces = [faceOf(1, far?.[name]), faceOf(2)]
        return { ...(await makeTestSelfie()), clean: Buffer.from(name), faces }
      },
    },
  }
}
/** Whose faces are in the photos, in the order in which they are read: the user's, the star's. */
let crops: number[]

async function finish(
  about: Awaited<ReturnType<typeof make>>,
  { signal = new AbortController().signal } = {},
) {
  crops = [1, 2]
  const pictures = await finishHosted(parts() as never, { ...about, signal })
  return pictures.map(({ selfie, likeness }) => [Buffer.from(selfie.clean).toString(), likeness])
}
const likenessOf = async ({ attempt }: Awaited<ReturnType<typeof make>>) =>
  (await findRow(db.database, 'generation_attempts', { id: attempt.id }))?.likeness

test('pictures of a hosted model are finished as what was asked for, in their order', async () => {
  const one = await make()
  expect(await finish(one)).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', undefined],
  ])
  expect(finished).toEqual(
    ['a', 'b', 'c'].map((bytes) => ({
      bytes,
      mayHaveOthers: false,
      headCount: 2,
      watermarkText: 'selfie.example',
      systemName: 'Starside',
      systemVersion: expect.any(String),
      provider: 'fal',
      model: 'google/nano-banana-2.1/edit',
      markId: markIdOf(one.row.id),
    })),
  )
  const about = { userId: one.row.user_id, generationId: one.row.id }
  expect(judged).toEqual(['a', 'b', 'c'].map(() => ({ ...about, signal: expect.any(AbortSignal) })))
  expect(await findRow(db.database, 'generations', { id: one.row.id })).toMatchObject({
    stage: 'finish',
  })
  expect(await likenessOf(one)).toBeNull()
  const company = await make(
    { user_face_indexes: [0, 2], star_names: ['One', 'Two'], has_background_photo: true },
    { further_output_keys: [] },
  )
  finished = []
  await finish(company)
  expect(finished).toEqual([expect.objectContaining({ headCount: 4, mayHaveOthers: true })])
})

test('the most alike picture is the first, and a stranger’s is left out', async () => {
  const one = await make()
  far = { a: 25, b: 26, c: 10 }
  expect(await finish(one)).toEqual([
    ['c', 0.9],
    ['a', likenessMin],
  ])
  expect(await likenessOf(one)).toBeCloseTo(0.9)
  far = { a: 10, b: 20, c: 15 }
  expect((await finish(one)).map(([name]) => name)).toEqual(['a', 'c', 'b'])
})

test('what is wrong with one picture costs no other, and is told where none is left', async () => {
  const one = await make()
  faults = { a: new PictureError('faces_missing') }
  refused = ['c']
  expect(await finish(one)).toEqual([['b', undefined]])
  refused = ['b', 'c']
  await expect(finish(one)).rejects.toThrow(faults['a'])
  faults = {}
  refused = ['a', 'b', 'c']
  await expect(finish(one)).rejects.toMatchObject({ code: 'picture_refused' })
  expect(await likenessOf(one)).toBeNull()
  far = { a: 40, b: 30, c: 50 }
  await expect(finish(one)).rejects.toThrow('likeness 60 %, at least 75 %')
  expect(await likenessOf(one)).toBeCloseTo(0.7)
})

test('an error of ours, a picture that is gone and an abort end the work', async () => {
  faults = { a: new Error('no engine') }
  await expect(finish(await make())).rejects.toThrow('no engine')
  expect(finished).toHaveLength(1)
  faults = {}
  await expect(finish(await make({}, { output_key: 'inputs/gone' }))).rejects.toThrow(
    'the picture inputs/gone is gone',
  )
  await expect(finish(await make({}, { output_key: null }))).rejects.toThrow(/pictures .* are gone/)
  finished = []
  const abort = new AbortController()
  abort.abort(new Error('stopped'))
  await expect(finish(await make(), { signal: abort.signal })).rejects.toThrow('stopped')
  expect(finished).toEqual([])
})
