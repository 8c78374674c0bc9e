import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWebPages, serveWebApp } from './web-app.ts'

const script = `console.log('${'a'.repeat(2_000)}')`
let folder: string
let brand = 'First'
let app: FastifyInstance
beforeAll(async () => {
  folder = `${await mkdtemp(path.join(tmpdir(), 'starside-web-'))}/`
  await mkdir(`${folder}assets`)
  await writeFile(`${folder}index.html`, '<!doctype html><head><title>{brand}</title></head>')
  await writeFile(`${folder}secret.txt`, 'beside the assets')
  await writeFile(`${folder}.sources`, 'a hash')
  await writeFile(`${folder}assets/main-abc.js`, script)
  await writeFile(`${folder}assets/main-abc.js.br`, brotliCompressSync(script))
  await writeFile(`${folder}assets/face-abc.woff2`, 'a font')
  const pages = await readWebPages(folder)
  if (pages === undefined) throw new Error('the pages are not there')
  app = Fastify()
  await serveWebApp(app, {
    pages,
    folder,
    fillPage: (html) => html,
    brandPage: (page) => page.replace('{brand}', brand),
    version: () => brand,
    headTags: async ({ query }) => query.get('tags') ?? '',
  })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('a hashed asset', () => {
  test('comes packed to who takes brotli, and is kept for a year', async () => {
    const { statusCode, headers, rawPayload } = await get('/assets/main-abc.js', {
      'accept-encoding': 'gzip, br',
    })
    expect([statusCode, rawPayload]).toEqual([200, brotliCompressSync(script)])
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  })

  test('comes plain to everybody else, also in parts', async () => {
    const whole = await get('/assets/main-abc.js')
    expect([whole.statusCode, whole.body]).toEqual([200, script])
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(whole.headers['cache-control']).toContain('immutable')
    const part = await get('/assets/main-abc.js', {
      'accept-encoding': 'br',
      range: 'bytes=0-6',
    })
    expect(part.statusCode).toBe(206)
  })

  test('is not sent again to who has it', async () => {
    const accepts = { 'accept-encoding': 'br' }
    const { headers } = await get('/assets/main-abc.js', accepts)
    const again = await get('/assets/main-abc.js', {
      ...accepts,
      'if-none-match': String(headers.etag),
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('that is packed already comes as it is', async () => {
    const { statusCode, body } = await get('/assets/face-abc.woff2', { 'accept-encoding': 'br' })
    expect([statusCode, body]).toEqual([200, 'a font'])
  })

  test.for(['/assets/none.js', '/assets/..%2fsecret.txt', '/assets/../../etc/passwd'])(
    'that does not exist is not found: %s',
    async (url) => {
      const { statusCode, body } = await get(url, { 'accept-encoding': 'br' })
      expect([404, 403]).toContain(statusCode)
      expect(body).not.toMatch(/beside|root:/)
    },
  )

  test('answers HEAD as GET, without the body', async () => {
    const { statusCode, body, headers } = await app.inject({
      method: 'HEAD',
      url: '/assets/main-abc.js',
      headers: { 'accept-encoding': 'br' },
    })
    expect([statusCode, body]).toEqual([200, ''])
    expect(headers['content-length']).toBe(String(brotliCompressSync(script).length))
  })
})

test('what the build keeps for itself is not served', async () => {
  expect((await get('/.sources')).statusCode).toBe(404)
})

test('a page is made anew when the brand has changed, packed or not', async () => {
  const titles = async () => {
    const plain = await get('/')
    const packed = await get('/', { 'accept-encoding': 'br' })
    return [plain.body, brotliDecompressSync(packed.rawPayload).toString()]
  }
  const first = '<!doctype html><head><title>First</title></head>'
  expect(await titles()).toEqual([first, first])
  brand = 'Second'
  const second = '<!doctype html><head><title>Second</title></head>'
  expect(await titles()).toEqual([second, second])
})

test.each([
  ['<meta name="a">', '<title>Second</title><meta name="a">'],
  ['<title>A selfie</title><meta name="a">', '<title>A selfie</title><meta name="a">'],
])('a page has one title, that of the tags %s where they have one', async (tags, head) => {
  const { body } = await get(`/?tags=${encodeURIComponent(tags)}`)
  expect(body).toBe(`<!doctype html><head>${head}</head>`)
})

test('pages of links that are passed around no more make room for others', async () => {
  const pages = await readWebPages(folder)
  if (pages === undefined) throw new Error('the pages are not there')
  await using own = Fastify()
  let made = 0
  await serveWebApp(own, {
    pages,
    folder,
    fillPage: (html) => html,
    brandPage(page) {
      made += 1
      return page
    },
    version: () => '1',
    headTags: async ({ query }) => query.get('selfie') ?? '',
  })
  const ask = (selfie: number) => own.inject(`/?selfie=${selfie}`)
  for (let selfie = 0; selfie < 64; selfie += 1) await ask(selfie)
  await ask(0)
  expect(made, 'it was there still').toBe(64)
  await ask(64)
  await ask(1)
  expect(made, 'that which nobody had asked for the longest').toBe(66)
})
