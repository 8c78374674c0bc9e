import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { eventHeader } from '@starside/contract/event-formats.ts'
import { readBearerToken, readOrigin, readOwnEvent } from './session.ts'
import { verifyDecoy } from './password.ts'

const request = (headers: object) => ({ headers, ip: '10.0.0.1' }) as FastifyRequest

test.each([
  ['Bearer abc', 'abc'],
  ['bearer a_b~c+d/e.f-g==', 'a_b~c+d/e.f-g=='],
  [`Bearer ${'a'.repeat(200)}`, 'a'.repeat(200)],
  [`Bearer ${'a'.repeat(201)}`, undefined],
  ['xBearer abc', undefined],
  ['Bearer abc def', undefined],
  ['Bearer ', undefined],
  ['Basic abc', undefined],
  [undefined, undefined],
])('the token of %s is %s', (authorization, token) => {
  expect(readBearerToken(request({ authorization }))).toBe(token)
})

test('an origin is an address and a program in two hundred characters', () => {
  expect(readOrigin(request({}))).toEqual({ address: '10.0.0.1', userAgent: '' })
  expect(readOrigin(request({ 'user-agent': 'x'.repeat(201) })).userAgent).toBe('x'.repeat(200))
})

test.each([
  ['gala-2', 'gala-2'],
  ['(a+)+b', undefined],
  ['(', undefined],
  ['Gala', undefined],
  [undefined, undefined],
])('the header %s names the event %s', (name, event) => {
  expect(readOwnEvent(request({ [eventHeader]: name }))).toBe(event)
  expect(readOwnEvent(request({ [eventHeader]: name, 'sec-fetch-site': 'cross-site' }))).toBe(
    undefined,
  )
})

test('nobody’s password is never right, even if it is said', async () => {
  expect(await verifyDecoy('nobody has this password')).toBe(false)
  expect(await verifyDecoy('a guess')).toBe(false)
})
