import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { imageVendors } from '../image-vendors.ts'
import { createFalWebhookVerifier, falKeySetUrl, readFalWebhook } from './fal-webhook.ts'

const now = Date.UTC(2026, 10, 20)
const body = Buffer.from(
  '{"request_id":"r1","status":"OK","payload":{"images":[{"url":"https://v3.fal.media/a.jpg"}]}}',
)
const signal = new AbortController().signal

function headersFor(key: KeyObject, change: { atMs?: number; body?: Buffer } = {}) {
  const timestamp = String(Math.floor((change.atMs ?? now) / 1000))
  const hash = createHash('sha256')
    .update(change.body ?? body)
    .digest('hex')
  const message = Buffer.from(['r1', 'u1', timestamp, hash].join('\n'))
  return {
    'x-fal-webhook-request-id': 'r1',
    'x-fal-webhook-user-id': 'u1',
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, message, key).toString('hex'),
  }
}

/** A verifier whose key set is served by the test. */
function openVerifier(sets: KeyObject[][]) {
  let time = now
  let fetches = 0
  const verifier = createFalWebhookVerifier({
    keySetUrl: 'https://rest.fal.ai/.well-known/jwks.json',
    now: () => time,
    fetch: async () => {
      const keys = sets[Math.min(fetches, sets.length - 1)] ?? []
      fetches += 1
      return Response.json({
        keys: [
          { kty: 'RSA', n: 'x', e: 'AQAB' },
          ...keys.map((key) => key.export({ format: 'jwk' })),
        ],
      })
    },
  })
  return { verifier, pass: (ms: number) => (time += ms), fetches: () => fetches }
}

const mine = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

test('a body signed by any key of the set within five minutes is taken', async () => {
  const { verifier } = openVerifier([[other.publicKey, mine.publicKey]])
  expect(await verifier.verify(headersFor(mine.privateKey), body, signal)).toBe(true)
  const early = headersFor(mine.privateKey, { atMs: now - 299_000 })
  expect(await verifier.verify(early, body, signal)).toBe(true)
})

test('everything else is refused, and no key is fetched for what can’t be a signature', async () => {
  const { verifier, fetches } = openVerifier([[mine.publicKey]])
  const good = headersFor(mine.privateKey)
  const old = headersFor(mine.privateKey, { atMs: now - 301_000 })
  const future = headersFor(mine.privateKey, { atMs: now + 301_000 })
  for (const headers of [{}, old, future, { ...good, 'x-fal-webhook-signature': 'zz' }]) {
    expect(await verifier.verify(headers, body, signal)).toBe(false)
  }
  expect(fetches()).toBe(0)
  expect(await verifier.verify(good, Buffer.from(`${body.toString()} `), signal)).toBe(false)
  expect(await verifier.verify(headersFor(other.privateKey), body, signal)).toBe(false)
  const renamed = { ...good, 'x-fal-webhook-user-id': 'u2' }
  expect(await verifier.verify(renamed, body, signal)).toBe(false)
})

test('keys are kept for a day, and a new one is looked for once a minute at most', async () => {
  const { verifier, pass, fetches } = openVerifier([[other.publicKey], [mine.publicKey]])
  const verify = () => verifier.verify(headersFor(mine.privateKey), body, signal)
  expect([await verify(), await verify(), fetches()]).toEqual([false, false, 1])
  pass(61_000)
  expect([await verify(), await verify(), fetches()]).toEqual([true, true, 2])
})

test('what a webhook says is read, or told to be none', () => {
  expect(readFalWebhook(body)).toMatchObject({
    requestId: 'r1',
    end: { state: 'pictures', urls: ['https://v3.fal.media/a.jpg'] },
  })
  const error = { request_id: 'r1', status: 'ERROR', error: 'Unexpected status code: 422' }
  const payload = { detail: [{ type: 'content_policy_violation', msg: 'no' }] }
  const news = readFalWebhook(Buffer.from(JSON.stringify({ ...error, payload })))
  expect(news?.end).toMatchObject({ state: 'failed', error: { kind: 'policy_refused' } })
  expect(readFalWebhook(Buffer.from('[]'))).toBeUndefined()
  expect(readFalWebhook(Buffer.from('<p>'))).toBeUndefined()
})

test('the time of a signature counts to the second, and every header has its form', async () => {
  const { verifier } = openVerifier([[mine.publicKey]])
  const edge = (atMs: number) =>
    verifier.verify(headersFor(mine.privateKey, { atMs }), body, signal)
  expect([await edge(now - 300_000), await edge(now + 300_000)]).toEqual([true, true])
  const good = headersFor(mine.privateKey)
  const signature = good['x-fal-webhook-signature']
  const timestamp = good['x-fal-webhook-timestamp']
  const bad: [string, string | string[] | undefined][] = [
    ['request-id', undefined],
    ['request-id', ['r1']],
    ['user-id', undefined],
    ['user-id', ['u1']],
    ['timestamp', undefined],
    ['timestamp', [timestamp]],
    ['timestamp', ` ${timestamp}`],
    ['timestamp', `${timestamp} `],
    ['signature', undefined],
    ['signature', [signature]],
    ['signature', `00${signature}`],
    ['signature', `${signature}00`],
  ]
  for (const [name, value] of bad) {
    const headers = { ...good, [`x-fal-webhook-${name}`]: value }
    expect([name, value, await verifier.verify(headers, body, signal)]).toEqual([
      name,
      value,
      false,
    ])
  }
  const upper = { ...good, 'x-fal-webhook-signature': signature.toUpperCase() }
  expect(await verifier.verify(upper, body, signal)).toBe(true)
})

test('the keys are fal’s, unless the operator names another address of them', async () => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : input.toString())
    return Response.json({ keys: [mine.publicKey.export({ format: 'jwk' })] })
  }
  for (const keySetUrl of [undefined, 'https://keys.example/set.json']) {
    const env = { FAL_KEY: 'k', FAL_QUEUE_URL: undefined, FAL_KEY_SET_URL: keySetUrl }
    const verifier = imageVendors.fal.configure(env).openWebhooks?.({ fetch, now: () => now })
    expect(await verifier?.verify(headersFor(mine.privateKey), body, signal)).toBe(true)
  }
  expect(asked).toEqual([falKeySetUrl, 'https://keys.example/set.json'])
})

test('a key set that can’t be read is an error, and of one that can only its Ed25519 keys count', async () => {
  const verifyWith = (answer: () => Response) => {
    const keySetUrl = 'https://rest.fal.ai/.well-known/jwks.json'
    const parts = { keySetUrl, now: () => now, fetch: async () => answer() }
    return createFalWebhookVerifier(parts).verify(headersFor(mine.privateKey), body, signal)
  }
  await expect(verifyWith(() => new Response('', { status: 503 }))).rejects.toMatchObject({
    kind: 'provider_down',
    message: 'the key set answers 503',
  })
  await expect(verifyWith(() => Response.json({ keys: 'none' }))).rejects.toMatchObject({
    kind: 'unknown',
    message: 'the key set is not as expected',
  })
  const key = mine.publicKey.export({ format: 'jwk' })
  const set =
    (...keys: unknown[]) =>
    () =>
      Response.json({ keys })
  expect(await verifyWith(set(key))).toBe(true)
  const others = [
    { ...key, kty: 'EC' },
    { ...key, crv: 'X25519' },
    { ...key, x: 7 },
    { ...key, x: 'short' },
    null,
  ]
  for (const unfit of others) expect(await verifyWith(set(unfit))).toBe(false)
  expect(await verifyWith(set(...others, key))).toBe(true)
  expect(await verifyWith(set(...Array(19).fill(null), key))).toBe(true)
  expect(await verifyWith(set(...Array(20).fill(null), key))).toBe(false)
})

test('keys are asked for again after a day, once for all who wait', async () => {
  const { verifier, pass, fetches } = openVerifier([[mine.publicKey]])
  const verifyAt = (atMs: number) =>
    verifier.verify(headersFor(mine.privateKey, { atMs }), body, signal)
  await Promise.all([verifyAt(now), verifyAt(now)])
  expect(fetches()).toBe(1)
  const dayMs = 24 * 60 * 60_000
  pass(dayMs)
  await verifyAt(now + dayMs)
  expect(fetches()).toBe(1)
  pass(1)
  await verifyAt(now + dayMs)
  expect(fetches()).toBe(2)
})

test('a webhook’s earlier id and its error are read where they are texts', () => {
  const read = (more: object) =>
    readFalWebhook(Buffer.from(JSON.stringify({ request_id: 'r1', ...more })))
  expect(read({ gateway_request_id: 'g1' })?.earlierRequestId).toBe('g1')
  expect(read({ gateway_request_id: 7 })?.earlierRequestId).toBeUndefined()
  const failure = (error: unknown) => read({ status: 'ERROR', error })?.end
  expect(failure('the machine exploded')).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('the machine exploded') },
  })
  expect(failure(7)).not.toMatchObject({ error: { message: expect.stringContaining('7') } })
  for (const text of ['null', '7', '"x"']) {
    expect(readFalWebhook(Buffer.from(text))).toBeUndefined()
  }
})
