import { errorTable } from '@starside/contract/errors.ts'
import { findRow } from '../platform/db/rows.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { photoDigest } from '@starside/engine/photo/photo-digest.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { placeHold } from '../ledger/credits/hold.ts'
import { generateForm } from '../testing/generate-form.ts'
import { doneRow, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { signIn as signInto } from '../testing/sign-in.ts'
import { createTestJpeg } from '../testing/test-photo.ts'
import { failGeneration, generationTopic } from './finish-generation.ts'
import { writeStage } from './generation-progress.ts'

let app: TestApp
let photo: Buffer
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  photo = await createTestJpeg({ red: 90, green: 90, blue: 200, widthPx: 320 })
})
afterAll(() => app[Symbol.asyncDispose]())

const unknown = { status: 404, body: { code: 'generation_unknown' } }
const async = { prefer: 'respond-async' }

async function signIn(credits = 9) {
  const { token, userId } = await signInto(app.context, credits)
  const ask = (path: string, method = 'GET') => app.call(path, { token, method })
  const hold = async () => {
    const placed = await placeHold(app.context.database, {
      userId,
      amount: 1,
      description: 'set aside',
      reference: crypto.randomUUID(),
      now: new Date(),
    })
    if (placed.outcome !== 'held') throw new Error(placed.outcome)
    return placed.holdId
  }
  const generate = async (
    headers: Record<string, string>,
    form: Parameters<typeof generateForm>[0] = {},
    query = '',
  ) =>
    app.call(`/api/ai?action=generate${query}`, {
      token,
      form: await generateForm({ userPhoto: photo, ...form }),
      headers,
    })
  return { token, userId, ask, hold, generate }
}

const stateOf = async (holdId: string) =>
  (
    await app.context.database
      .selectFrom('credit_holds')
      .select('state')
      .where('id', '=', holdId)
      .executeTakeFirstOrThrow()
  ).state

describe('the history', () => {
  test('has twenty-four selfies on a page, and the cursor leads to the next', async () => {
    const { userId, ask } = await signIn(30)
    const start = Date.parse('2026-11-01T00:00:00Z')
    for (let count = 0; count < 24; count += 1) {
      await makeDoneGeneration(app.context.database, { userId, at: new Date(start + count) })
    }
    const full = (await ask('/api/generations')).body
    expect([full.success, full.items.length, full.nextCursor, full.total]).toEqual([
      true,
      24,
      null,
      24,
    ])
    const oldest = await makeDoneGeneration(app.context.database, {
      userId,
      at: new Date(start - 1),
    })
    const first = (await ask('/api/generations')).body
    expect([first.items.length, first.total]).toEqual([24, 25])
    const second = (await ask(`/api/generations?cursor=${first.nextCursor}`)).body
    expect(second.items.map((item: any) => item.generationId)).toEqual([oldest.generationId])
    expect(second.nextCursor).toBeNull()
    const none = (await ask('/api/generations?star=Ada+Vale')).body
    expect(none).toMatchObject({ items: [], total: 0, stars: ['Elena Vassandri'] })
  })
})

describe('one selfie', () => {
  test('is asked for, deleted and brought back by its owner alone', async () => {
    const me = await signIn()
    const somebody = await signIn()
    const { generationId } = await makeDoneGeneration(app.context.database, { userId: me.userId })
    const path = `/api/generations/${generationId}`
    expect((await me.ask(path)).body).toMatchObject({ success: true, generation: { generationId } })
    expect(await somebody.ask(path)).toMatchObject(unknown)
    expect(await somebody.ask(path, 'DELETE')).toMatchObject(unknown)
    expect((await me.ask(path, 'DELETE')).body).toEqual({ success: true })
    expect(await me.ask(path)).toMatchObject(unknown)
    expect(await somebody.ask(`${path}/restore`, 'POST')).toMatchObject(unknown)
    expect((await me.ask(`${path}/restore`, 'POST')).body).toMatchObject({
      generation: { generationId, state: 'done' },
    })
    expect(await me.ask('/api/generations/x')).toMatchObject(unknown)
  })
})

describe('the events of a selfie', () => {
  async function open(own: { generationId: string; token: string }) {
    const response = await fetch(`${app.url}/api/generations/${own.generationId}/events`, {
      headers: { authorization: `Bearer ${own.token}` },
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    return { response, read: async () => (await reader.read()).value, stop: () => reader.cancel() }
  }
  const messageOf = (text: string | undefined) => JSON.parse(text?.slice('data: '.length) ?? '')

  test('are its stages, and itself at the end', async () => {
    const { userId, token } = await signIn()
    const own = await makeGeneration(app.context.database, { userId })
    const stream = await open({ ...own, token })
    expect(stream.response.status).toBe(200)
    const header = (name: string) => stream.response.headers.get(name)
    expect(header('content-type')).toBe('text/event-stream; charset=utf-8')
    expect([header('cache-control'), header('x-accel-buffering')]).toEqual(['no-store', 'no'])
    const first = await stream.read()
    expect(first).toMatch(/^data: .*\n\n$/)
    expect(messageOf(first)).toEqual({ stage: 'queued', stagePercent: 0, state: 'running' })
    await writeStage(app.context, own.generationId, 'matting')
    expect(messageOf(await stream.read())).toEqual({
      stage: 'matting',
      stagePercent: 0,
      state: 'running',
    })
    await failGeneration(app.context, own.generationId, 'face_missing')
    expect(messageOf(await stream.read())).toMatchObject({
      stage: 'matting',
      state: 'failed',
      generation: { generationId: own.generationId, code: 'face_missing' },
    })
    expect(await stream.read()).toBeUndefined()
  })

  test('tell nothing more to who has signed out meanwhile', async () => {
    const me = await signIn()
    const own = await makeGeneration(app.context.database, me)
    const stream = await open({ ...own, token: me.token })
    await stream.read()
    await me.ask('/api/auth?action=logout-everywhere', 'POST')
    await writeStage(app.context, own.generationId, 'matting')
    expect(await stream.read()).toBeUndefined()
  })

  test('leave nothing running behind them', async () => {
    const { userId, token } = await signIn()
    const own = await makeGeneration(app.context.database, { userId })
    const [begun, ended] = [
      vi.spyOn(globalThis, 'setInterval'),
      vi.spyOn(globalThis, 'clearInterval'),
    ]
    onTestFinished(() => {
      for (const spy of [begun, ended]) spy.mockRestore()
    })
    const stream = await open({ ...own, token })
    await stream.read()
    // Other parts of the program have timers of their own.
    const timers = begun.mock.results
      .filter((_result, call) => begun.mock.calls[call]?.[1] === 15_000)
      .map(({ value }) => value)
    expect(timers).toHaveLength(1)
    await failGeneration(app.context, own.generationId, 'face_missing')
    while ((await stream.read()) !== undefined);
    await expect
      .poll(() => timers.filter((timer) => !ended.mock.calls.some(([one]) => one === timer)))
      .toEqual([])
  })

  test('end after ten minutes, and are asked for anew', async () => {
    const { userId, token } = await signIn()
    const own = await makeGeneration(app.context.database, { userId })
    const lifetime = new AbortController()
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const begun = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 600_000 ? lifetime.signal : timeout(ms)))
    onTestFinished(() => begun.mockRestore())
    const stream = await open({ ...own, token })
    await stream.read()
    expect(begun).toHaveBeenCalledWith(600_000)
    lifetime.abort()
    expect(await stream.read()).toBeUndefined()
  })

  test('are its owner’s', async () => {
    const { token } = await signIn()
    const { generationId } = await makeGeneration(app.context.database)
    expect(await app.call(`/api/generations/${generationId}/events`, { token })).toMatchObject(
      unknown,
    )
  })

  test('can be followed eight times at once, and again when one of them ends', async () => {
    const { userId, token } = await signIn()
    const own = await makeGeneration(app.context.database, { userId })
    const streams = await Promise.all(Array.from({ length: 8 }, () => open({ ...own, token })))
    await Promise.all(streams.map(({ read }) => read()))
    const refused = await open({ ...own, token })
    expect(refused.response.status).toBe(429)
    await streams[0]?.stop()
    await expect
      .poll(async () => {
        const again = await open({ ...own, token })
        await again.stop()
        return again.response.status
      })
      .toBe(200)
    await Promise.all(streams.map(({ stop }) => stop()))
  })

  test('end without a word when the selfie is deleted meanwhile', async () => {
    const { userId, token } = await signIn()
    const own = await makeGeneration(app.context.database, { userId })
    const stream = await open({ ...own, token })
    await stream.read()
    await app.context.database
      .updateTable('generations')
      .set({ deleted_at: new Date() })
      .where('id', '=', own.generationId)
      .execute()
    await app.context.notifications.publish(generationTopic(own.generationId))
    expect(await stream.read()).toBeUndefined()
  })
})

describe('asking for a selfie', () => {
  test('is answered at once where that is preferred, in whatever company', async () => {
    for (const prefer of ['respond-async', 'wait=10, Respond-Async ', 'respond-async,x']) {
      const me = await signIn()
      const { status, headers, body } = await me.generate({ prefer })
      expect([status, headers.get('preference-applied')]).toEqual([202, 'respond-async'])
      expect(body).toMatchObject({ success: true, generation: { state: 'running' } })
    }
  })

  test('waits for the picture, and answers it', async () => {
    const me = await signIn()
    const answer = me.generate({})
    const id = async () => (await me.ask('/api/generations')).body.items[0]?.generationId as string
    await expect.poll(id, { interval: 20 }).toBeDefined()
    const generationId = await id()
    await app.context.database
      .updateTable('generations')
      .set(doneRow(generationId))
      .where('id', '=', generationId)
      .execute()
    await app.context.notifications.publish(generationTopic(generationId))
    const { status, body } = await answer
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, generation: { generationId, state: 'done' } })
    expect(body.imageUrl).toBe(body.generation.imageUrl)
  })

  test('waits no longer for who has left', async () => {
    const { token } = await signIn()
    const { notifications } = app.context
    const subscribe = notifications.subscribe.bind(notifications)
    const ended = vi.fn()
    const watching = Promise.withResolvers<void>()
    const spy = vi.spyOn(notifications, 'subscribe').mockImplementation((topic, listener) => {
      const end = subscribe(topic, listener)
      if (topic.includes('generation')) watching.resolve()
      return () => {
        ended()
        end()
      }
    })
    onTestFinished(() => spy.mockRestore())
    const leaving = new AbortController()
    const answer = fetch(`${app.url}/api/ai?action=generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: await generateForm({ userPhoto: photo }),
      signal: leaving.signal,
    })
    await watching.promise
    expect(ended).not.toHaveBeenCalled()
    leaving.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(() => ended.mock.calls.length).toBe(1)
  })

  test('waits for the failure, and answers its code', async () => {
    const me = await signIn()
    const answer = me.generate({ prefer: 'wait=10' })
    const id = async () => (await me.ask('/api/generations')).body.items[0]?.generationId as string
    await expect.poll(id, { interval: 20 }).toBeDefined()
    await failGeneration(app.context, await id(), 'face_missing')
    expect(await answer).toMatchObject({ status: 422, body: { code: 'face_missing' } })
  })

  test('takes the named hold, and gives back only that one when it is refused', async () => {
    const me = await signIn()
    const [named, other] = [await me.hold(), await me.hold()]
    const refused = await me.generate(async, { scene: 'moon' }, `&holdId=${named}`)
    expect(refused.status).toBe(400)
    expect([await stateOf(named), await stateOf(other)]).toEqual(['released', 'held'])
    const third = await me.hold()
    const { body } = await me.generate(async, {}, `&holdId=${other}`)
    const row = await findRow(app.context.database, 'generations', {
      id: body.generation.generationId,
    })
    expect([row?.hold_id, await stateOf(third)]).toEqual([other, 'held'])
  })

  test('is known again by its idempotency key', async () => {
    const me = await signIn()
    const headers = { ...async, 'idempotency-key': crypto.randomUUID() }
    const answers = [await me.generate(headers), await me.generate(headers)]
    const [one, other] = answers.map(({ body }) => body.generation.generationId as string)
    expect(other).toBe(one)
  })
})

describe('the photo check', () => {
  async function inspect(fields: Record<string, string> = {}, bytes: Uint8Array = photo) {
    const { token } = await signIn()
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('photo', new Blob([Uint8Array.from(bytes)]), 'me.jpg')
    return app.call('/api/ai?action=inspect', { token, form })
  }

  test('says what was found, in sentences', async () => {
    const usual = app.engine.inspection
    expect((await inspect()).body).toEqual({
      success: true,
      usable: true,
      faces: usual.faces.map((face) => ({ ...face, reason: null })),
      refusals: [],
      hints: [],
      widthPx: 320,
      heightPx: 400,
      photoDigest: photoDigest(photo),
    })
    app.engine.inspection = { faces: [], refusals: ['face_missing'], hints: ['small_face'] }
    expect((await inspect()).body).toMatchObject({
      usable: false,
      refusals: [{ code: 'face_missing', sentence: expect.stringMatching(/^No face/) }],
      hints: [{ code: 'small_face', sentence: expect.stringMatching(/\w/) }],
    })
    app.engine.inspection = usual
  })

  test('says of each face why no selfie can be made with it', async () => {
    const usual = app.engine.inspection
    const [face] = usual.faces
    const faces = [face!, { ...face!, isMain: false, refusals: ['face_too_small' as const] }]
    app.engine.inspection = { ...usual, faces }
    expect((await inspect()).body.faces.map(({ reason }: { reason: unknown }) => reason)).toEqual([
      null,
      errorTable.face_too_small.sentence,
    ])
    app.engine.inspection = usual
  })

  test('looks at the faces that are meant', async () => {
    const { admit } = app.engine
    const asked: unknown[] = []
    app.engine.admit = async function (upload, options) {
      asked.push(upload.faceIndexes)
      return admit.call(app.engine, upload, options)
    }
    await inspect({ faces: '2,1' })
    await inspect()
    app.engine.admit = admit
    expect(asked).toEqual([[1, 2], undefined])
  })

  const check = (bytes: Uint8Array = photo) => {
    const form = new FormData()
    form.set('photo', new Blob([Uint8Array.from(bytes)]), 'me.jpg')
    return app.call('/api/ai?action=check', { form })
  }

  test('tells who has no account the same, and keeps nothing by which the photo is known again', async () => {
    const [admit, judge] = [
      vi.spyOn(app.engine, 'admit'),
      vi.spyOn(app.context.moderation, 'judgePhoto'),
    ]
    const { photoDigest: _known, ...said } = (await inspect()).body
    expect((await check()).body).toEqual(said)
    expect(admit.mock.calls.map(([{ account }]) => account)).toEqual([
      expect.any(String),
      undefined,
    ])
    expect(judge).toHaveBeenCalledTimes(1)
    expect((await check(Buffer.from('hello'))).body).toMatchObject({ code: 'photo_format' })
    admit.mockRestore()
    judge.mockRestore()
  })

  test('looks at two photos of strangers at a time and refuses the ninth, while nobody who is signed in waits', async () => {
    const { admit } = app.engine
    const { promise: looked, resolve } = Promise.withResolvers<void>()
    let begun = 0
    app.engine.admit = async function (upload, options) {
      if (upload.account === undefined) {
        begun++
        await looked
      }
      return admit.call(app.engine, upload, options)
    }
    const strangers = Array.from({ length: 8 }, () => check())
    await expect.poll(() => begun).toBe(2)
    expect((await inspect()).status).toBe(200)
    expect((await check()).status).toBe(429)
    expect(begun).toBe(2)
    resolve()
    expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    app.engine.admit = admit
  })

  test('says why a file is none, and what is our own fault is an error of ours', async () => {
    expect(await inspect({}, Buffer.from('hello'))).toMatchObject({
      status: 415,
      body: { code: 'photo_format' },
    })
    const { admit } = app.engine
    app.engine.admit = () => Promise.reject(new PhotoError('photo_damaged'))
    expect((await inspect()).body.code).toBe('photo_damaged')
    app.engine.admit = () => Promise.reject(new Error('no engine'))
    expect((await inspect()).status).toBe(500)
    app.engine.admit = admit
  })
})

describe('public pictures', () => {
  test('of stars and people are kept for a day, in the formats there are', async () => {
    const open = async (path: string) => {
      const { status, headers, body } = await app.call(path)
      const bytes = (body as Buffer).length
      return [status, headers.get('content-type'), headers.get('cache-control'), bytes > 500]
    }
    const day = 'public, max-age=86400'
    const { presets } = (await app.call('/api/ai?action=presets')).body
    const { image, thumbnail } = presets[0]
    expect(await open(image)).toEqual([200, 'image/jpeg', day, true])
    expect(await open(thumbnail.jpeg)).toEqual([200, 'image/jpeg', day, true])
    expect(await open(thumbnail.avif)).toEqual([200, 'image/avif', day, true])
    const { people, success } = (await app.call('/api/people')).body
    expect([success, people.length > 0]).toEqual([true, true])
    expect(await open(people[0].image)).toEqual([200, 'image/jpeg', day, true])
  })

  test.for([
    '/api/presets/nobody.jpg',
    '/api/presets/elena-vassandri.png',
    '/api/presets/elena-vassandri',
    '/api/presets/elena-vassandri.toString',
    '/api/presets/elena-vassandri.cutout.avif',
    '/api/people/nobody.jpg',
  ])('%s is not found', async (path) => {
    expect(await app.call(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('stars are searched by word, category and cursor', async () => {
    const find = async (query: string) =>
      (await app.call(`/api/ai?action=presets${query}`)).body.presets.map(({ id }: any) => id)
    const all = await find('')
    expect(await find('&q=elena')).toEqual(['elena-vassandri'])
    expect(await find(`&cursor=${all[0]}`)).toEqual(all.slice(1))
    const music = await find('&category=music')
    expect([music.length > 0, music.length < all.length]).toEqual([true, true])
  })

  test('the service is healthy, and people are listed for an hour', async () => {
    expect((await app.call('/api/ai?action=health')).body).toEqual({ status: 'ok' })
    const { headers } = await app.call('/api/people')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
  })
})
