import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

let app: TestApp
/** Soon has enough of slow clients; whoever isn't meant to be one doesn't call it. */
let impatient: TestApp
beforeAll(async () => {
  ;[app, impatient] = await Promise.all([
    openTestApp({
      settings: { TRUST_PROXY: '1', RATE_LIMITS: 'on', EXPORTS_PER_HOUR: '2' },
      worker: false,
    }),
    openTestApp({
      settings: { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '3' },
      worker: false,
    }),
  ])
})
afterAll(() => Promise.all([app[Symbol.asyncDispose](), impatient[Symbol.asyncDispose]()]))

/** Sends raw bytes and answers all that came back until the server closed the connection. */
function sendRaw(bytes: string, { url } = app): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

describe('answers', () => {
  test('carry the security headers, and none that opens them to other origins', async () => {
    const { headers } = await app.call('/api/config', {
      headers: { origin: 'https://evil.example' },
    })
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-site',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
    })
    const names = [...headers.keys()].filter((name) => name.startsWith('access-control'))
    expect([names, headers.get('x-powered-by'), headers.get('server')]).toEqual([[], null, null])
  })

  test('have an id of their own each, which a failure repeats', async () => {
    const one = await app.call('/api/user?action=profile')
    const two = await app.call('/api/user?action=profile')
    expect(one.body.requestId).toBe(one.headers.get('x-request-id'))
    expect(one.body.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(two.body.requestId).not.toBe(one.body.requestId)
  })

  test('of the API are not stored', async () => {
    const { headers } = await app.call('/api/user?action=profile')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('about a fault of ours hold neither its words nor its stack', async () => {
    const { limits } = app.context
    const take = limits.take.bind(limits)
    limits.take = async () => {
      throw new Error('relation secret_plans does not exist')
    }
    try {
      const { status, body } = await app.call('/api/verify', { method: 'POST' })
      expect([status, body.code]).toEqual([500, 'internal'])
      expect(JSON.stringify(body)).not.toMatch(/secret_plans|\.ts|at /)
    } finally {
      limits.take = take
    }
  })
})

describe('methods', () => {
  test('OPTIONS says what an address takes, and allows no other origin', async () => {
    const answer = await app.call('/api/user?action=profile', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'OPTIONS, GET, HEAD, POST'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test.for([
    ['DELETE', '/api/user', 'OPTIONS, GET, HEAD, POST'],
    ['PUT', '/api/generations/0', 'OPTIONS, DELETE, GET, HEAD'],
    ['GET', '/api/orders/cancel', 'OPTIONS, POST'],
  ] as const)('%s %s is refused with the methods that work', async ([method, path, allow]) => {
    const { status, body, headers } = await app.call(path, { method })
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow])
  })

  test('HEAD answers as GET does, without a body', async () => {
    const response = await fetch(`${app.url}/api/health/live`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('an address of the API that nothing is at leads a browser nowhere else', async () => {
    const answer = await app.call('/api/nothing', { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('an address that nothing is at is not found with any method', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      expect((await app.call('/api/nothing', { method })).body.code).toBe('not_found')
    }
  })
})

describe('broken and slow clients', () => {
  test.for([
    ['bytes that are no HTTP', 'HELLO\r\n\r\n', '400'],
    ['headers without an end', `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(40_000)}`, '431'],
    ['headers that never come', 'GET /api/config HTTP/1.1\r\nhost: x\r\nx-slow: ', '408'],
    [
      'a body that never comes',
      'POST /api/auth?action=login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
      '408',
    ],
    [
      'an address that cannot be decoded',
      'GET /api/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      '400',
    ],
    [
      'two lengths, as for smuggling',
      'POST /api/auth HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
  ] as const)('%s', async ([, bytes, status]) => {
    const received = await sendRaw(bytes, status === '408' ? impatient : app)
    expect(received.split(' ')[1]).toBe(status)
    expect(received).toContain('"success":false')
    expect(received).not.toMatch(/\.ts:|node:|at .*\(/)
  })
})

describe('clients that never hang up', () => {
  /** Keeps its own half open after the server has ended the other; resolves with the latter. */
  async function openStubborn(bytes: string): Promise<Socket> {
    const { hostname, port } = new URL(impatient.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    socket.on('error', () => undefined)
    socket.resume().write(bytes)
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
    return socket
  }

  test.for([
    ['after headers that never end', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '],
    ['after bytes that are no HTTP', 'HELLO\r\n\r\n'],
    [
      'after a body that never comes',
      'POST /api/auth?action=login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
    ],
  ] as const)('%s keep no descriptor of ours', async ([, bytes]) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openStubborn(bytes)))
    await expect.poll(() => impatient.countConnections()).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
})

test('a client that asks for pictures and reads none of them is cut off', async () => {
  const { hostname, port } = new URL(impatient.url)
  const socket = connect({ port: Number(port), host: hostname })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // More bytes than the system's buffers of both ends take.
  socket.write('GET /api/presets/elena-vassandri.jpg HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200))
  // It is answered, and takes no more than that first piece.
  await once(socket, 'readable')
  await expect.poll(() => impatient.countConnections()).toBe(0)
  socket.resume()
  await closed
})

describe('limits', () => {
  test('are answered with the time to wait', async () => {
    const { token } = await app.register()
    const ask = () => app.call('/api/user?action=export', { token })
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    const refused = await ask()
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', error: 'Too many requests. Please wait a moment.' },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  })

  test('go by the address that the proxy saw, not by what the client wrote', async () => {
    const person = await app.register()
    const { token } = person
    const openedFrom = async () =>
      (await app.call('/api/auth?action=sessions', { token })).body.sessions[0].address
    expect(await openedFrom()).toBe('127.0.0.1')
    const mail = { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse' }
    const spoofed = await app.call('/api/auth?action=register', {
      json: { ...mail, username: 'Spoofer' },
      headers: { 'x-forwarded-for': '203.0.113.66, 198.51.100.4' },
    })
    const { body } = await app.call('/api/auth?action=sessions', { token: spoofed.body.token })
    expect(body.sessions[0].address).toBe('198.51.100.4')
  })
})
