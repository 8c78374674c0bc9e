import type { AdmittedPhoto, CallOptions, Upload } from '@starside/engine/engine-calls.ts'
import { findRow } from '../platform/db/rows.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../app/context.ts'
import { captureHold } from '../ledger/credits/close-hold.ts'
import { makeUser } from '../testing/make-user.ts'
import { doneRow, makeGeneration } from '../testing/make-generation.ts'
import { hashOfFile } from '../moderation/blocked-pictures.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { createTestJpeg } from '../testing/test-photo.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { GenerationRequest } from './start-generation.ts'
import { slotsTopic } from './providers/attempts.ts'
import type { GenerateForm } from './receive-form.ts'
import { startGeneration } from './start-generation.ts'
import { listKeys } from '../testing/list-keys.ts'

let app: TestApp
let parts: Context
let photo: Buffer
let admitted: AdmittedPhoto
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  photo = await createTestJpeg({ red: 10, green: 20, blue: 30, widthPx: 320 })
  admitted = await app.engine.admit({ bytes: photo })
})
afterAll(() => app[Symbol.asyncDispose]())

let uploads: Upload[]
/** What ends the engine's work on each photo that it is given. */
let ends: (AbortSignal | undefined)[]
/** What is found in the photo whose bytes say so; all others are without fault. */
let found: Record<string, Partial<AdmittedPhoto['inspection']>>
/** Who is meant of what the engine cut out of the photo whose bytes say so. */
let cut: Record<string, number[]>
beforeEach(() => {
  ;[uploads, ends, found, cut] = [[], [], {}, {}]
  const engine = {
    ...app.engine,
    async admit(upload: Upload, { signal }: CallOptions = {}): Promise<AdmittedPhoto> {
      uploads.push(upload)
      ends.push(signal)
      const name = Buffer.from(upload.bytes).toString()
      if (name === 'damaged') throw new PhotoError('photo_damaged')
      const inspection = { ...admitted.inspection, ...found[name] }
      return { ...admitted, faceIndexes: cut[name], inspection }
    },
  }
  parts = { ...app.context, engine, clock: () => noon }
})

const noon = new Date('2026-11-20T12:00:00Z')

interface Options extends Partial<Omit<GenerationRequest, 'form' | 'user'>> {
  form?: Partial<GenerateForm>
}

/** What a person asks for: a selfie with Elena Vassandri, where nothing else is said. */
function requestOf(userId: string, { form = {}, ...headers }: Options = {}): GenerationRequest {
  return {
    user: {
      userId,
      email: '',
      username: '',
      referralCode: '',
      createdAt: noon,
      sessionId: '',
    },
    form: {
      userPhoto: Buffer.from('me'),
      userFaceIndexes: undefined,
      celebrityPhoto: undefined,
      secondStar: undefined,
      background: undefined,
      ...form,
      fields: { presetId: 'elena-vassandri', ...form.fields },
    },
    idempotencyKey: undefined,
    holdId: undefined,
    isHoldOpen: false,
    signal: new AbortController().signal,
    ...headers,
  }
}

const start = (userId: string, options?: Options) =>
  startGeneration(parts, requestOf(userId, options))
async function startNew(options?: Options) {
  const userId = await makeUser(app.context.database, 2)
  const { generationId } = await start(userId, options)
  return (await findRow(app.context.database, 'generations', { id: generationId }))!
}
async function refuse(options: Options, credits = 2) {
  const userId = await makeUser(app.context.database, credits)
  return start(userId, options).then(
    () => 'accepted',
    ({ code, photo: role, message }) => ({ code, photo: role, message }),
  )
}
const custom = { ['presetId']: undefined, consent: 'true' } as const
const second = (star: Partial<NonNullable<GenerateForm['secondStar']>>) => ({
  photo: undefined,
  ...star,
})
const listInputs = () => listKeys(app.context.store, 'inputs')

describe('an accepted selfie', () => {
  test('is written with its photos, its hold and its job', async () => {
    const row = await startNew()
    expect(row).toMatchObject({
      state: 'running',
      stage: 'queued',
      celebrity: 'Elena Vassandri',
      star_names: null,
      preset_id: 'elena-vassandri',
      second_preset_id: null,
      scene: null,
      aspect: '4:5',
      resolution: 'standard',
      prompt: null,
      idempotency_key: null,
      user_face_index: null,
      user_face_indexes: null,
      star_face_index: null,
      second_star_face_index: null,
      second_star_photo_key: null,
      second_star_photo_hash: null,
      consent_at: null,
      consent_version: null,
      star_photo_hash: null,
      user_photo_hash: expect.stringMatching(/^-?\d+$/),
      user_photo_key: `inputs/${row.id}/user-320x400.jpg`,
      star_photo_key: expect.stringMatching(`^inputs/${row.id}/star-\\d+x\\d+[.]png$`),
      chain_position: 0,
      provider: 'compositor',
      model: null,
      created_at: noon,
    })
    const stored = await app.context.store.get(row.user_photo_key ?? '')
    expect(Buffer.from(stored ?? []).equals(admitted.photo.bytes)).toBe(true)
    const hold = await app.context.database
      .selectFrom('credit_holds')
      .select(['attached_to', 'celebrity', 'expires_at', 'amount'])
      .where('id', '=', row.hold_id)
      .executeTakeFirstOrThrow()
    expect(hold).toEqual({
      attached_to: `generation:${row.id}`,
      celebrity: 'Elena Vassandri',
      expires_at: new Date(noon.getTime() + 15 * 60_000),
      amount: 1,
    })
    expect(await jobOf(row.id)).toEqual([{ priority: 0 }])
  })

  test('counts faces in the part of a photo that is kept', async () => {
    const [face] = admitted.inspection.faces
    const faces = Array.from({ length: 6 }, () => face!)
    ;[found, cut] = [
      { me: { faces }, star: { faces } },
      { me: [1, 2], star: [0] },
    ]
    const row = await startNew({
      form: {
        userFaceIndexes: [3, 5],
        celebrityPhoto: Buffer.from('star'),
        fields: { ...custom, starFaceIndex: 4 },
      },
    })
    expect(row).toMatchObject({ user_face_indexes: [1, 2], star_face_index: 0 })
  })

  test('keeps what was chosen', async () => {
    const row = await startNew({
      idempotencyKey: 'mine',
      form: {
        userFaceIndexes: [0],
        fields: { scene: 'studio', aspect: '1:1', prompt: 'at the sea', starFaceIndex: 3 },
      },
    })
    expect(row).toMatchObject({
      idempotency_key: 'mine',
      scene: 'studio',
      aspect: '1:1',
      prompt: 'at the sea',
      user_face_index: 0,
      user_face_indexes: null,
      star_face_index: 3,
      preset_id: 'elena-vassandri',
    })
    const owned = { account: row.user_id, readAhead: true }
    expect(uploads).toEqual([{ bytes: Buffer.from('me'), faceIndexes: [0], ...owned }])
  })

  test('has each photo judged as its owner’s, for as long as the request lasts', async () => {
    const asked: unknown[] = []
    parts.moderation = {
      ...app.context.moderation,
      judgePhoto: async (_photo, about) => {
        asked.push(about)
        return '0'
      },
    }
    const userId = await makeUser(app.context.database, 2)
    const { signal } = new AbortController()
    await start(userId, { signal, form: { celebrityPhoto: Buffer.from('star'), fields: custom } })
    expect(asked).toEqual([
      { userId, role: 'user', signal },
      { userId, role: 'star', signal },
    ])
  })

  test('has its photos read for as long as the request lasts, a preset’s for a tall one too', async () => {
    const { signal } = new AbortController()
    parts.engine.inspect = async (_photo, options) => {
      ends.push(options?.signal)
      return admitted.inspection
    }
    const secondStar = second({ photo: Buffer.from('second') })
    const fields = { presetId: 'elena-vassandri', consent: 'true', aspect: '9:16' } as const
    await startNew({ signal, form: { fields, secondStar } })
    expect(ends.map((end) => end === signal)).toEqual([true, true, true])
  })

  test('keeps the company’s faces', async () => {
    expect(await startNew({ form: { userFaceIndexes: [0, 0, 0].slice(1) } })).toMatchObject({
      user_face_index: 0,
      user_face_indexes: [0, 0],
    })
  })

  test('with a photo of the star keeps its hash and the consent', async () => {
    const row = await startNew({
      form: { celebrityPhoto: Buffer.from('star'), fields: { ...custom, starFaceIndex: 0 } },
    })
    expect(row).toMatchObject({
      celebrity: 'Custom photo',
      preset_id: null,
      consent_at: noon,
      consent_version: expect.stringMatching(/^\d{4}-\d\d$/),
      star_photo_hash: row.user_photo_hash,
      star_photo_key: `inputs/${row.id}/star-320x400.jpg`,
    })
    const owned = { account: row.user_id, readAhead: true }
    expect(uploads).toEqual([
      { bytes: Buffer.from('me'), faceIndexes: undefined, ...owned },
      { bytes: Buffer.from('star'), faceIndexes: [0], ...owned },
    ])
  })

  test('keeps no consent that was not given', async () => {
    const fields = { presetId: 'elena-vassandri', consent: 'false' } as const
    expect(await startNew({ form: { fields } })).toMatchObject({
      consent_at: null,
      consent_version: null,
    })
  })

  test('with two stars names both', async () => {
    const presets = await startNew({
      form: { secondStar: second({ presetId: 'mina-asakuri', starFaceIndex: 1 }) },
    })
    expect(presets).toMatchObject({
      celebrity: 'Elena Vassandri and Mina Asakuri',
      star_names: ['Elena Vassandri', 'Mina Asakuri'],
      second_preset_id: 'mina-asakuri',
      second_star_face_index: 1,
      second_star_photo_hash: null,
      second_star_photo_key: expect.stringMatching(`^inputs/${presets.id}/second-star-`),
    })
    const photos = await startNew({
      form: {
        fields: { consent: 'true', presetId: 'elena-vassandri' },
        secondStar: second({ photo: Buffer.from('second') }),
      },
    })
    expect(photos).toMatchObject({
      star_names: ['Elena Vassandri', 'Custom photo'],
      second_preset_id: null,
      second_star_face_index: null,
      second_star_photo_hash: photos.user_photo_hash,
      second_star_photo_key: `inputs/${photos.id}/second-star-320x400.jpg`,
    })
  })

  test('is large and first in the queue for whoever has bought credits', async () => {
    const userId = await makeUser(app.context.database, 1)
    await sql`update credit_accounts set bought_total = 1 where user_id = ${userId}`.execute(
      app.context.database,
    )
    const { generationId } = await start(userId)
    expect(
      (await findRow(app.context.database, 'generations', { id: generationId }))?.resolution,
    ).toBe('high')
    expect(await jobOf(generationId)).toEqual([{ priority: 10 }])
  })
})

test('where a photo can’t be stored, the one before it goes too, and what failed is told', async () => {
  const before = await listInputs()
  const put = async (...[key, ...content]: Parameters<Context['store']['put']>) => {
    if (key.includes('star')) throw new Error('the disk is full')
    await app.context.store.put(key, ...content)
  }
  parts = { ...parts, store: { ...app.context.store, put } }
  const form = { celebrityPhoto: Buffer.from('star'), fields: custom }
  expect(await refuse({ form })).toMatchObject({ message: 'the disk is full' })
  expect(await listInputs()).toEqual(before)
})

describe('where a hosted model is asked', () => {
  test('whoever grants slots is told, and no photo is read ahead', async () => {
    const topics: string[] = []
    const publish = async (topic: string) => void topics.push(topic)
    parts.notifications = { ...app.context.notifications, publish }
    await startNew()
    expect(topics).not.toContain(slotsTopic)
    parts.images = { ...app.context.images, hostedCount: 1 }
    await startNew()
    expect(topics).toContain(slotsTopic)
    expect(uploads.map(({ readAhead }) => readAhead)).toEqual([true, false])
  })
})

test('no photo is read ahead where other nodes make the pictures', async () => {
  parts.config = { ...app.context.config, role: 'api' }
  await startNew()
  expect(uploads.map(({ readAhead }) => readAhead)).toEqual([false])
})

async function jobOf(generationId: string) {
  const { rows } = await app.context.pool.query<{ priority: number }>(
    `select priority from pgboss.job where name = 'generation' and data ->> 'generationId' = $1`,
    [generationId],
  )
  return rows
}

describe('a selfie is refused', () => {
  test('with a star that is not offered', async () => {
    const unknown = { code: 'preset_unknown' }
    expect(await refuse({ form: { fields: { presetId: 'nobody' } } })).toMatchObject(unknown)
    const secondStar = second({ presetId: 'nobody' })
    expect(await refuse({ form: { secondStar } })).toMatchObject(unknown)
  })

  test('with a photo of a star without consent, whichever star it is', async () => {
    const missing = { code: 'consent_required' }
    const celebrityPhoto = Buffer.from('star')
    const fields = { presetId: undefined }
    expect(await refuse({ form: { celebrityPhoto, fields } })).toMatchObject(missing)
    const declined = { ...fields, consent: 'false' } as const
    expect(await refuse({ form: { celebrityPhoto, fields: declined } })).toMatchObject(missing)
    const secondStar = second({ photo: Buffer.from('second') })
    expect(await refuse({ form: { secondStar } })).toMatchObject(missing)
  })

  test('without any photo of the star', async () => {
    expect(await refuse({ form: { fields: custom } })).toMatchObject({ code: 'photos_required' })
  })

  test('with two stars where no provider takes three photos', async () => {
    const secondStar = second({ presetId: 'mina-asakuri' })
    parts.images = { ...app.context.images, photosMax: 2 }
    expect(await refuse({ form: { secondStar } })).toMatchObject({ code: 'two_stars_unsupported' })
    expect(await refuse({})).toBe('accepted')
    parts.images = { ...app.context.images, photosMax: 3 }
    expect(await refuse({ form: { secondStar } })).toBe('accepted')
  })

  test('with words that are not allowed', async () => {
    parts.moderation = {
      ...app.context.moderation,
      judgePrompt: async (prompt) => {
        if (prompt === 'bad') throw new AppError('prompt_refused')
      },
    }
    const fields = (prompt: string) => ({ form: { fields: { prompt } } })
    expect(await refuse(fields('bad'))).toMatchObject({ code: 'prompt_refused' })
    expect(await refuse(fields('good'))).toBe('accepted')
    expect(uploads).toHaveLength(1)
  })

  test('with a photo that is blocked, and says which', async () => {
    parts.moderation = {
      ...app.context.moderation,
      judgePhoto: async (_photo, about) => {
        throw new AppError('photo_blocked', { photo: about.role })
      },
    }
    expect(await refuse({})).toMatchObject({ code: 'photo_blocked', photo: 'user' })
  })

  test('while another one runs', async () => {
    const { userId } = await makeGeneration(app.context.database)
    await expect(start(userId)).rejects.toMatchObject({ code: 'generation_running' })
    expect(uploads).toEqual([])
  })

  test('without a credit, before the photos are looked at', async () => {
    expect(await refuse({}, 0)).toMatchObject({ code: 'insufficient_credits' })
    const holdId = crypto.randomUUID()
    expect(await refuse({ holdId })).toMatchObject({ code: 'hold_returned' })
    expect(uploads).toEqual([])
  })

  test.for([
    ['damaged', 'photo_damaged'],
    ['blurred', 'photo_blurred'],
  ] as const)('with a %s photo, and says whose it is', async ([name, code]) => {
    found['blurred'] = { refusals: ['photo_blurred', 'face_missing'] }
    const bytes = Buffer.from(name)
    const own = await refuse({ form: { userPhoto: bytes } })
    expect(own).toMatchObject({
      code,
      photo: 'user',
      message: expect.stringMatching(/^Your photo: /),
    })
    const theirs = await refuse({ form: { celebrityPhoto: bytes, fields: custom } })
    expect(theirs).toMatchObject({
      code,
      photo: 'star',
      message: expect.stringMatching(/^The star's photo: /),
    })
  })

  test('with a face that is not in the photo', async () => {
    const unknown = { code: 'face_unknown', photo: 'user' }
    expect(await refuse({ form: { userFaceIndexes: [0] } })).toBe('accepted')
    expect(await refuse({ form: { userFaceIndexes: [1] } })).toMatchObject(unknown)
    expect(await refuse({ form: { userFaceIndexes: [0, 1] } })).toMatchObject(unknown)
    // Where there is no face at all, that is what is said.
    found['me'] = { faces: [], refusals: ['face_missing'] }
    expect(await refuse({ form: { userFaceIndexes: [0] } })).toMatchObject({ code: 'face_missing' })
  })

  test('for a tall picture with a photo that ends at the chin', async () => {
    found['tight'] = { hints: ['several_faces', 'tight_crop'] }
    const tight = Buffer.from('tight')
    const own = { form: { userPhoto: tight } }
    const theirs = { form: { celebrityPhoto: tight, fields: custom } }
    const seconds = { form: { fields: custom, secondStar: second({ photo: tight }) } }
    seconds.form = { ...seconds.form, celebrityPhoto: Buffer.from('star') } as typeof seconds.form
    const tall = (form: Partial<GenerateForm>) => ({
      form: { ...form, fields: { ...form.fields, aspect: '9:16' as const } },
    })
    const code = 'story_too_tight'
    expect(await refuse(tall(own.form))).toMatchObject({ code, photo: 'user' })
    expect(await refuse(tall(theirs.form))).toMatchObject({ code, photo: 'star' })
    expect(await refuse(tall(seconds.form))).toMatchObject({ code, photo: 'star' })
    expect(await refuse(tall({}))).toBe('accepted')
    expect(await refuse(own)).toBe('accepted')
  })

  test('for a tall picture with a preset whose photo ends at the chin', async () => {
    const tightPreset = await app.context.presets.readPhoto('henrik-solmark')
    parts.engine.inspect = async ({ photo: { bytes } }) => ({
      ...admitted.inspection,
      hints: Buffer.compare(bytes, tightPreset.bytes) === 0 ? ['tight_crop'] : [],
    })
    const [tall, presetId] = [{ aspect: '9:16' } as const, 'henrik-solmark']
    const refusal = { code: 'story_too_tight', photo: 'star' }
    const sentence = /^The star's photo: Cropped too close for 9:16/
    const first = await refuse({ form: { fields: { ...tall, presetId } } })
    expect(first).toMatchObject({ ...refusal, message: expect.stringMatching(sentence) })
    expect(
      await refuse({ form: { fields: tall, secondStar: second({ presetId }) } }),
    ).toMatchObject(refusal)
    expect(await refuse({ form: { fields: tall } })).toBe('accepted')
    expect(await refuse({ form: { fields: { presetId } } })).toBe('accepted')
  })

  test('and leaves no photo behind when it can’t be written', async () => {
    const userId = await makeUser(app.context.database, 3)
    const before = await listInputs()
    parts.jobs = {
      ...app.context.jobs,
      enqueue: async () => {
        throw new Error('no queue')
      },
    }
    const secondStar = second({ presetId: 'mina-asakuri' })
    await expect(start(userId, { form: { secondStar } })).rejects.toThrow('no queue')
    expect(await listInputs()).toEqual(before)
  })

  test('beside another one of the same moment', async () => {
    const userId = await makeUser(app.context.database, 3)
    const both = await Promise.allSettled([start(userId), start(userId)])
    const refused = both.find(({ status }) => status === 'rejected')
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(refused).toMatchObject({ reason: { code: 'generation_running' } })
  })
})

describe('with a photo of a place', () => {
  const background = Buffer.from('place')

  test('is kept with it, and judged as no person', async () => {
    const row = await startNew({ form: { background } })
    expect(row).toMatchObject({
      has_background_photo: true,
      background_photo_key: `inputs/${row.id}/background-320x400.jpg`,
      background_photo_hash: hashOfFile(background),
    })
    expect(uploads.map(({ isBackground }) => isBackground)).toEqual([undefined, true])
    expect((await startNew()).has_background_photo).toBe(false)
  })

  test('is refused where no provider takes one photo more than there are people', async () => {
    const taking = (photosMax: number) => {
      parts.images = { ...app.context.images, photosMax }
    }
    const refusal = { code: 'background_unsupported' }
    taking(2)
    expect(await refuse({ form: { background } })).toMatchObject(refusal)
    taking(3)
    expect(await refuse({ form: { background } })).toBe('accepted')
    const secondStar = second({ presetId: 'mina-asakuri' })
    expect(await refuse({ form: { background, secondStar } })).toMatchObject(refusal)
    taking(4)
    expect(await refuse({ form: { background, secondStar } })).toBe('accepted')
  })

  test('is named in a refusal of it', async () => {
    expect(await refuse({ form: { background: Buffer.from('damaged') } })).toMatchObject({
      code: 'photo_damaged',
      photo: 'background',
      message: expect.stringMatching(/^The background: /),
    })
  })
})

describe('the same selfie again', () => {
  const asking = { form: { fields: { askBeforeRepeat: 'true' } as const } }

  /** A finished selfie of the plain request, which can be adjusted for a minute. */
  async function makeDone(changes: object = {}, keptMs = 60_000) {
    const { id, user_id: userId, hold_id: holdId } = await startNew()
    const { database } = app.context
    await database
      .updateTable('generations')
      .set({ ...doneRow(id, noon), ...changes })
      .where('id', '=', id)
      .execute()
    await captureHold(database, { holdId, now: noon })
    await database
      .insertInto('generation_layers')
      .values({
        generation_id: id,
        object_key: `layers/${id}/1`,
        encryption_key: Buffer.alloc(32),
        expires_at: new Date(noon.getTime() + keptMs),
        more_made_at: null,
      })
      .execute()
    return userId
  }
  const outcomeOf = (userId: string, options?: Options) =>
    start(userId, options).then(
      () => 'accepted',
      ({ code }) => code,
    )

  test('is refused where the caller asks before a repeat, and made for whoever doesn’t', async () => {
    const userId = await makeDone()
    expect(await outcomeOf(userId, asking)).toBe('already_made')
    expect(await outcomeOf(userId)).toBe('accepted')
  })

  test('is made where anything else is wished for, or by somebody else', async () => {
    const userId = await makeDone()
    expect(await outcomeOf(await makeUser(app.context.database, 2), asking)).toBe('accepted')
    const fields = { ...asking.form.fields, scene: 'studio' } as const
    expect(await outcomeOf(userId, { form: { fields } })).toBe('accepted')
  })

  test.for<[string, object, number]>([
    ['was deleted', { deleted_at: noon }, 60_000],
    ['can no longer be adjusted', {}, 0],
  ])('is made where the first one %s', async ([, changes, keptMs]) => {
    expect(await outcomeOf(await makeDone(changes, keptMs), asking)).toBe('accepted')
  })
})

describe('a repeated request', () => {
  const full: Partial<GenerateForm> = {
    userPhoto: Buffer.from('me'),
    celebrityPhoto: Buffer.from('star'),
    fields: { ...custom, scene: 'studio' },
    secondStar: second({ photo: Buffer.from('second'), starFaceIndex: 0 }),
  }

  test('answers the first one’s generation, which was begun once', async () => {
    const userId = await makeUser(app.context.database, 3)
    const first = await start(userId, { idempotencyKey: 'again', form: full })
    expect(await start(userId, { idempotencyKey: 'again', form: full })).toEqual(first)
    const fields = { scene: 'studio', ...custom } as const
    expect(await start(userId, { idempotencyKey: 'again', form: { ...full, fields } })).toEqual(
      first,
    )
    expect(uploads).toHaveLength(3)
  })

  test('at the same moment is begun once', async () => {
    const userId = await makeUser(app.context.database, 3)
    const both = await Promise.all([1, 2].map(() => start(userId, { idempotencyKey: 'both' })))
    expect(both[0]).toEqual(both[1])
  })

  test('is somebody else’s own', async () => {
    const [one, other] = [
      await startNew({ idempotencyKey: 'same' }),
      await startNew({ idempotencyKey: 'same' }),
    ]
    expect(one.id).not.toBe(other.id)
  })

  test('with a photo of another place is refused', async () => {
    const userId = await makeUser(app.context.database, 3)
    const startAt = (place: string) =>
      start(userId, { idempotencyKey: 'place', form: { background: Buffer.from(place) } })
    const first = await startAt('here')
    expect(await startAt('here')).toEqual(first)
    await expect(startAt('there')).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  test.for<[string, Partial<GenerateForm>]>([
    ['photo', { userPhoto: Buffer.from('somebody') }],
    ['photo of the star', { celebrityPhoto: Buffer.from('somebody') }],
    ['field', { fields: { ...custom, scene: 'cafe' } }],
    ['number of photos', { background: Buffer.from('place') }],
    ['second star’s photo', { secondStar: second({ photo: Buffer.from('x'), starFaceIndex: 0 }) }],
    ['second star’s face', { secondStar: second({ photo: Buffer.from('second') }) }],
    ['second star', { secondStar: second({ presetId: 'mina-asakuri', starFaceIndex: 0 }) }],
    ['number of stars', { secondStar: undefined }],
  ])('with another %s is refused', async ([, change]) => {
    const userId = await makeUser(app.context.database, 3)
    await start(userId, { idempotencyKey: 'key', form: full })
    const other = start(userId, { idempotencyKey: 'key', form: { ...full, ...change } })
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })
})
