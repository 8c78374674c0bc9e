import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { storedSheet } from '../testing/stored-sheet.ts'
import { completeGeneration, failGeneration } from './finish-generation.ts'
import { workOnGenerations } from './jobs.ts'
import { sweepGenerations } from './sweep.ts'

/*
 * What each rule of a generation allows just before its limit, and refuses just behind it.
 */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const sweep = (own: TestApp) => sweepGenerations(own.context, new AbortController().signal)

/** A generation that no worker has taken yet. */
async function begin(own: TestApp) {
  const { token, userId } = await own.register()
  const { body } = await own.call('/api/ai?action=generate', {
    token,
    form: await generateForm(),
    headers: { prefer: 'respond-async' },
  })
  const { generationId } = body.generation as { generationId: string }
  const read = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from generations where id = ${generationId}
    `.execute(own.context.database)
    return rows[0]
  }
  return { token, userId, generationId, path: `/api/generations/${generationId}`, read }
}

const balanceOf = async (own: TestApp, token: string) =>
  (await own.call('/api/user?action=profile', { token })).body.user.creditsBalance

const complete = async (generationId: string, name: string) =>
  completeGeneration(app.context, generationId, {
    stored: storedSheet(name),
    selfie: await makeTestSelfie(),
    layersExpireAt: new Date(),
  })

test('a generation ends once: a later end, good or bad, changes nothing', async () => {
  const { generationId, token, read } = await begin(app)
  expect(await complete(generationId, 'first')).toBe('done')
  const done = await read()
  expect(await complete(generationId, 'second')).toBe('already_finished')
  await failGeneration(app.context, generationId, 'generation_failed')
  expect(await read()).toEqual(done)
  expect(await balanceOf(app, token)).toBe(0)
})

test('a generation that has failed gives no picture afterwards', async () => {
  const { generationId, token, read } = await begin(app)
  await failGeneration(app.context, generationId, 'generation_failed')
  const failed = await read()
  expect(await complete(generationId, 'late')).toBe('already_finished')
  await failGeneration(app.context, generationId, 'internal')
  expect(await read()).toEqual(failed)
  expect(await balanceOf(app, token)).toBe(1)
})

test('the sweep leaves a running generation alone until its hold is over', async () => {
  await using own = await openTestApp({ worker: false })
  own.stopTime()
  const { token, read } = await begin(own)
  await sweep(own)
  own.passTime(14 * 60_000)
  await sweep(own)
  expect([(await read())?.['state'], await balanceOf(own, token)]).toEqual(['running', 0])
  own.passTime(61_000)
  await sweep(own)
  expect([(await read())?.['state'], await balanceOf(own, token)]).toEqual(['failed', 1])
})

test('a running generation can be neither deleted nor shared', async () => {
  const { token, path, read } = await begin(app)
  const before = await read()
  for (const [method, suffix] of [
    ['DELETE', ''],
    ['POST', '/share'],
    ['POST', '/restore'],
  ]) {
    const answer = await app.call(path + suffix, { method: method ?? '', token })
    expect([answer.status, answer.body.code]).toEqual([404, 'generation_unknown'])
  }
  expect(await read()).toEqual(before)
})

test('a deleted picture can be brought back for thirty seconds, whatever sweeps meanwhile', async () => {
  await using own = await openTestApp()
  own.stopTime()
  const { token } = await own.register()
  const { body } = await own.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { generationId, imageUrl } = body.generation
  const path = `/api/generations/${generationId}`
  const remove = () => own.call(path, { method: 'DELETE', token })
  const restore = async () => (await own.call(`${path}/restore`, { method: 'POST', token })).status

  await remove()
  own.passTime(28_000)
  await sweep(own)
  expect([await restore(), (await own.call(imageUrl)).status]).toEqual([200, 200])
  expect(await restore()).toBe(404)

  await remove()
  expect((await remove()).status).toBe(404)
  own.passTime(30_001)
  await sweep(own)
  expect([await restore(), (await own.call(imageUrl)).status]).toEqual([404, 404])
})

test('a picture’s address opens until the moment that it names', async () => {
  await using own = await openTestApp()
  own.stopTime()
  const { token } = await own.register()
  const { body } = await own.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { imageUrl, thumbnailUrl } = body.generation
  const expires = Number(new URL(imageUrl, own.url).searchParams.get('expires'))
  const leftMs = expires - own.context.clock().getTime()
  expect(leftMs).toBeGreaterThan(59 * 60_000)
  expect(leftMs).toBeLessThanOrEqual(65 * 60_000)
  own.passTime(leftMs - 4_500)
  const late = await own.call(imageUrl)
  expect(late.status).toBe(200)
  // Nor does the browser, which counts whole seconds, keep it for longer.
  expect(Number(/max-age=(\d+)/.exec(late.headers.get('cache-control') ?? '')?.[1])).toBeLessThan(5)
  own.passTime(4_500)
  for (const url of [imageUrl, thumbnailUrl]) {
    expect(await own.call(url)).toMatchObject({ status: 410, body: { code: 'picture_expired' } })
  }
})

test('the millisecond that an address names is the first at which it is closed', async () => {
  await using own = await openTestApp()
  const { token } = await own.register()
  const { body } = await own.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { imageUrl } = body.generation
  const expires = Number(new URL(imageUrl, own.url).searchParams.get('expires'))
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(expires - 1)
    expect((await own.call(imageUrl)).status).toBe(200)
    vi.setSystemTime(expires)
    expect((await own.call(imageUrl)).status).toBe(410)
  } finally {
    vi.useRealTimers()
  }
})

test('a job that is given twice keeps one picture and captures one credit', async () => {
  await using own = await openTestApp({ worker: false })
  const { token, generationId, read } = await begin(own)
  await own.context.database.transaction().execute(async (transaction) => {
    await own.context.jobs.enqueue(transaction, 'generation', { generationId })
  })
  await workOnGenerations(own.context)
  await expect.poll(async () => (await read())?.['state']).toBe('done')
  const done = await read()
  const readStates = async () =>
    (
      await sql`select state from pgboss.job where name = 'generation'`.execute(
        own.context.database,
      )
    ).rows
  await expect.poll(readStates).toEqual([{ state: 'completed' }, { state: 'completed' }])
  const { user_photo_key: _user, star_photo_key: _star, ...after } = (await read()) ?? {}
  expect(done).toMatchObject(after)
  const keys: string[] = []
  for await (const { key } of own.context.store.list('pictures')) keys.push(key)
  const { clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key } = after
  expect(keys).toHaveLength(4)
  expect(new Set(keys)).toEqual(
    new Set([clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key]),
  )
  expect(await balanceOf(own, token)).toBe(0)
})
