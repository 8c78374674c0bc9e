import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { recogniseDevice } from './device.ts'

const digest = (text: string) => hash('sha256', text, 'buffer')
const known = 'a'.repeat(22)

function recognise(
  headers: Record<string, string>,
  { ip = '10.0.0.1', isHttps = true }: { ip?: string; isHttps?: boolean } = {},
) {
  const set: string[] = []
  const reply = { header: (_name: string, value: string) => set.push(value) }
  const device = recogniseDevice(
    { headers, ip } as unknown as FastifyRequest,
    reply as unknown as FastifyReply,
    { digest, isHttps, randomBytes: (size) => Buffer.alloc(size, 1) },
  )
  return { device, cookie: set[0] }
}

test.each([`device=${known}`, `other=1; device=${known}`, `other=1;device=${known}; more=2`])(
  'a browser is known by its cookie: %s',
  (cookie) => {
    const { device, cookie: renewed } = recognise({ cookie })
    expect(device.hash).toEqual(digest(`cookie ${known}`))
    expect(renewed).toContain(`device=${known};`)
  },
)

test.each([
  '',
  `device=${known}b`,
  `device=${known.slice(1)}`,
  `mydevice=${known}`,
  `device=${known}"`,
  `${'x'.repeat(4_000)}; device=${known}`,
])('what is no cookie of ours is replaced: %s', (cookie) => {
  const fresh = Buffer.alloc(16, 1).toString('base64url')
  const { device, cookie: set } = recognise({ cookie })
  expect(device.hash).toEqual(digest(`cookie ${fresh}`))
  expect(set).toBe(`device=${fresh}; Path=/api; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure`)
})

test('over plain HTTP the cookie is set without Secure, as browsers would drop it', () => {
  expect(recognise({}, { isHttps: false }).cookie).toMatch(/SameSite=Lax$/)
})

test('without cookies a program is known by its name and network', () => {
  const fallback = (agent: string | undefined, ip: string) =>
    recognise(agent === undefined ? {} : { 'user-agent': agent }, { ip }).device.fallbackHash
  expect(fallback('curl', '10.0.0.1')).toEqual(fallback('curl', '10.0.0.9'))
  expect(fallback('curl', '10.0.0.1')).not.toEqual(fallback('curl', '10.0.1.1'))
  expect(fallback('curl', '10.0.0.1')).not.toEqual(fallback('wget', '10.0.0.1'))
  expect(fallback(undefined, '10.0.0.1')).toEqual(fallback('', '10.0.0.1'))
})
