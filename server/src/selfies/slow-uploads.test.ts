import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { createTestJpeg } from '../testing/test-photo.ts'

/*
 * Forms that come slowly or never end, over real connections: nobody else waits for them.
 */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ settings: { TRUST_PROXY: '1' }, worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

const boundary = 'b'
const partHead = (field: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="a.jpg"\r\n`

/** Where forms stand still: each is a beginning that its sender never goes on with. */
const beginnings = {
  'before its first part': () => '-',
  'in a part’s headers': (field: string) => partHead(field),
  'in a photo': (field: string) => `${partHead(field)}\r\n\xff\xd8`,
  'before its end': (field: string) => `${partHead(field)}\r\nabc\r\n--${boundary}`,
}

/** Sends the head of a request and the beginning of its form, and then nothing more. */
async function beginForm(
  path: string,
  { token, network, body }: { token?: string; network: string; body: string },
): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => undefined)
  open.push(socket)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `x-forwarded-for: ${network}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    `content-type: multipart/form-data; boundary=${boundary}`,
    'content-length: 1000000',
  ]
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1', () => resolve()),
  )
  return socket
}

const jpeg = await createTestJpeg({ red: 9, green: 9, blue: 9 })
function photoForm(field: string): FormData {
  const form = new FormData()
  form.set(field, new Blob([Uint8Array.from(jpeg)]), 'a.jpg')
  return form
}
const from = (network: string) => ({ 'x-forwarded-for': network })

describe.each(Object.entries(beginnings))(
  'dozens of forms that stand still %s',
  (_where, begin) => {
    test('keep nobody else’s photos out, of whichever network they come', async () => {
      const holders = await Promise.all(Array.from({ length: 13 }, () => app.register()))
      await Promise.all(
        holders.flatMap(({ token }) =>
          Array.from({ length: 6 }, () =>
            beginForm('/api/ai?action=inspect', {
              token,
              network: '192.0.2.1',
              body: begin('photo'),
            }),
          ),
        ),
      )
      // Their connections were accepted first, so that all of them are there before the others.
      await expect.poll(() => app.countConnections()).toBeGreaterThanOrEqual(open.length)
      const { token } = await app.register()
      const headers = from('198.51.100.1')
      const form = photoForm('photo')
      const looked = await app.call('/api/ai?action=inspect', { token, form, headers })
      expect([looked.status, looked.body.usable]).toEqual([200, true])
      const accepted = await app.call('/api/ai?action=generate', {
        token,
        form: await generateForm(),
        headers: { ...headers, prefer: 'respond-async' },
      })
      expect(accepted.status).toBe(202)
    })

    test('keep nobody else without an account from having a photo looked at', async () => {
      const body = begin('photo')
      const network = '192.0.2.1'
      const slow = () => beginForm('/api/ai?action=check', { network, body })
      await Promise.all(Array.from({ length: 12 }, slow))
      await expect.poll(() => app.countConnections()).toBeGreaterThanOrEqual(open.length)
      const check = (headers: Record<string, string>) =>
        app.call('/api/ai?action=check', { form: photoForm('photo'), headers })
      expect((await check(from('198.51.100.1'))).status).toBe(200)
      expect((await check(from(network))).status, 'a place each has its sender').toBe(429)
    })

    test('keep nobody from verifying a picture', async () => {
      const networks = Array.from({ length: 8 }, (_, index) => `192.0.2.${index}`)
      await Promise.all(
        networks
          .flatMap((network) => [network, network, network])
          .map((network) => beginForm('/api/verify', { network, body: begin('picture') })),
      )
      await expect.poll(() => app.countConnections()).toBeGreaterThanOrEqual(open.length)
      const headers = from('198.51.100.1')
      const verified = await app.call('/api/verify', { form: photoForm('picture'), headers })
      expect(verified.status).toBe(200)
    })
  },
)

test('a form that stands still is told so, and loses its connection', async () => {
  const body = beginnings['in a photo']('picture')
  const socket = await beginForm('/api/verify', { network: '192.0.2.1', body })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await new Promise((resolve) => socket.once('end', resolve))
  expect(received).toMatch(/^HTTP\/1\.1 400 /)
  expect(received).toContain('"code":"upload_too_slow"')
})

test('who leaves in the middle of a form keeps no place', async () => {
  const { token } = await app.register()
  for (let round = 0; round < 4; round += 1) {
    const body = beginnings['in a photo']('photo')
    const forms = Array.from({ length: 6 }, () =>
      beginForm('/api/ai?action=inspect', { token, network: '192.0.2.1', body }),
    )
    for (const socket of await Promise.all(forms)) socket.destroy()
  }
  const inspect = async () =>
    (await app.call('/api/ai?action=inspect', { token, form: photoForm('photo') })).status
  await expect.poll(inspect).toBe(200)
})
