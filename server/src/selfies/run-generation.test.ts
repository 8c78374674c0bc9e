import { variationsMax } from '@starside/contract/limits.ts'
import { findRow } from '../platform/db/rows.ts'
import type {
  CallOptions,
  ProviderPicture,
  Selfie,
  EngineInput,
} from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../app/context.ts'
import { systemVersion } from '../platform/settings/system-version.ts'
import { makeAttempt, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import type { TestGeneration } from '../testing/make-generation.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { markIdOf, sceneSeedOf } from './selfie-marks.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { runGeneration } from './run-generation.ts'
import { listKeys } from '../testing/list-keys.ts'

let app: TestApp
let parts: Context
let asked: (EngineInput<'makeSheet'> & CallOptions)[]
let finishing: (ProviderPicture & CallOptions)[]
let errors: string[]
beforeAll(async () => {
  const settings = { IMAGE_PROVIDERS: 'fal:google/nano-banana-2.1/edit,compositor', FAL_KEY: 'k' }
  app = await openTestApp({ worker: false, settings })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  ;[asked, finishing, errors] = [[], [], []]
  const { log } = app.context
  const error = (...said: unknown[]) => void errors.push(String(said.at(-1)))
  parts = { ...app.context, log: { ...log, error } }
})

/** Has the engine answer so, and keeps what it is asked. */
function script(make: (options: CallOptions) => Promise<Selfie> = () => makeTestSelfie()) {
  parts.engine = {
    ...app.engine,
    async makeSheet(input, options = {}) {
      asked.push({ ...input, ...options })
      return { best: await make(options), variations: [], layers: undefined }
    },
    async finishProviderPicture(input, options = {}) {
      finishing.push({ ...input, ...options })
      return { ...(await make(options)), faces: [] }
    },
  }
}

const { signal } = new AbortController()
const run = ({ generationId }: TestGeneration, isLastAttempt = false) =>
  runGeneration(parts, generationId, { isLastAttempt, signal })
const read = async ({ generationId }: TestGeneration) =>
  (await findRow(app.context.database, 'generations', { id: generationId }))!
const holdState = async ({ holdId }: TestGeneration) =>
  (
    await app.context.database
      .selectFrom('credit_holds')
      .select('state')
      .where('id', '=', holdId)
      .executeTakeFirstOrThrow()
  ).state

const list = (prefix: string) => listKeys(app.context.store, prefix)

/** A running generation whose photos are the words for what they are. */
async function makeRunning(row: { star_names?: string[] } & Record<string, unknown> = {}) {
  const folder = crypto.randomUUID()
  const key = (role: string) => `inputs/${folder}/${role}-600x800.jpg`
  const second = row.star_names === undefined ? {} : { second_star_photo_key: key('second-star') }
  for (const role of ['user', 'star', ...(row.star_names === undefined ? [] : ['second-star'])]) {
    await app.context.store.put(key(role), Buffer.from(role), 'image/jpeg')
  }
  const one = await makeGeneration(app.context.database, {
    row: { user_photo_key: key('user'), star_photo_key: key('star'), ...second, ...row },
  })
  const pictures = () => list(`pictures/${one.generationId}`)
  return { ...one, key, inputs: () => list(`inputs/${folder}`), pictures }
}
const photo = (role: string) => ({
  bytes: expect.toSatisfy((bytes: Uint8Array) => Buffer.from(bytes).toString() === role),
  mediaType: 'image/jpeg',
  widthPx: 600,
  heightPx: 800,
  hasMatte: false,
})

describe('the engine is asked for', () => {
  test('a selfie with the preset’s star, and is told what the pictures say of us', async () => {
    script()
    const one = await makeRunning()
    await run(one)
    expect(asked).toEqual([
      {
        account: one.userId,
        userPhoto: photo('user'),
        userFaceIndexes: undefined,
        stars: [{ photo: photo('star'), faceIndex: undefined, isPreset: true }],
        prompt: undefined,
        scene: undefined,
        seed: sceneSeedOf(one.generationId),
        aspect: '4:5',
        resolution: 'standard',
        watermarkText: 'selfie.example',
        aiLabel: 'off',
        systemName: app.context.site.values()['brand.name'],
        systemVersion,
        markId: markIdOf(one.generationId),
        look: 'natural',
        variationsMax,
        keepLayers: true,
        signal,
        onStage: expect.any(Function),
      },
    ])
  })

  test('all that the person has chosen', async () => {
    script()
    const one = await makeRunning({
      user_face_index: 2,
      star_face_index: 1,
      prompt: 'at the sea',
      scene: 'studio',
      aspect: '9:16',
      look: 'muted',
      resolution: 'high',
      preset_id: null,
    })
    await run(one)
    expect(asked).toMatchObject([
      {
        userFaceIndexes: [2],
        stars: [{ faceIndex: 1 }],
        prompt: 'at the sea',
        scene: 'studio',
        aspect: '9:16',
        look: 'muted',
        resolution: 'high',
      },
    ])
  })

  test('two stars, each with their own face', async () => {
    script()
    const one = await makeRunning({
      star_names: ['Elena Vassandri', 'Mina Asakuri'],
      star_face_index: 3,
      second_preset_id: 'mina-asakuri',
      second_star_face_index: 4,
    })
    await run(one)
    expect(asked[0]?.stars).toEqual([
      { photo: photo('star'), faceIndex: 3, isPreset: true },
      { photo: photo('second-star'), faceIndex: 4, isPreset: true },
    ])
    expect(await one.inputs()).toEqual([])
  })

  test('a second star who is a photo of the person’s own, beside a preset', async () => {
    script()
    await run(await makeRunning({ star_names: ['Elena Vassandri', 'Custom photo'] }))
    expect(asked[0]?.stars.map(({ isPreset }) => isPreset)).toEqual([true, false])
  })

  test('nothing where a photo is gone, and the generation is tried again', async () => {
    script()
    const one = await makeRunning()
    await app.context.store.delete(one.key('star'))
    await expect(run(one)).rejects.toThrow(`the input ${one.key('star')} is gone`)
    const without = await makeRunning({ user_photo_key: null })
    await expect(run(without)).rejects.toThrow('the input (none) is gone')
    expect(asked).toEqual([])
  })
})

test('the operator’s text stands in the brand mark', async () => {
  script()
  const values = { ...app.context.site.values(), 'brand.markText': 'My Shop' }
  parts.site = { ...app.context.site, values: () => values }
  await run(await makeRunning())
  expect(asked[0]?.watermarkText).toBe('My Shop')
})

describe('a picture that is made', () => {
  test('is stored with its row and its credit captured, and the photos are deleted', async () => {
    script()
    const one = await makeRunning()
    await run(one)
    const row = await read(one)
    expect([row.state, await holdState(one), await one.inputs()]).toEqual(['done', 'captured', []])
    const named = [
      row.clean_key,
      row.clean_thumbnail_key,
      row.watermarked_key,
      row.watermarked_thumbnail_key,
    ]
    expect(new Set(await one.pictures())).toEqual(new Set(named))
    const place = `pictures/${one.generationId}/[0-9a-f]{12}`
    const files = ['clean', 'clean-thumbnail', 'watermarked', 'watermarked-thumbnail']
    for (const [index, file] of files.entries()) {
      expect(named[index]).toMatch(new RegExp(`^${place}-${file}\\.jpg$`))
    }
    const selfie = await makeTestSelfie()
    const stored = await app.context.store.get(row.watermarked_key ?? '')
    expect(Buffer.from(stored ?? []).equals(selfie.watermarked)).toBe(true)
    expect(row.picture_hash).toMatch(/^-?\d+$/)
  })

  test('writes its stages one after the other', async () => {
    const stages: string[] = []
    const one = await makeRunning()
    script(async ({ onStage }) => {
      onStage?.('matting')
      onStage?.('blend')
      return makeTestSelfie()
    })
    const { database } = app.context
    parts.notifications = {
      ...app.context.notifications,
      async publish() {
        stages.push((await read(one)).stage)
      },
    }
    parts.database = database
    await run(one)
    expect(stages).toEqual(['matting', 'blend', 'done'])
  })

  test('has its layers kept for as long as the operator says', async () => {
    const now = new Date('2026-11-22T12:00:00Z')
    parts.clock = () => now
    parts.config = { ...app.context.config, layersMinutes: 7 }
    script()
    const { engine } = parts
    const layers = Buffer.from('layers')
    parts.engine = {
      ...engine,
      makeSheet: async (...call) => ({ ...(await engine.makeSheet(...call)), layers }),
    }
    const one = await makeRunning()
    await run(one)
    const kept = await app.context.database
      .selectFrom('generation_layers')
      .select('expires_at')
      .where('generation_id', '=', one.generationId)
      .executeTakeFirst()
    expect(kept).toEqual({ expires_at: new Date(now.getTime() + 7 * 60_000) })
    expect(asked[0]?.keepLayers).toBe(true)
    parts.config = { ...app.context.config, layersMinutes: 0 }
    await run(await makeRunning())
    expect(asked[1]?.keepLayers).toBe(false)
  })

  test('is not spoiled by a stage that can’t be written', async () => {
    script(async ({ onStage }) => {
      onStage?.('matting')
      onStage?.('blend')
      return makeTestSelfie()
    })
    let calls = 0
    parts.notifications = {
      ...app.context.notifications,
      async publish() {
        calls += 1
        if (calls === 1) throw new Error('lost')
      },
    }
    const warnings: unknown[] = []
    const warn = (...said: unknown[]) => void warnings.push(said.at(-1))
    parts.log = { ...parts.log, warn }
    const one = await makeRunning()
    await run(one)
    expect([(await read(one)).state, calls]).toEqual(['done', 3])
    expect(warnings).toEqual(['a stage could not be written'])
  })

  test('is dropped where the credit had gone back, and the generation fails', async () => {
    const one = await makeRunning()
    script(async () => {
      await app.context.database
        .updateTable('credit_holds')
        .set({ state: 'expired', settled_at: new Date() })
        .where('id', '=', one.holdId)
        .execute()
      return makeTestSelfie()
    })
    await run(one)
    expect(await read(one)).toMatchObject({ state: 'failed', error_code: 'generation_failed' })
    expect([await one.pictures(), await one.inputs()]).toEqual([[], []])
  })

  test('is dropped where another run was first', async () => {
    const one = await makeRunning()
    script(async () => {
      await app.context.database
        .updateTable('generations')
        .set({ state: 'failed', error_code: 'unavailable', finished_at: new Date() })
        .where('id', '=', one.generationId)
        .execute()
      return makeTestSelfie()
    })
    await run(one)
    expect((await read(one)).error_code).toBe('unavailable')
    expect(await one.pictures()).toEqual([])
  })

  test('is not given out where the moderation refuses it', async () => {
    script()
    const judged: object[] = []
    parts.moderation = {
      ...app.context.moderation,
      async judgeResult(_picture, about) {
        judged.push(about)
        throw new AppError('picture_refused')
      },
    }
    const one = await makeRunning()
    await run(one)
    expect(judged).toEqual([{ userId: one.userId, generationId: one.generationId, signal }])
    expect(await read(one)).toMatchObject({ state: 'failed', error_code: 'picture_refused' })
    expect([await one.pictures(), await holdState(one), errors]).toEqual([[], 'released', []])
  })
})

describe('a run that fails', () => {
  const breakDown = async () => {
    throw new Error('out of order')
  }

  test('is repeated, with its photos', async () => {
    script(breakDown)
    const one = await makeRunning()
    await expect(run(one)).rejects.toThrow('out of order')
    expect([(await read(one)).state, (await one.inputs()).length]).toEqual(['running', 2])
  })

  test('ends the generation at the last try, for the operator to look into', async () => {
    script(breakDown)
    const one = await makeRunning()
    await run(one, true)
    expect(await read(one)).toMatchObject({ state: 'failed', error_code: 'generation_failed' })
    expect([await holdState(one), errors]).toEqual(['released', ['a generation failed']])
    expect(await read(one)).toMatchObject({ user_photo_key: null, star_photo_key: null })
  })

  test('is not repeated where the photo is to blame', async () => {
    script(async () => {
      throw new PhotoError('face_missing', 'user')
    })
    const one = await makeRunning()
    await run(one)
    expect(await read(one)).toMatchObject({ state: 'failed', error_code: 'face_missing' })
    expect(errors).toEqual([])
  })
})

describe('a job of a generation that has ended', () => {
  test('deletes photos that were left, and makes nothing', async () => {
    script()
    const key = `inputs/${crypto.randomUUID()}/user-600x800.jpg`
    await app.context.store.put(key, Buffer.from('me'), 'image/jpeg')
    const row = { user_photo_key: key }
    const done = await makeDoneGeneration(app.context.database, { row })
    await run(done)
    expect([await app.context.store.get(key), (await read(done)).user_photo_key, asked]).toEqual([
      undefined,
      null,
      [],
    ])
    await run({ ...done, generationId: crypto.randomUUID() })
    expect(asked).toEqual([])
  })

  test('leaves its row alone where nothing was left', async () => {
    const done = await makeDoneGeneration(app.context.database)
    const rowVersion = async () => {
      const text = 'select xmin::text from generations where id = $1'
      return (await app.context.pool.query(text, [done.generationId])).rows[0]?.xmin as string
    }
    const at = await rowVersion()
    await run(done)
    expect(await rowVersion()).toBe(at)
  })
})

describe('a picture of a hosted provider', () => {
  async function makeFetched(row: Parameters<typeof makeRunning>[0] = {}) {
    const one = await makeRunning(row)
    const key = `inputs/${one.generationId}/provider-1.bin`
    await app.context.store.put(key, Buffer.from('theirs'), 'application/octet-stream')
    const attempt = await makeAttempt(app.context.database, one, {
      state: 'fetched',
      output_key: key,
      submitted_at: new Date(),
    })
    return { ...one, attempt, output: () => app.context.store.get(key) }
  }
  const stateOf = async ({ attempt }: { attempt: { id: string } }) =>
    app.context.database
      .selectFrom('generation_attempts')
      .select(['state', 'error_kind', 'error_detail', 'cost_micro_usd'])
      .where('id', '=', attempt.id)
      .executeTakeFirstOrThrow()

  test('is finished by the engine, and theirs deleted', async () => {
    script()
    const one = await makeFetched()
    await run(one)
    expect(asked).toEqual([])
    expect(finishing).toEqual([
      {
        bytes: expect.toSatisfy((bytes: Uint8Array) => Buffer.from(bytes).toString() === 'theirs'),
        headCount: 2,
        mayHaveOthers: false,
        watermarkText: 'selfie.example',
        aiLabel: 'off',
        systemName: app.context.site.values()['brand.name'],
        systemVersion,
        provider: 'fal',
        model: 'google/nano-banana-2.1/edit',
        markId: markIdOf(one.generationId),
        signal,
      },
    ])
    expect(await read(one)).toMatchObject({ state: 'done', prompt_version: 'test' })
    expect((await stateOf(one)).state).toBe('succeeded')
    expect([await one.output(), await one.inputs()]).toEqual([undefined, []])
  })

  test('of several leaves nothing behind where the credit had gone back, or another run was first', async () => {
    for (const isFirst of [true, false]) {
      script()
      const one = await makeFetched()
      const further = `inputs/${one.generationId}/provider-2.bin`
      await app.context.store.put(further, Buffer.from('more'), 'application/octet-stream')
      await app.context.database
        .updateTable('generation_attempts')
        .set({ further_output_keys: [further] })
        .where('id', '=', one.attempt.id)
        .execute()
      const stored = () => list(`variations/${one.generationId}`)
      if (isFirst) {
        await app.context.database
          .updateTable('credit_holds')
          .set({ state: 'expired', settled_at: new Date() })
          .where('id', '=', one.holdId)
          .execute()
        await run(one)
        expect(await stored()).toEqual([])
        expect((await read(one)).state).toBe('failed')
      } else {
        // The same job twice at the same moment: the later one may find theirs gone, and is repeated.
        await Promise.allSettled([run(one), run(one)])
        await run(one)
        expect((await read(one)).state).toBe('done')
        expect((await stored()).length).toBe(8)
        expect(await app.context.store.get(further)).toBeUndefined()
        expect(await holdState(one)).toBe('captured')
      }
    }
  })

  test('must have as many heads as were asked for', async () => {
    script()
    await run(
      await makeFetched({ user_face_indexes: [0, 1], star_names: ['One', 'Two'], preset_id: null }),
    )
    await run(await makeFetched({ star_names: ['One', 'Two'], preset_id: null }))
    expect(finishing.map(({ headCount }) => headCount)).toEqual([4, 3])
  })

  test('that can’t be used hands the generation on, with its photos', async () => {
    script(async () => {
      throw new PictureError('faces_missing')
    })
    const one = await makeFetched()
    await app.context.database
      .updateTable('generation_attempts')
      .set({ cost_micro_usd: 39_000 })
      .where('id', '=', one.attempt.id)
      .execute()
    await run(one)
    expect(await stateOf(one)).toEqual({
      state: 'failed',
      error_kind: 'unknown',
      error_detail: 'its picture can’t be used: faces_missing',
      cost_micro_usd: '39000',
    })
    expect(await read(one)).toMatchObject({ state: 'running', provider: 'compositor' })
    expect((await one.inputs()).length).toBe(2)
  })

  test('that is gone is an error of ours', async () => {
    script()
    const one = await makeFetched()
    await app.context.store.delete(`inputs/${one.generationId}/provider-1.bin`)
    await expect(run(one)).rejects.toThrow(/the picture inputs.* is gone/)
  })

  test('of several is given out only when nothing of ours went wrong with any', async () => {
    script()
    const one = await makeFetched()
    const further = `inputs/${one.generationId}/provider-2.bin`
    await app.context.database
      .updateTable('generation_attempts')
      .set({ further_output_keys: [further] })
      .where('id', '=', one.attempt.id)
      .execute()
    await expect(run(one), 'the second is gone').rejects.toThrow(/provider-2.* is gone/)
    expect((await read(one)).state).toBe('running')
    await app.context.store.put(further, Buffer.from('more'), 'application/octet-stream')
    await run(one)
    expect((await read(one)).state).toBe('done')
  })

  test('shows that it is being finished', async () => {
    const one = await makeFetched()
    let stage: string | undefined
    script(async () => {
      stage = (await read(one)).stage
      return makeTestSelfie()
    })
    await run(one)
    expect(stage).toBe('finish')
  })
})

test('a model whose picture was refused hands on to the next one, and not to the compositor', async () => {
  script()
  const one = await makeGeneration(app.context.database, { row: { provider: 'fal' } })
  await makeAttempt(app.context.database, one, {
    state: 'failed',
    error_kind: 'likeness_lost',
    finished_at: new Date(),
  })
  await run(one, true)
  expect(asked).toEqual([])
  expect([(await read(one)).state, await holdState(one)]).toEqual(['running', 'held'])
})
