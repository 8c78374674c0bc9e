import { createHmac, hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { recogniseDevice, setDeviceCookie } from './device.ts'
import type { DeviceOptions } from './device.ts'

const digest = (text: string) => hash('sha256', text, 'buffer')
const sign = (text: string, key = 'our key') => createHmac('sha256', key).update(text).digest()
const fresh = Buffer.alloc(16, 1).toString('base64url')
const [browserId, id] = ['b'.repeat(22), 'a'.repeat(22)]
const cookieOf = (ids = `${browserId}.${id}`, key?: string) =>
  `${ids}.${sign(ids, key).toString('base64url')}`

const https: DeviceOptions = {
  digest,
  sign: (text) => sign(text),
  publicUrl: 'https://selfie.example',
  randomBytes: (size) => Buffer.alloc(size, 1),
}

const recognise = (headers: Record<string, string>, { ip = '10.0.0.1', options = https } = {}) =>
  recogniseDevice({ headers, ip } as unknown as FastifyRequest, options)

test.each([
  `__Host-device=${cookieOf()}`,
  `other=1; __Host-device=${cookieOf()}`,
  `other=1;__Host-device=${cookieOf()}; more=2`,
])('a browser is known by its cookie: %s', (cookie) => {
  const device = recognise({ cookie })
  expect(device.shown).toEqual({ hash: digest(`cookie ${id}`), cookie: cookieOf() })
  expect(device.browserHash).toEqual(digest(`browser ${browserId}`))
  // An account that doesn't know it gives it another id; what stays, stays.
  expect(device.fresh).toEqual({
    hash: digest(`cookie ${fresh}`),
    cookie: cookieOf(`${browserId}.${fresh}`),
  })
})

test.each([
  '',
  `__Host-device=${id}`,
  `device=${cookieOf()}`,
  `__Host-device=${cookieOf(undefined, 'another key')}`,
  `__Host-device=${cookieOf().slice(0, -1)}`,
  `__Host-device=${cookieOf().replace('a', 'c')}`,
  `__Host-device=${cookieOf().replace('b', 'c')}`,
  `__Host-device=${cookieOf()}x`,
  `my__Host-device=${cookieOf()}`,
  `__Host-device=${cookieOf()}"`,
  `${'x'.repeat(4_000)}; __Host-device=${cookieOf()}`,
])('what is no cookie of ours is nobody’s: %s', (cookie) => {
  const device = recognise({ cookie })
  expect(device.shown).toBeUndefined()
  expect(device.browserHash).toEqual(digest(`browser ${fresh}`))
})

test('the cookie is for this host alone; over plain HTTP without what browsers would drop', () => {
  const set = (publicUrl: string) => {
    let text = ''
    const reply = { header: (_name: string, value: string) => (text = value) }
    setDeviceCookie(reply as unknown as FastifyReply, recognise({}).fresh, { publicUrl })
    return text
  }
  const cookie = cookieOf(`${fresh}.${fresh}`)
  expect(set(https.publicUrl)).toBe(
    `__Host-device=${cookie}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(set('http://host')).toBe(
    `device=${cookie}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax`,
  )
  const options = { ...https, publicUrl: 'http://host' }
  expect(recognise({ cookie: `device=${cookie}` }, { options }).shown?.cookie).toBe(cookie)
})

test('without cookies a program is known by its name and network', () => {
  const fallback = (agent: string | undefined, ip: string) =>
    recognise(agent === undefined ? {} : { 'user-agent': agent }, { ip }).fallbackHash
  expect(fallback('curl', '10.0.0.1')).toEqual(fallback('curl', '10.0.0.9'))
  expect(fallback('curl', '10.0.0.1')).not.toEqual(fallback('curl', '10.0.1.1'))
  expect(fallback('curl', '10.0.0.1')).not.toEqual(fallback('wget', '10.0.0.1'))
  expect(fallback(undefined, '10.0.0.1')).toEqual(fallback('', '10.0.0.1'))
})
