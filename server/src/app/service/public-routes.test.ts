import { retiredPresets } from '@starside/contract/preset-categories.ts'
import { peopleAnswer, presetsAnswer } from '@starside/contract/presets.ts'
import type { PictureThumbnail } from '@starside/contract/presets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shippedPresets } from '../../stars/presets.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

test('the program says that it is well, by the specification’s call and by its own', async () => {
  for (const path of ['/api/ai?action=health', '/api/health/live', '/api/health/ready']) {
    const answer = await app.call(path)
    expect([path, answer.status, answer.body.status]).toEqual([path, 200, 'ok'])
  }
})

test('the public settings hold what the interface shows and no secret', async () => {
  const { body } = await app.call('/api/config')
  expect(body).toMatchObject({
    success: true,
    markText: 'selfie.example',
    testMoney: true,
    photoRecipients: [],
  })
  for (const key of Object.values(app.context.keys)) {
    expect(JSON.stringify(body)).not.toContain(key.toString('hex'))
  }
})

test('the presets are offered with licence and attribution, and their pictures can be fetched', async () => {
  const { body } = await app.call('/api/ai?action=presets')
  const { presets } = presetsAnswer.parse(body)
  expect(presets.map(({ id }) => id)).toEqual([...shippedPresets])
  for (const { image, thumbnail, ...preset } of presets) {
    expect(preset).toMatchObject({
      licence: 'CC0 1.0',
      attribution: expect.stringMatching(/nobody real/),
      aiGenerated: true,
      line: { en: expect.stringMatching(/\w/), es: expect.stringMatching(/\w/) },
    })
    expect(await fetchPictures(image, thumbnail)).toEqual(pictureTypes)
  }
  expect((await app.call('/api/presets/..%2Fpreset.jpg')).status).toBe(404)
  expect((await app.call('/api/presets/elena-vassandri.json')).status).toBe(404)
})

test('six people who don’t exist lend their faces, and caches may keep the list', async () => {
  const { body, headers } = await app.call('/api/people')
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  const { people } = peopleAnswer.parse(body)
  expect(people).toHaveLength(6)
  for (const { image, thumbnail, attribution } of people) {
    expect(attribution).toMatch(/nobody real/)
    expect(await fetchPictures(image, thumbnail)).toEqual(pictureTypes)
  }
  expect((await app.call('/api/people/nobody.jpg')).status).toBe(404)
})

test('stars of earlier versions are offered no more', async () => {
  const { body } = await app.call('/api/ai?action=presets')
  const offered = new Set(presetsAnswer.parse(body).presets.map(({ id }) => id))
  for (const { id } of retiredPresets) expect(offered).not.toContain(id)
})

const pictureTypes = ['image/jpeg', 'image/avif', 'image/jpeg']

async function fetchPictures(image: string, thumbnail: PictureThumbnail) {
  const addresses = [image, thumbnail.avif ?? '', thumbnail.jpeg]
  const answers = await Promise.all(addresses.map((address) => app.call(address)))
  return answers.map(({ headers }) => headers.get('content-type'))
}

test('every answer carries the security headers', async () => {
  const { headers } = await app.call('/api/config')
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  expect(headers.get('content-security-policy')).toMatch(/require-trusted-types-for 'script'/)
  expect(headers.get('content-security-policy')).toMatch(/trusted-types 'none'/)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a page may make no Trusted Types policy but its own', async () => {
  const { headers } = await app.call('/no/such/page')
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain('trusted-types default')
})
