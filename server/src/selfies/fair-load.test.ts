import { EngineCrashedError } from '@starside/engine/engine-crashed-error.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { createTestJpeg } from '../testing/test-photo.ts'
import { sweepObjects } from './sweep.ts'

/*
 * What one person asks for, however often, makes nobody else wait.
 */

let app: TestApp
let toPng: TestApp['engine']['toPng']
let inspect: TestApp['engine']['inspect']
beforeAll(async () => {
  app = await openTestApp()
  ;({ toPng, inspect } = app.engine)
})
afterEach(() => {
  Object.assign(app.engine, { toPng, inspect, next: [] })
})
afterAll(() => app[Symbol.asyncDispose]())

async function makePicture() {
  const { token } = await app.register()
  const { body } = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  return { token, ...body.generation } as {
    token: string
    generationId: string
    downloadUrl: string
  }
}

async function photoForm(): Promise<FormData> {
  const form = new FormData()
  const jpeg = await createTestJpeg({ red: 9, green: 9, blue: 9 })
  form.set('photo', new Blob([Uint8Array.from(jpeg)]), 'me.jpg')
  return form
}

async function keysOf(generationId: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.context.store.list('pictures')) {
    if (key.includes(generationId)) keys.push(key)
  }
  return keys
}

describe('sixty downloads of one picture at once', () => {
  test('make its PNG once, and nobody else waits for it', async () => {
    const { downloadUrl } = await makePicture()
    const go = Promise.withResolvers<void>()
    let made = 0
    app.engine.toPng = async (jpeg) => {
      made += 1
      await go.promise
      return toPng(jpeg)
    }
    const downloads = Array.from({ length: 60 }, () => app.call(downloadUrl))
    await expect.poll(() => made).toBe(1)

    const other = await app.register()
    const looked = await app.call('/api/ai?action=inspect', {
      token: other.token,
      form: await photoForm(),
    })
    expect([looked.status, looked.body.usable]).toEqual([200, true])

    go.resolve()
    const answers = await Promise.all(downloads)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[59]?.body.subarray(1, 4).toString()).toBe('PNG')
    expect((await app.call(downloadUrl)).status).toBe(200)
    expect(made).toBe(1)
  })
})

describe('the PNG of a picture', () => {
  test('is deleted with it, also when it is made at that moment', async () => {
    const { token, generationId, downloadUrl } = await makePicture()
    await app.call(downloadUrl)
    expect(await keysOf(generationId)).toHaveLength(5)
    const next = await makePicture()
    app.engine.toPng = async (jpeg) => {
      const png = await toPng(jpeg)
      await app.call('/api/user?action=delete-account', {
        token: next.token,
        json: { password: 'correct horse' },
      })
      return png
    }
    await app.call(next.downloadUrl)
    expect(await keysOf(next.generationId)).toEqual([])
    await app.call('/api/user?action=delete-account', {
      token,
      json: { password: 'correct horse' },
    })
    expect(await keysOf(generationId)).toEqual([])
  })

  test('is no orphan to the sweep while its picture is there', async () => {
    const { generationId, downloadUrl } = await makePicture()
    await app.call(downloadUrl)
    const parts = {
      ...app.context,
      clock: () => new Date(Date.now() + 2 * 60 * 60_000),
    }
    const signal = new AbortController().signal
    await sweepObjects(parts, 'pictures', { signal })
    expect(await keysOf(generationId)).toHaveLength(5)
    await sql`
      update generations set clean_key = null, watermarked_key = null, deleted_at = now()
      where id = ${generationId}
    `.execute(app.context.database)
    await sweepObjects(parts, 'pictures', { signal })
    expect((await keysOf(generationId)).filter((key) => key.endsWith('.png'))).toEqual([])
  })
})

test('one person who sends thirty photos at once is refused some, and others are served', async () => {
  const heavy = await app.register()
  const go = Promise.withResolvers<void>()
  onTestFinished(() => go.resolve())
  let waiting = 0
  app.engine.inspect = async ({ photo }) => {
    waiting += 1
    if (waiting <= 2) await go.promise
    return { ...app.engine.inspection, widthPx: photo.widthPx, heightPx: photo.heightPx }
  }
  const calls = Array.from({ length: 30 }, async () =>
    app.call('/api/ai?action=inspect', { token: heavy.token, form: await photoForm() }),
  )
  await expect.poll(() => waiting).toBeGreaterThanOrEqual(2)
  const other = await app.register()
  const looked = await app.call('/api/ai?action=inspect', {
    token: other.token,
    form: await photoForm(),
  })
  expect(looked.status).toBe(200)
  expect(waiting, 'two of the one, and the other’s').toBe(3)
  go.resolve()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(6)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('verifications of strangers are done one at a time, and nobody who is signed in waits', async () => {
  const go = Promise.withResolvers<void>()
  const { examine } = app.engine
  let begun = 0
  app.engine.examine = async (...call) => {
    begun += 1
    await go.promise
    return examine(...call)
  }
  const jpeg = await createTestJpeg({ red: 9, green: 9, blue: 9 })
  const verify = async () => {
    const form = new FormData()
    form.set('picture', new Blob([Uint8Array.from(jpeg)]), 'picture.jpg')
    return app.call('/api/verify', { form })
  }
  const calls = [verify(), verify(), verify()]
  await expect.poll(() => begun).toBe(1)
  const { token } = await app.register()
  const looked = await app.call('/api/ai?action=inspect', { token, form: await photoForm() })
  expect([looked.status, begun]).toEqual([200, 1])
  go.resolve()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
  app.engine.examine = examine
})

describe('event streams', () => {
  test('are eight for one account at most, and a closed one makes room', async () => {
    const finish = Promise.withResolvers<void>()
    app.engine.next.push(async () => {
      await finish.promise
      return makeTestSelfie()
    })
    const { token } = await app.register()
    const { body } = await app.call('/api/ai?action=generate', {
      token,
      form: await generateForm(),
      headers: { prefer: 'respond-async' },
    })
    const path = `/api/generations/${body.generation.generationId}/events`
    const open = async () => {
      const abort = new AbortController()
      const response = await fetch(app.url + path, {
        headers: { authorization: `Bearer ${token}` },
        signal: abort.signal,
      })
      return { response, abort }
    }
    const streams = await Promise.all(Array.from({ length: 8 }, open))
    expect(streams.map(({ response }) => response.status)).toEqual(Array(8).fill(200))
    const refused = await app.call(path, { token })
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    streams[0]?.abort.abort()
    await expect
      .poll(async () => {
        const stream = await open()
        if (stream.response.status !== 200) stream.abort.abort()
        return stream.response.status
      })
      .toBe(200)
    finish.resolve()
    await Promise.all(streams.slice(1).map(({ response }) => response.text()))
  })
})

describe('a part that is out of service for now answers 503', () => {
  test.for([
    ['photos that took too long', new DOMException('too slow', 'TimeoutError')],
    ['an engine that was lost', new EngineCrashedError('time_limit')],
    ['a full disk of ours', Object.assign(new Error('write'), { code: 'ENOSPC' })],
    [
      'a failure behind another',
      new Error('wrapped', { cause: Object.assign(new Error('x'), { code: 'EMFILE' }) }),
    ],
  ] as const)('%s', async ([, failure]) => {
    app.engine.inspect = async () => Promise.reject(failure)
    const { token } = await app.register()
    const answer = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(answer.body.error).toBe('This site is busy right now. Please try again shortly.')
    const { body } = await app.call('/api/user?action=profile', { token })
    expect(body.user.creditsBalance).toBe(1)
  })

  test('a bug stays a 500', async () => {
    app.engine.inspect = async () => Promise.reject(new TypeError('undefined is no function'))
    const { token } = await app.register()
    const answer = await app.call('/api/ai?action=inspect', { token, form: await photoForm() })
    expect([answer.status, answer.body.code]).toEqual([500, 'internal'])
  })
})

test.for(['53100', '53200', '57014', '25006', '40P01'])(
  'SQLSTATE %s answers 503, and a full disk makes the node not ready',
  async (state) => {
    await using own = await openTestApp({ worker: false })
    const { token } = await own.register()
    const ready = async () => (await own.call('/api/health/ready')).status
    expect(await ready()).toBe(200)
    await sql`
      create function fail() returns trigger language plpgsql as
      ${sql.raw(`$$ begin raise exception 'no' using errcode = '${state}'; end $$`)}
    `.execute(own.context.database)
    await sql`create trigger fail before insert on credit_holds execute function fail()`.execute(
      own.context.database,
    )
    const held = await own.call('/api/user?action=consume-credits', { token, json: {} })
    expect([held.status, held.body.code]).toEqual([503, 'unavailable'])
    expect(await ready()).toBe(state === '53100' ? 503 : 200)
  },
)
