import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { blockPictures, hashOfFile, toInt8 } from './blocked-pictures.ts'
import { createModeration, readModerationLog } from './moderation.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

const { signal } = new AbortController()
const now = new Date('2026-11-20T12:00:00Z')
const fingerprint = { upright: '00000000000000ff', mirrored: 'ff00000000000000' }
const photo = {
  bytes: Buffer.from('a photo'),
  mediaType: 'image/jpeg',
  widthPx: 1,
  heightPx: 1,
  hasMatte: false,
} as const
const admitted = { photo, fingerprint, file: Buffer.from('file') }

/** A moderation whose classifier answers `reason`, and what that was asked. */
function moderationOf(reason?: string) {
  const asked: unknown[] = []
  const moderation = createModeration({
    database: db.database,
    clock: () => now,
    log: {} as never,
    findForbiddenWord: (text) => (text === 'bad' ? 'bad' : undefined),
    classifier: {
      name: 'model',
      judge: async (picture, { kind }) => {
        asked.push([picture, kind])
        return reason
      },
    },
  })
  return { ...moderation, asked }
}

const recordOf = async (userId: string) => {
  const steps = await readModerationLog(db.database, { userId })
  return steps.map(({ act, detail, at }) => [act, detail, at])
}

test('words are judged, and refused as the person’s', async () => {
  const userId = await makeUser(db.database, 0)
  const { judgePrompt } = moderationOf()
  await judgePrompt('at the sea', userId)
  await judgePrompt(undefined, userId)
  expect(await recordOf(userId)).toEqual([])
  await expect(judgePrompt('bad', userId)).rejects.toMatchObject({ code: 'prompt_refused' })
  expect(await recordOf(userId)).toEqual([['prompt refused', 'word: bad', now]])
})

test('a photo whose time runs out while it is judged does not pass', async () => {
  const userId = await makeUser(db.database, 0)
  const time = new AbortController()
  const { judgePhoto } = createModeration({
    database: db.database,
    clock: () => now,
    log: { error: () => undefined } as never,
    findForbiddenWord: () => undefined,
    classifier: {
      name: 'model',
      judge: async (_picture, options) => {
        time.abort(new Error('60 s'))
        options.signal.throwIfAborted()
        return undefined
      },
    },
  })
  const about = { userId, role: 'user', signal: time.signal } as const
  await expect(judgePhoto(admitted, about)).rejects.toThrow('60 s')
})

test('a photo is judged by its bytes, known by its looks, and refused with its role', async () => {
  const userId = await makeUser(db.database, 0)
  const about = { userId, role: 'star', signal } as const
  const { judgePhoto, asked } = moderationOf()
  expect(await judgePhoto(admitted, about)).toBe(toInt8(fingerprint.upright))
  expect(asked).toEqual([[photo.bytes, 'photo']])
  const place = await judgePhoto(admitted, { ...about, role: 'background' })
  expect(place).toBe(hashOfFile(admitted.file))
  await expect(moderationOf('skin').judgePhoto(admitted, about)).rejects.toMatchObject({
    code: 'picture_refused',
    photo: 'star',
  })
  expect(await recordOf(userId)).toEqual([['picture refused', 'model: skin', now]])
})

test.each([
  ['a removed picture', 'picture_hash'],
  ['the user’s photo of one', 'user_photo_hash'],
  ['the star’s photo of one', 'star_photo_hash'],
  ['the second star’s photo of one', 'second_star_photo_hash'],
] as const)('a photo like %s is blocked before the classifier sees it', async (_what, column) => {
  const { generationId: id, userId } = await makeDoneGeneration(db.database)
  const looks = { upright: '123456789abcdef0', mirrored: '0fedcba987654321' }
  const none = { picture_hash: null, user_photo_hash: null, star_photo_hash: null }
  const further = { second_star_photo_hash: null, background_photo_hash: null }
  const removed = { id, ...none, ...further, [column]: toInt8(looks.upright) }
  await db.database.deleteFrom('blocked_pictures').execute()
  await blockPictures(db.database, removed, [], now)
  const { judgePhoto, asked } = moderationOf()
  const blocked = { ...admitted, fingerprint: looks }
  await expect(judgePhoto(blocked, { userId, role: 'user', signal })).rejects.toMatchObject({
    code: 'photo_blocked',
    photo: 'user',
  })
  expect(asked).toEqual([])
  expect(await recordOf(userId)).toEqual([['photo blocked', `like the removed ${id}`, now]])
})

test('a result is judged without the brand mark, and refused as its generation’s', async () => {
  const { generationId, userId } = await makeDoneGeneration(db.database)
  const selfie = { ...(await makeTestSelfie()), fingerprint }
  const about = { userId, generationId, signal }
  const { judgeResult, asked } = moderationOf()
  expect(await judgeResult(selfie, about)).toBe(toInt8(fingerprint.upright))
  expect(asked).toEqual([[selfie.clean, 'result']])
  await expect(moderationOf('skin').judgeResult(selfie, about)).rejects.toMatchObject({
    code: 'picture_refused',
  })
  expect(await readModerationLog(db.database, { generationId })).toMatchObject([
    { act: 'picture refused', user_id: userId, detail: 'model: skin' },
  ])
})
