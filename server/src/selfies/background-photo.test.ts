import { sql } from 'kysely'
import { findRow } from '../platform/db/rows.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SelfieInput } from '@starside/engine/engine-calls.ts'
import { pngClaiming } from '@starside/engine/testing/png-claiming.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { blockPictures } from '../moderation/blocked-pictures.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { listKeys } from '../testing/list-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

afterEach(async () => {
  app.engine.next = []
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  await expect.poll(readInputKeys).toEqual([])
})

const readInputKeys = () => listKeys(app.context.store, 'inputs')

/** A view of nothing in particular; another number gives another view. */
async function view(number = 1, widthPx = 900, heightPx = 700): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 90 + 20 * number, sigma: 70 } as const
  const small = await sharp({
    create: { width: 9, height: 7, channels: 3, background: '#888', noise },
  })
    .png()
    .toBuffer()
  return sharp(small).resize(widthPx, heightPx, { kernel: 'cubic' }).jpeg().toBuffer()
}

const post = (token: string, form: FormData, headers = {}) =>
  app.call('/api/ai?action=generate', { token, form, headers })
const balance = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance

describe('a selfie before a background photo', () => {
  test('is made with it, says so in the history, and keeps no photo', async () => {
    const { token } = await app.register()
    const asked = new Promise<SelfieInput>((resolve) => {
      app.engine.next.push(async (request) => {
        resolve(request)
        expect(await readInputKeys()).toHaveLength(3)
        return await makeTestSelfie()
      })
    })
    const made = await post(token, await generateForm({ background: await view() }))
    expect(made).toMatchObject({ status: 200, body: { generation: { hasBackgroundPhoto: true } } })
    expect((await asked).backgroundPhoto).toMatchObject({ widthPx: 900, heightPx: 700 })
    expect((await asked).scene).toBeUndefined()
    const { items } = (await app.call('/api/generations', { token })).body
    expect(items[0]).toMatchObject({ hasBackgroundPhoto: true, scene: 'own' })
    const { generationId } = made.body.generation
    const read = () => findRow(app.context.database, 'generations', { id: generationId })
    await expect.poll(async () => (await read())?.background_photo_key).toBeNull()
    expect(await balance(token)).toBe(0)
  })

  test('is made in the look that is wished for, and can be adjusted as any other', async () => {
    const usual = app.engine.sheet
    app.engine.sheet = { ...usual, layers: Buffer.from('everybody cut out, and the place') }
    const asked = new Promise<SelfieInput>((resolve) => {
      app.engine.next.push(async (request) => {
        resolve(request)
        return await makeTestSelfie()
      })
    })
    const { token } = await app.register()
    const form = await generateForm({ background: await view(2), look: 'muted' })
    const { generation } = (await post(token, form)).body
    app.engine.sheet = usual
    expect((await asked).look).toBe('muted')
    expect(generation.adjustableUntil).not.toBeNull()
    expect(await balance(token)).toBe(0)
  })

  test('is another request without it under the same idempotency key', async () => {
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const made = await post(token, await generateForm({ background: await view() }), headers)
    expect(made.status).toBe(200)
    const other = await post(token, await generateForm(), headers)
    expect(other.body.code).toBe('idempotency_conflict')
  })

  test('needs no face and no hint in the photo check', async () => {
    const { token } = await app.register()
    const form = new FormData()
    const bytes = Uint8Array.from(await view())
    form.set('photo', new Blob([bytes], { type: 'image/jpeg' }), 'place.jpg')
    form.set('isBackground', 'true')
    const checked = await app.call('/api/ai?action=inspect', { token, form })
    expect(checked.body).toMatchObject({ usable: true, faces: [], hints: [], widthPx: 900 })
  })

  test('is refused once a selfie with that file was removed, and not with another photo of the place', async () => {
    const { token } = await app.register()
    const background = await view(3)
    const made = await post(token, await generateForm({ background }))
    const row = await findRow(app.context.database, 'generations', {
      id: made.body.generation.generationId,
    })
    await blockPictures(
      app.context.database,
      { ...row!, picture_hash: null, user_photo_hash: null },
      [],
      new Date(),
    )
    const other = await app.register()
    const refused = await post(other.token, await generateForm({ background }))
    expect(refused).toMatchObject({ status: 422, body: { code: 'photo_blocked' } })
    expect(await balance(other.token)).toBe(1)
    // Another photo of the same wall.
    const sameWall = await sharp(background).jpeg({ quality: 70 }).toBuffer()
    const accepted = await post(other.token, await generateForm({ background: sameWall }))
    expect(accepted.status).toBe(200)
  })
})

describe('a background that can’t be used is refused and uses no credit', () => {
  const moving = async () => {
    const frames = await Promise.all([view(1, 600, 600), view(2, 600, 600)])
    return sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
  }
  const bomb = async () => pngClaiming(30_000, 30_000, 10 * 1024 * 1024)
  const refused: [string, () => Promise<Uint8Array>, number, string][] = [
    ['a bomb', bomb, 413, 'photo_too_many_pixels'],
    ['a narrow one', () => view(1, 500, 600), 422, 'background_too_narrow'],
    ['a low one', () => view(1, 600, 300), 422, 'background_too_low'],
    ['an animation', moving, 422, 'background_unusable'],
    ['a text', async () => Buffer.from('the sea'), 415, 'photo_format'],
    ['nothing', async () => Buffer.alloc(0), 400, 'photo_empty'],
    ['half a photo', async () => (await view()).subarray(0, 400), 422, 'photo_damaged'],
  ]
  test.for(refused)('%s', async ([, make, status, code]) => {
    const { token } = await app.register()
    const answer = await post(token, await generateForm({ background: await make() }))
    expect(answer).toMatchObject({ status, body: { success: false, code } })
    expect(answer.body.error).toMatch(/^The background: /)
    expect(await balance(token)).toBe(1)
  })

  test('with a scene beside it', async () => {
    const { token } = await app.register()
    const form = await generateForm({ background: await view(), scene: 'own' })
    const answer = await post(token, form)
    expect(answer).toMatchObject({ status: 400, body: { code: 'scene_and_background' } })
    expect(await balance(token)).toBe(1)
  })
})

test('the database refuses a scene and a background photo in one selfie', async () => {
  const { token } = await app.register()
  const made = await post(token, await generateForm({ background: await view() }))
  const { generationId } = made.body.generation
  await expect(
    sql`update generations set scene = 'cafe' where id = ${generationId}`.execute(
      app.context.database,
    ),
  ).rejects.toMatchObject({ constraint: 'generations_scene_or_background' })
})
