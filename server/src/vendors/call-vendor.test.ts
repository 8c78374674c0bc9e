import { describe, expect, test } from 'vitest'
import { askVendor, callVendor, readRetryAfterMs } from './call-vendor.ts'
import { HostedError } from './hosted-error.ts'

const signal = new AbortController().signal

async function call(
  fetch: typeof globalThis.fetch,
  { headers = {}, ...options }: Partial<Parameters<typeof callVendor>[2]> = {},
) {
  const usual = { timeoutMs: 1_000, bytesMax: 100, signal }
  const api = {
    fetch,
    headers,
    now: () => now,
    errorOf,
    isSuccess: (status: number) => status < 300,
  }
  return callVendor(api, 'https://vendor.example', { ...usual, ...options })
}
const now = Date.parse('2026-11-20T12:00:00Z')
const errorOf = (status: number, body: unknown, retryAfterMs: number | undefined) =>
  new HostedError('provider_busy', `${status} ${JSON.stringify(body)}`, { retryAfterMs })
const fail = (error: unknown) => async () => {
  throw error
}
const withCode = (code: unknown) => Object.assign(new Error('broken'), { code })

describe('a call to a vendor', () => {
  test('sends what it is given, follows nothing, and reads the answer as JSON', async () => {
    let asked: RequestInit | undefined
    const answer = await call(
      async (_url, init) => {
        asked = init
        return new Response('{"a":1}', { status: 202 })
      },
      { body: { hello: 1 }, headers: { authorization: 'Key k' } },
    )
    expect(answer).toEqual({ status: 202, body: { a: 1 }, failure: undefined })
    expect(asked).toMatchObject({
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: 'Key k',
      },
      body: '{"hello":1}',
      redirect: 'manual',
    })
  })

  test('sends a form as one', async () => {
    const body = new FormData()
    let asked: RequestInit | undefined
    await call(
      async (_url, init) => {
        asked = init
        return new Response()
      },
      { body },
    )
    expect(asked).toMatchObject({ method: 'POST', body, headers: { accept: 'application/json' } })
    expect(asked?.headers).not.toHaveProperty('content-type')
  })

  test('tells what an answer means that is no success', async () => {
    const busy = async () =>
      Response.json({ a: 1 }, { status: 429, headers: { 'retry-after': '7' } })
    const meant = { kind: 'provider_busy', message: '429 {"a":1}', retryAfterMs: 7_000 }
    expect((await call(busy)).failure).toMatchObject(meant)
    const api = { fetch: busy, now: () => now, errorOf }
    const asked = askVendor(api, 'https://vendor.example', { signal })
    await expect(asked).rejects.toMatchObject(meant)
  })

  test('has no body where none is given, and none to read where it is no JSON', async () => {
    let asked: RequestInit | undefined
    const answer = await call(async (_url, init) => {
      asked = init
      return new Response('<html>')
    })
    expect(asked).toMatchObject({ method: 'GET' })
    expect(asked).not.toHaveProperty('body')
    expect(answer.body).toBeUndefined()
  })

  test('tells no key again that the vendor repeats', async () => {
    const answer = async (headers: Record<string, string>, text: string) =>
      (await call(async () => Response.json({ error: text }), { headers })).body
    const words = 'the key secret-7 is wrong: secret-7'
    const hidden = { error: 'the key [key] is wrong: [key]' }
    expect(await answer({ authorization: 'Bearer secret-7' }, words)).toEqual(hidden)
    expect(await answer({ 'x-goog-api-key': 'secret-7' }, words)).toEqual(hidden)
    // What is shorter may be a word of an answer.
    expect(await answer({ authorization: 'Key picture' }, 'no picture')).toEqual({
      error: 'no picture',
    })
    expect(await answer({ 'x-other': 'secret-7' }, words)).toEqual({ error: words })
  })

  test('ends with the reason of whoever no longer waits for it', async () => {
    const gone = new AbortController()
    const asked = call(
      (_url, init) =>
        new Promise((_answer, refuse) => {
          init?.signal?.addEventListener('abort', () => refuse(new TypeError('aborted')))
          gone.abort(new Error('nobody waits'))
        }),
      { signal: gone.signal, timeoutMs: 600_000 },
    )
    await expect(asked).rejects.toThrow('nobody waits')
  })

  test('that takes too long may have been accepted', async () => {
    const hang: typeof globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    await expect(call(hang, { timeoutMs: 5 })).rejects.toMatchObject({
      kind: 'timeout',
      message: 'no answer within 5 ms',
      maybeAccepted: true,
      cause: { message: 'aborted' },
    })
    const stop = new AbortController()
    const stopped = call(hang, { signal: stop.signal })
    stop.abort(new Error('stopping'))
    await expect(stopped).rejects.toThrow('stopping')
  })

  test('with an answer that is too long may have been accepted', async () => {
    const answer = (length: number) => call(async () => new Response('1'.repeat(length)))
    expect((await answer(100)).status).toBe(200)
    await expect(answer(101)).rejects.toMatchObject({
      kind: 'unknown',
      maybeAccepted: true,
      cause: expect.any(Error),
    })
  })

  test.for<[string, unknown, string, boolean]>([
    ['was refused', new TypeError('f', { cause: withCode('ECONNREFUSED') }), 'ECONNREFUSED', false],
    ['found no host', new TypeError('f', { cause: withCode('ENOTFOUND') }), 'ENOTFOUND', false],
    ['found no name server', withCode('EAI_AGAIN'), 'EAI_AGAIN', false],
    ['did not come about', withCode('UND_ERR_CONNECT_TIMEOUT'), 'UND_ERR_CONNECT_TIMEOUT', false],
    ['was reset', new TypeError('f', { cause: withCode('ECONNRESET') }), 'ECONNRESET', true],
    ['failed with a number', new TypeError('f', { cause: withCode(7) }), 'broken', true],
    ['failed without a code', new TypeError('f', { cause: new Error('why') }), 'why', true],
    ['failed for a text', new TypeError('fetch failed', { cause: 'x' }), 'fetch failed', true],
    [
      'failed for no error',
      { code: 'ECONNREFUSED', cause: new Error('x') },
      '[object Object]',
      true,
    ],
    ['failed for a word', 'no', 'no', true],
    ['failed for nothing', null, 'null', true],
  ])('whose connection %s', async ([, error, cause, maybeAccepted]) => {
    await expect(call(fail(error))).rejects.toMatchObject({
      kind: 'provider_down',
      message: `the connection failed: ${cause}`,
      maybeAccepted,
      cause: error,
    })
  })
})

describe('Retry-After', () => {
  const read = (value: string) => readRetryAfterMs(new Headers({ 'retry-after': value }), now)

  test.for<[string, number | undefined]>([
    ['0', 0],
    ['7', 7_000],
    ['12', 12_000],
    ['60', 60_000],
    ['61', 60_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
    ['Fri, 20 Nov 2026 13:00:00 GMT', 60_000],
    ['soon', undefined],
    ['1e3', undefined],
  ])('%s is %s milliseconds', ([value, ms]) => {
    expect(read(value)).toBe(ms)
  })

  test('that is not there says nothing', () => {
    expect(readRetryAfterMs(new Headers(), now)).toBeUndefined()
  })
})
