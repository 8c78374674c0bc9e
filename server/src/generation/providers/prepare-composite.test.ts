import { randomBytes } from 'node:crypto'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { findGeneration } from '../queries.ts'
import { compositePrompt } from '../vendors/prompt/template.ts'
import { findAttempt } from './attempt-queries.ts'
import { prepareComposite } from './prepare-composite.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

let stored: Map<string, Uint8Array>
let composites: number
let whileMaking: () => Promise<void>
beforeEach(() => {
  ;[stored, composites] = [new Map(), 0]
  whileMaking = async () => {}
})

const provider = {
  takesCount: false,
  photoPixelsMax: undefined,
  photoSize: () => undefined,
} as never
const engine = {
  async makeComposite() {
    composites += 1
    await whileMaking()
    const bytes = Buffer.from(`composite ${composites}`)
    return { bytes, mediaType: 'image/jpeg', hasMatte: false, widthPx: 640, heightPx: 800 }
  },
}

/** An attempt with its slot, and another one of the same person. */
async function make() {
  const own = await makeGeneration(db.database)
  const attempt = await makeAttempt(db.database, own, { state: 'granted', with_composite: true })
  const other = await makeAttempt(db.database, own, { state: 'granted', chain_position: 1 })
  const photos = { user_photo_key: 'inputs/u-1x1.jpg', star_photo_key: 'inputs/s-1x1.jpg' }
  for (const key of Object.values(photos)) stored.set(key, Buffer.from(key))
  const row = { ...(await findGeneration(db.database, own.generationId))!, ...photos }
  const read = async (id = attempt.id) => (await findAttempt(db.database, id))!
  const prepare = async () => {
    const parts = {
      clock: () => new Date(),
      database: db.database,
      engine,
      images: { settings: { picturesMax: 1, failsOverOn: [] }, step: () => undefined },
      jobs: { enqueue: async () => {} },
      log: { warn() {} },
      notifications: { publish: async () => {} },
      randomBytes,
      store: {
        get: async (key: string) => stored.get(key),
        put: async (key: string, bytes: Uint8Array) => void stored.set(key, bytes),
        delete: async (key: string) => void stored.delete(key),
      },
    }
    const about = {
      attempt: await read(),
      provider,
      signal: new AbortController().signal,
    }
    return await prepareComposite(parts as never, row, about)
  }
  return { attempt, other, read, prepare }
}
const kept = () => [...stored.keys()].filter((key) => key.includes('/composite-'))

test('a composite is made once, kept for its own attempt, and is all that the model gets', async () => {
  const { other, read, prepare } = await make()
  const request = await prepare()
  const [key] = kept()
  expect(request).toMatchObject({ prompt: compositePrompt, starPhotos: [], count: 1 })
  expect(Buffer.from(request!.userPhoto.bytes).toString()).toBe('composite 1')
  expect((await read()).composite_key).toBe(key)
  expect((await read(other.id)).composite_key).toBeNull()
  const again = await prepare()
  expect(Buffer.from(again!.userPhoto.bytes).toString()).toBe('composite 1')
  expect([composites, kept()]).toEqual([1, [key]])
})

test('a composite of an attempt that has ended meanwhile is not kept', async () => {
  const { attempt, read, prepare } = await make()
  whileMaking = async () => {
    await db.database
      .updateTable('generation_attempts')
      .set({ state: 'failed', error_kind: 'timeout', finished_at: new Date() })
      .where('id', '=', attempt.id)
      .execute()
  }
  await prepare()
  expect([(await read()).composite_key, kept()]).toEqual([null, []])
})

test('photos that can’t be put together end the attempt, and what is ours is ours', async () => {
  const { read, prepare } = await make()
  whileMaking = () => Promise.reject(new Error('no engine'))
  await expect(prepare()).rejects.toThrow('no engine')
  whileMaking = () => Promise.reject(new PhotoError('face_missing', 'user'))
  expect(await prepare()).toBeUndefined()
  expect(await read()).toMatchObject({
    state: 'failed',
    error_kind: 'bad_input',
    error_detail: 'no composite can be made: face_missing',
    cost_micro_usd: '0',
  })
})
