import { once } from 'node:events'
import Fastify from 'fastify'
import { EngineCrashedError } from '@starside/engine/engine-crashed-error.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { S3Error } from '../storage/s3-store.ts'
import { installErrorAnswers } from './error-answers.ts'
import { goneSignal } from './gone-signal.ts'
import { collectRoutes } from './known-routes.ts'

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(`it says ${code}`), { code, ...more })
const ofDatabase = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })

/** What a call answers whose handler throws this, and how often a full disk was noted. */
async function answerOf(error: unknown) {
  await using app = Fastify()
  let fullDisks = 0
  installErrorAnswers(app, collectRoutes(app), { onDiskFull: () => (fullDisks += 1) })
  app.get('/api/call', () => Promise.reject(error))
  const { statusCode, headers, body } = await app.inject('/api/call')
  return {
    status: statusCode,
    body: JSON.parse(body),
    retryAfter: headers['retry-after'],
    fullDisks,
  }
}

test.each([
  ['a call that overran its time', new DOMException('late', 'TimeoutError')],
  ['a store that may do better soon', new S3Error('it answered 503', { isTransient: true })],
  ['a process of the engine that died', new EngineCrashedError('exit')],
  ['a service that nobody answers for', coded('ECONNREFUSED')],
  ['a database that ends connections', ofDatabase('57P01')],
  ['two changes that wait for each other', ofDatabase('40P01')],
  ['a pool without a connection', new Error('timeout exceeded when trying to connect')],
  ['a connection that was lost', new Error('Connection terminated unexpectedly')],
  ['what comes of such', new Error('it failed', { cause: coded('ECONNRESET') })],
])('%s is an outage, after which a new try makes sense in five seconds', async (_what, error) => {
  expect(await answerOf(error)).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { success: false, code: 'unavailable' },
  })
})

test.each([
  ['a store that refuses for good', new S3Error('it answered 403', { isTransient: false })],
  ['a statement that is wrong', ofDatabase('42601')],
  ['a code that merely begins as one of PostgreSQL’s', coded('08SOMETHING')],
  ['a mistake of ours', new TypeError('x is undefined')],
  ['what comes of one', new Error('it failed', { cause: new TypeError('x is undefined') })],
  ['something that is no error', 'a text'],
])('%s is a fault of ours, told without its words', async (_what, error) => {
  const { status, body, retryAfter } = await answerOf(error)
  expect([status, body.code, retryAfter]).toEqual([500, 'internal', undefined])
  expect(body.error).not.toMatch(/answered|undefined|says|text/)
})

test.each([
  coded('ENOSPC'),
  coded('EDQUOT'),
  ofDatabase('53100'),
  new Error('no', { cause: coded('ENOSPC') }),
])('a full disk is noted, ours as the database’s: %s', async (error) => {
  expect(await answerOf(error)).toMatchObject({ status: 503, fullDisks: 1 })
})

test('a disk is full neither after another outage nor after a refusal', async () => {
  expect(await answerOf(coded('EMFILE'))).toMatchObject({ status: 503, fullDisks: 0 })
  expect(await answerOf(new AppError('not_found'))).toMatchObject({ status: 404, fullDisks: 0 })
})

test('what the framework refuses of a request is the caller’s fault, as is a text with U+0000', async () => {
  const refused = async (error: unknown) => {
    const { status, body } = await answerOf(error)
    return [status, body.code]
  }
  expect(await refused(coded('FST_ERR_OF_LATER', { statusCode: 418 }))).toEqual([
    400,
    'invalid_request',
  ])
  expect(await refused(ofDatabase('22021'))).toEqual([400, 'invalid_request'])
  expect(await refused(coded('FST_ERR_CTP_BODY_TOO_LARGE', { statusCode: 413 }))).toEqual([
    413,
    'body_too_large',
  ])
  expect(await refused(new Error('Multipart: Boundary not found'))).toEqual([
    400,
    'invalid_request',
  ])
  expect(await refused(coded('LATER', { statusCode: 502 }))).toEqual([500, 'internal'])
})

test('a refusal says which photo it is about, and which selfie is there already', async () => {
  const { body } = await answerOf(
    new AppError('already_made', { photo: 'star', generationId: 'selfie-1' }),
  )
  expect(body).toMatchObject({ success: false, photo: 'star', generationId: 'selfie-1' })
})

test('a link to a page that there is not leads to the landing page, and nothing else does', async () => {
  await using app = Fastify()
  installErrorAnswers(app, collectRoutes(app))
  app.get('/page/:id', async () => 'here')
  const page = { accept: 'text/html,application/xhtml+xml' }
  const ask = async (
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string> = page,
  ) => {
    const { statusCode, headers: answered } = await app.inject({ method, url, headers })
    return [statusCode, answered['location'] ?? answered['allow']]
  }
  expect(await ask('GET', '/nothing?a=1')).toEqual([302, '/#unknown-page'])
  expect(await ask('GET', '/page/1/more')).toEqual([302, '/#unknown-page'])
  expect(await ask('GET', '/api/nothing')).toEqual([404, undefined])
  expect(await ask('POST', '/nothing')).toEqual([404, undefined])
  expect(await ask('GET', '/nothing', { accept: 'image/png' })).toEqual([404, undefined])
  expect(await ask('POST', '/page/1?a=1')).toEqual([405, 'OPTIONS, GET, HEAD'])
})

test('a client that leaves while it waits is no failure of ours', async () => {
  const lines: string[] = []
  await using app = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  installErrorAnswers(app, collectRoutes(app))
  const leaving = new AbortController()
  app.get('/api/call', async (_request, reply) => {
    leaving.abort()
    const signal = goneSignal(reply)
    if (!signal.aborted) await once(signal, 'abort')
    signal.throwIfAborted()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await expect(fetch(`${url}/api/call`, { signal: leaving.signal })).rejects.toThrow()
  await expect.poll(() => lines.join('')).toContain('the client left while it waited')
  expect(lines.join('')).not.toContain('request failed')
})
