import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EngineInput } from '@starside/engine/engine-calls.ts'
import type { Context } from '../app/context.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { prepareSelfie } from './prepare-photos.ts'

const userPhoto = 'u'.repeat(43)
const stars = [{ presetId: 'elena-vassandri' }]

let app: TestApp
let parts: Context
let asked: EngineInput<'prepare'>[]
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  asked = []
  const engine = {
    ...app.engine,
    async prepare(input: EngineInput<'prepare'>) {
      asked.push(input)
      return { isBegun: true }
    },
  }
  parts = { ...app.context, engine }
})

const prepareFor = (userId: string, more: Partial<Parameters<typeof prepareSelfie>[2]> = {}) =>
  prepareSelfie(parts, userId, { userPhoto, stars, ...more })

describe('a likely selfie', () => {
  test('is prepared of the photos and faces that are named, for that account', async () => {
    const userId = await makeUser(app.context.database, 1)
    const photo = 's'.repeat(43)
    const more = { userFaces: [2, 0, 2], stars: [...stars, { photo, faceIndex: 1 }] }
    expect(await prepareFor(userId, { ...more, aspect: '1:1' })).toEqual({ isBegun: true })
    expect(asked).toEqual([
      {
        account: userId,
        user: { digest: userPhoto, faceIndexes: [0, 2] },
        stars: [
          {
            photo: await app.context.presets.readPhoto('elena-vassandri'),
            isPreset: true,
          },
          { digest: photo, faceIndexes: [1] },
        ],
        aspect: '1:1',
        resolution: 'standard',
      },
    ])
  })

  test('is prepared as large as the picture will be for whoever has bought credits', async () => {
    const userId = await makeUser(app.context.database, 1)
    await app.context.database
      .updateTable('credit_accounts')
      .set({ bought_total: 1 })
      .where('user_id', '=', userId)
      .execute()
    expect(await prepareFor(userId)).toEqual({ isBegun: true })
    expect(asked).toMatchObject([{ user: { faceIndexes: undefined }, resolution: 'high' }])
  })

  test('is not prepared for who can’t pay for it', async () => {
    expect(await prepareFor(await makeUser(app.context.database, 0))).toEqual({ isBegun: false })
    expect(asked).toEqual([])
  })

  test('is not prepared of more people than a picture shows', async () => {
    const userId = await makeUser(app.context.database, 1)
    expect(await prepareFor(userId, { userFaces: [0, 1, 2, 3] })).toEqual({ isBegun: false })
    expect(asked).toEqual([])
  })

  test('is not prepared where other nodes or hosted models make the picture', async () => {
    const userId = await makeUser(app.context.database, 1)
    parts.images = { ...app.context.images, hostedCount: 1 }
    expect(await prepareFor(userId)).toEqual({ isBegun: false })
    parts.images = app.context.images
    parts.config = { ...app.context.config, role: 'api' }
    expect(await prepareFor(userId)).toEqual({ isBegun: false })
    expect(asked).toEqual([])
  })
})

test('people who can’t stand together are refused before anything is paid, with what would do', async () => {
  const refusal = { code: 'people_too_far_apart', formats: ['16:9'] } as const
  const answer = { isBegun: false, refusal: { ...refusal, formats: [...refusal.formats] } }
  parts.engine = { ...parts.engine, prepare: async () => structuredClone(answer) }
  const userId = await makeUser(app.context.database, 1)
  expect(await prepareFor(userId, { userFaces: [0, 7] })).toEqual(answer)
})

describe('over HTTP', () => {
  const prepare = (token: string | undefined, json: object) =>
    app.call('/api/ai?action=prepare', { token, json })

  test('photos that the account has not sent begin nothing', async () => {
    const { token } = await app.register()
    const { status, body } = await prepare(token, { userPhoto, stars })
    expect([status, body]).toEqual([200, { success: true, isBegun: false }])
  })

  test('a stranger, an unknown star and anything else are refused', async () => {
    const { token } = await app.register()
    expect((await prepare(undefined, { userPhoto, stars })).status).toBe(401)
    const unknown = await prepare(token, { userPhoto, stars: [{ presetId: 'nobody' }] })
    expect(unknown.body.code).toBe('preset_unknown')
    const wrong = [
      { stars },
      { userPhoto, stars: [] },
      { userPhoto: '../me', stars },
      { userPhoto, stars: [...stars, ...stars, ...stars] },
      { userPhoto, stars, userFaces: [1e9] },
      { userPhoto, stars: [{ presetId: 'elena-vassandri', photo: userPhoto }] },
    ]
    for (const json of wrong) {
      expect((await prepare(token, json)).body.code, JSON.stringify(json)).toBe('invalid_request')
    }
  })
})
