import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { pngClaiming } from '@starside/engine/testing/png-claiming.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'

/*
 * Hostile files over real HTTP: to the inspection, the generation and the verification. Bounds of
 * the decoder itself are shown beside it (engine/src/photo/normalise.test.ts).
 */

let app: TestApp
let token: string
beforeAll(async () => {
  app = await openTestApp()
  ;({ token } = await app.register())
})
afterAll(() => app[Symbol.asyncDispose]())

/** Ten megabytes of zeros in ten kilobytes. */
const pngBomb = (widthPx: number, heightPx: number): Buffer =>
  pngClaiming(widthPx, heightPx, 10 * 1024 * 1024)

const page = '<!doctype html><html><script>alert(document.domain)</script></html>'
const files: [string, () => Buffer | Promise<Buffer>][] = [
  ['a page that begins like a GIF', () => Buffer.from(`GIF89a=1;/*${page}*/`)],
  ['a page that begins like a JPEG', () => Buffer.from(`\xff\xd8\xff\xe0${page}`, 'latin1')],
  [
    'a script in an SVG',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  ],
  [
    'an SVG that reads a file',
    () => Buffer.from('<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
  ],
  ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
  ['a ZIP', () => Buffer.from('PK\x03\x04\x14\x00')],
  ['a program', () => Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
  [
    'a command for ImageMagick',
    () => Buffer.from('push graphic-context\nviewbox 0 0 1 1\nfill "url(https://x)"'),
  ],
  ['a bomb of 400 megapixels', () => pngBomb(20_000, 20_000)],
  ['a bomb within the bounds', () => pngBomb(7_000, 7_000)],
  [
    'a picture of one pixel',
    () =>
      sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
        .png()
        .toBuffer(),
  ],
]

test.for(files)('%s is refused everywhere, with a sentence', async ([, make]) => {
  const file = await make()
  const blob = new Blob([Uint8Array.from(file)], { type: 'image/jpeg' })
  const form = (name: string) => {
    const data = new FormData()
    data.set(name, blob, '../../../etc/passwd\u0000.jpg')
    return data
  }
  const answers = [
    await app.call('/api/ai?action=inspect', { token, form: form('photo') }),
    await app.call('/api/ai?action=generate', {
      token,
      form: await generateForm({ userPhoto: file }),
    }),
    await app.call('/api/verify', { form: form('picture') }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body).toMatchObject({ success: false, error: expect.stringMatching(/\.$/) })
  }
})

test('what hides behind a real photo is gone before anything is stored', async () => {
  const photo = await readPersonPhoto('mina-asakuri')
  const comment = Buffer.from(page)
  const length = Buffer.from([0, comment.length + 2])
  const polyglot = Buffer.concat([
    photo.subarray(0, 2),
    Buffer.from([0xff, 0xfe]),
    length,
    comment,
    photo.subarray(2),
    Buffer.from(page),
  ])
  const person = await app.register()
  let stored: Uint8Array | undefined
  app.engine.next.push(async ({ userPhoto }) => {
    stored = userPhoto.bytes
    return makeTestSelfie()
  })
  const made = await app.call('/api/ai?action=generate', {
    token: person.token,
    form: await generateForm({ userPhoto: polyglot }),
  })
  expect(made.status).toBe(200)
  expect(stored?.length).toBeGreaterThan(1_000)
  expect(Buffer.from(stored ?? []).includes('script')).toBe(false)
})

test.for([
  ['without a boundary', 'multipart/form-data', 'abc'],
  ['with a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(400)}`, 'abc'],
  [
    'that breaks off in a file',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\nabc',
  ],
  ['that breaks off in a header', 'multipart/form-data; boundary=b', '--b\r\ncontent-disp'],
  ['without a part', 'multipart/form-data; boundary=b', ''],
] as const)('a form %s is no fault of ours', async ([, contentType, body]) => {
  for (const path of ['/api/ai?action=inspect', '/api/ai?action=generate', '/api/verify']) {
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
      body,
    })
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.json()).toMatchObject({ success: false, code: expect.any(String) })
  }
})

test.for([
  ['/api/ai?action=generate', ['userPhoto', 'celebrityPhoto', 'celebrityPhoto', 'celebrityPhoto']],
  ['/api/ai?action=generate', ['nonsense', 'userPhoto', 'celebrityPhoto']],
  ['/api/ai?action=inspect', ['photo', 'photo', 'photo']],
  ['/api/verify', ['picture', 'picture', 'picture']],
] as const)(
  'the next request on a connection is answered after a form to %s that was not read to its end (%j)',
  async ([address, names]) => {
    const form = new FormData()
    const photo = new Blob([Buffer.alloc(4_000_000)], { type: 'image/jpeg' })
    for (const name of names) form.append(name, photo, 'photo.jpg')
    const body = new Response(form)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const refused = await sendBy(agent, address, {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': body.headers.get('content-type'),
      },
      body: Buffer.from(await body.arrayBuffer()),
    })
    expect(refused.status).toBeLessThan(500)
    const next = await sendBy(agent, '/api/health/live', {})
    expect(next).toEqual({ status: 200, isReused: true })
    agent.destroy()
  },
)

/** One request over the agent's connection; `isReused` when an earlier one was made over it. */
async function sendBy(
  agent: Agent,
  address: string,
  { headers = {}, body }: { headers?: Record<string, string | null>; body?: Buffer },
): Promise<{ status: number | undefined; isReused: boolean }> {
  const sent = request(app.url + address, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-length': body?.length ?? 0 },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  // The whole form goes out, as a browser's does, whatever has been answered by then.
  if (!sent.writableFinished) await once(sent, 'finish')
  return { status: response.statusCode, isReused: sent.reusedSocket }
}
