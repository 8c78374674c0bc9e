import { expect, test } from 'vitest'
import { createHostCookie } from './host-cookie.ts'

const over = (publicUrl: string, sameSite: 'Strict' | 'Lax' = 'Strict') =>
  createHostCookie('guest-gala', { publicUrl }, sameSite)
const read = (cookie: string | undefined, publicUrl = 'https://selfie.example') =>
  over(publicUrl).read({ headers: { cookie } } as never)

/** The header that is set. */
function written(publicUrl: string, sameSite: 'Strict' | 'Lax', seconds: number): unknown {
  const headers: unknown[] = []
  const reply = { header: (...header: unknown[]) => headers.push(header) }
  over(publicUrl, sameSite).set(reply as never, 'token', seconds)
  return headers
}

test('a cookie is this host’s alone over https, and out of reach of scripts everywhere', () => {
  expect(written('https://selfie.example', 'Strict', 60)).toEqual([
    [
      'set-cookie',
      '__Host-guest-gala=token; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    ],
  ])
  expect(written('http://localhost:3000', 'Lax', 0)).toEqual([
    ['set-cookie', 'guest-gala=token; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'],
  ])
})

test('its value is read among others, as far as it can be one of ours', () => {
  expect(read('__Host-guest-gala=a.b_c-1')).toBe('a.b_c-1')
  expect(read('a=1; __Host-guest-gala=token; b=2')).toBe('token')
  expect(read('guest-gala=token', 'http://localhost')).toBe('token')
  const foreign = [
    undefined,
    '',
    'guest-gala=token',
    'x__Host-guest-gala=token',
    '__Host-guest-gala-2=token',
    '__Host-guest-gala=',
    '__Host-guest-gala=a b',
    '__Host-guest-gala="token"',
    `__Host-guest-gala=${'x'.repeat(401)}`,
    `${'a=1; '.repeat(800)}__Host-guest-gala=token`,
  ]
  for (const cookie of foreign) expect(read(cookie)).toBeUndefined()
  expect(read(`__Host-guest-gala=${'x'.repeat(400)}`)).toHaveLength(400)
})

test('a name is letters, whatever they would mean in a pattern', () => {
  const cookie = createHostCookie('(a+)+b', { publicUrl: 'http://localhost' }, 'Lax')
  const readFrom = (text: string) => cookie.read({ headers: { cookie: text } } as never)
  expect(readFrom('(a+)+b=token')).toBe('token')
  expect(readFrom(`${'a'.repeat(60)}=token`)).toBeUndefined()
})
