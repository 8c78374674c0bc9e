import { pngClaiming } from '@starside/engine/testing/png-claiming.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'

/* Real photos and the real engine: what a person is shown, and that no credit is gone. */

let app: TestApp
let person: Buffer
beforeAll(async () => {
  app = await openTestApp({ realEngine: true })
  person = await readPersonPhoto('mina-asakuri')
})
afterAll(() => app[Symbol.asyncDispose]())

const grey = { r: 120, g: 120, b: 120 }

/** The person's face as fractions of the picture, found by the engine itself. */
async function findFace() {
  const { photo, inspection } = await app.context.engine.admit({ bytes: person })
  const face = inspection.faces.find(({ isMain }) => isMain)
  if (face === undefined) throw new Error('the rendered person has a face')
  return { ...face, widthPx: photo.widthPx, heightPx: photo.heightPx }
}

const photos: Record<string, [code: string, status: number, make: () => Promise<Buffer>]> = {
  'without a face': [
    'face_missing',
    422,
    () =>
      sharp({ create: { width: 900, height: 900, channels: 3, background: grey } })
        .jpeg()
        .toBuffer(),
  ],
  'with a face that is too small': [
    'face_too_small',
    422,
    async () => {
      const small = await sharp(person).resize(150).toBuffer()
      return sharp({ create: { width: 1600, height: 1200, channels: 3, background: grey } })
        .composite([{ input: small, left: 700, top: 400 }])
        .jpeg()
        .toBuffer()
    },
  ],
  'cut at the chin': [
    'face_cut',
    422,
    async () => {
      const face = await findFace()
      const height = Math.round((face.y + face.height * 0.85) * face.heightPx)
      return sharp(person).extract({ left: 0, top: 0, width: face.widthPx, height }).toBuffer()
    },
  ],
  'of 100 megapixels': [
    'photo_too_many_pixels',
    413,
    // Refused by its header.
    async () => pngClaiming(10_000, 10_000, 1_000_000),
  ],
}

test.for(Object.entries(photos))(
  'a photo %s is refused with a sentence, and no credit is used',
  async ([, [code, status, make]]) => {
    const { token } = await app.register()
    const held = await app.call('/api/user?action=consume-credits', { token, json: {} })
    const answer = await app.call(`/api/ai?action=generate&holdId=${held.body.holdId}`, {
      token,
      form: await generateForm({ userPhoto: await make() }),
    })
    expect(answer).toMatchObject({ status, body: { success: false, code, photo: 'user' } })
    const { body } = await app.call('/api/user?action=profile', { token })
    expect(body.user.creditsBalance).toBe(1)
  },
)

test('a photo that ends soon below the chin is refused for 9:16, and no credit is used', async () => {
  const { token } = await app.register()
  const face = await findFace()
  const height = Math.round((face.y + face.height * 1.3) * face.heightPx)
  const photo = await sharp(person)
    .extract({ left: 0, top: 0, width: face.widthPx, height })
    .toBuffer()
  const answer = await app.call('/api/ai?action=generate', {
    token,
    form: await generateForm({ userPhoto: photo, aspect: '9:16' }),
  })
  expect(answer).toMatchObject({ status: 422, body: { code: 'story_too_tight', photo: 'user' } })
  const { body } = await app.call('/api/user?action=profile', { token })
  expect(body.user.creditsBalance).toBe(1)
})

test('the photo check says the same of it beforehand', async () => {
  const { token } = await app.register()
  const form = new FormData()
  const photo = await photos['cut at the chin']?.[2]()
  form.set('photo', new Blob([Uint8Array.from(photo ?? [])]), 'me.jpg')
  const { body } = await app.call('/api/ai?action=inspect', { token, form })
  expect(body).toMatchObject({ success: true, usable: false, refusals: [{ code: 'face_cut' }] })
})

test('a real photo becomes a real picture with both people in it', async () => {
  const { token } = await app.register()
  const made = await app.call('/api/ai?action=generate', {
    token,
    form: await generateForm({ userPhoto: person, presetId: 'henrik-solmark' }),
  })
  expect(made.status).toBe(200)
  const picture = await app.call(made.body.imageUrl)
  const { inspection } = await app.context.engine.admit({ bytes: picture.body })
  expect(inspection.faces).toHaveLength(2)
  expect(await sharp(picture.body).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1024,
    height: 1280,
  })
})

test('two uploads and their picture take three calls of the engine’s process', async () => {
  const { token } = await app.register()
  const before = await countReadings()
  const star = await readPersonPhoto('henrik-solmark')
  const form = await generateForm({
    userPhoto: person,
    celebrityPhoto: star,
    presetId: undefined,
    consent: 'true',
  })
  const { body } = await app.call('/api/ai?action=generate', { token, form })
  expect(body.generation).toMatchObject({ state: 'done' })
  // Each photo once; the picture, the third call, brings its fingerprint along.
  const after = await countReadings()
  const grown = Object.entries(after).map(([act, count]) => [act, count - (before[act] ?? 0)])
  expect(grown.filter(([, count]) => count !== 0)).toEqual([['admit', 2]])
})

/** How often the engine has read a picture, by what was asked. */
async function countReadings(): Promise<Record<string, number>> {
  const { values } = await app.context.metrics.photoReadings.get()
  const counts: Record<string, number> = {}
  for (const { metricName, labels, value } of values) {
    if (metricName?.endsWith('_count') !== true) continue
    counts[labels.act ?? ''] = (counts[labels.act ?? ''] ?? 0) + value
  }
  return counts
}

test('a photo that was checked is named by its digest, by the same account alone, until it has left', async () => {
  const owner = await app.register()
  const photo = new FormData()
  photo.set('photo', new Blob([Uint8Array.from(person)]), 'me.jpg')
  const { body: checked } = await app.call('/api/ai?action=inspect', {
    token: owner.token,
    form: photo,
  })
  const named = () => {
    const form = new FormData()
    form.set('userPhoto', checked.photoDigest)
    form.set('presetId', 'elena-vassandri')
    return form
  }
  const ask = (token: string) => app.call('/api/ai?action=generate', { token, form: named() })
  const stranger = await app.register()
  expect(await ask(stranger.token)).toMatchObject({ status: 409, body: { code: 'upload_expired' } })
  const { body } = await app.call('/api/user?action=profile', { token: stranger.token })
  expect(body.user.creditsBalance, 'no credit is used').toBe(1)
  expect(await ask(owner.token)).toMatchObject({ status: 200, body: { success: true } })
  app.context.uploads.forget(owner.userId)
  expect((await ask(owner.token)).body.code).toBe('upload_expired')
})

test('a selfie that was prepared after the photo check finds everybody cut out', async () => {
  const { token } = await app.register()
  const photo = new FormData()
  photo.set('photo', new Blob([Uint8Array.from(person)]), 'me.jpg')
  const { body: checked } = await app.call('/api/ai?action=inspect', { token, form: photo })
  const json = { userPhoto: checked.photoDigest, stars: [{ presetId: 'elena-vassandri' }] }
  const prepared = await app.call('/api/ai?action=prepare', { token, json })
  expect(prepared.body).toEqual({ success: true, isBegun: true })
  const makeSheet = vi.spyOn(app.context.engine, 'makeSheet')
  const form = await generateForm({ userPhoto: person })
  expect((await app.call('/api/ai?action=generate', { token, form })).status).toBe(200)
  expect(await makeSheet.mock.results[0]!.value).toMatchObject({ wasPrepared: true })
})
