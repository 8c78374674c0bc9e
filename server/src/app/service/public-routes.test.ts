import { retiredPresets } from '@starside/contract/preset-categories.ts'
import { peopleAnswer, presetsAnswer } from '@starside/contract/presets.ts'
import type { PictureThumbnail } from '@starside/contract/presets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shippedPresets } from '../../stars/presets.ts'
import { createWorkerApp } from './public-routes.ts'
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

test('an address that can’t be read is refused in the program’s own form', async () => {
  const { status, body } = await app.call('/api/presets/%zz')
  expect([status, body.code, body.success]).toEqual([400, 'invalid_request', false])
})

test('a worker answers for its health alone', async () => {
  await using worker = await createWorkerApp(app.context)
  const ask = async (url: string) => {
    const { statusCode, body } = await worker.inject({ url })
    const { status, code } = JSON.parse(body) as { status?: string; code?: string }
    return [statusCode, status ?? code]
  }
  expect(await ask('/api/health/live')).toEqual([200, 'ok'])
  expect(await ask('/api/health/ready')).toEqual([200, 'ok'])
  expect(await ask('/api/config')).toEqual([404, 'not_found'])
})

test('whoever was told to stop, or has lost the database, lives but takes no work', async () => {
  const { database } = app.context
  const lost = {
    transformQuery: (node: unknown) => node,
    compileQuery: (query: unknown) => query,
    executeQuery: () => Promise.reject(new Error('connection lost')),
  }
  const broken = new Proxy(database, {
    get: (of, name) => (name === 'getExecutor' ? () => lost : Reflect.get(of, name)),
  })
  for (const changed of [{ stopping: AbortSignal.abort() }, { database: broken }]) {
    await using worker = await createWorkerApp({ ...app.context, ...changed })
    const [live, ready] = await Promise.all([
      worker.inject({ url: '/api/health/live' }),
      worker.inject({ url: '/api/health/ready' }),
    ])
    expect([live.statusCode, ready.statusCode, ready.json().code]).toEqual([
      200,
      503,
      'unavailable',
    ])
    expect(ready.body).not.toContain('connection lost')
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
