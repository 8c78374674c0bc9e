import type { Aspect } from '@starside/engine/image-provider.ts'
import { describe, expect, test } from 'vitest'
import { HostedError } from '../hosted-error.ts'
import { openCatalogue } from '../models/model-catalogue.ts'
import { googleError, readGooglePicture } from './google-provider.ts'
import { imageVendors } from '../image-vendors.ts'

const photo = (mediaType: 'image/png' | 'image/jpeg', text: string) => ({
  bytes: Buffer.from(text),
  mediaType,
  widthPx: 10,
  heightPx: 10,
  hasMatte: false,
})
const request = {
  prompt: 'a selfie',
  userPhoto: photo('image/jpeg', 'me'),
  starPhotos: [photo('image/png', 'star')],
  aspect: '4:5',
  count: 1,
} as const
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(20)])
const signal = new AbortController().signal

/** A provider whose vendor answers so, and how it was asked. */
function openGoogle(
  answer: () => Response,
  env: { GOOGLE_BASE_URL?: string } = {},
  own: object = {},
) {
  const asked: { url: string; init: RequestInit }[] = []
  const { photosGoTo, openProvider } = imageVendors.google.configure({
    GOOGLE_API_KEY: 'the key',
    GOOGLE_BASE_URL: env.GOOGLE_BASE_URL,
  })
  const provider = openProvider({
    card: { ...openCatalogue().find('google', 'gemini-3-pro-image'), ...own },
    timeoutMs: 5_000,
    fetch: async (input, init) => {
      asked.push({ url: input instanceof Request ? input.url : String(input), init: init ?? {} })
      return answer()
    },
    resolveHost: async () => [],
    now: () => 0,
    priceMicroUsd: undefined,
  })
  if (provider.kind !== 'direct') throw new Error('it answers with the picture')
  return { asked, photosGoTo, provider }
}
const answerOf = (...parts: object[]) => ({ candidates: [{ content: { parts } }] })
const inline = (data: unknown, more: object = {}) => ({ inlineData: { data }, ...more })

describe('a request to Google', () => {
  test('has the prompt, all photos in order and the shape, and answers the picture', async () => {
    const answer = answerOf({ text: 'Here it is' }, inline(jpeg.toString('base64')))
    const { asked, provider } = openGoogle(() => Response.json(answer))
    const wish = {
      ...request,
      starPhotos: [photo('image/png', 'star'), photo('image/jpeg', 'second')],
      backgroundPhoto: photo('image/jpeg', 'sea'),
      aspect: '9:16' as Aspect,
    }
    const [made] = await provider.generate(wish, signal)
    expect(Buffer.from(made ?? []).equals(jpeg)).toBe(true)
    expect(asked[0]?.url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-image:generateContent',
    )
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'x-goog-api-key': 'the key', 'content-type': 'application/json' },
    })
    const sent = (mimeType: string, text: string) => ({
      inlineData: { mimeType, data: Buffer.from(text).toString('base64') },
    })
    const { body } = asked[0]!.init
    expect(typeof body === 'string' ? JSON.parse(body) : body).toEqual({
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'a selfie' },
            sent('image/jpeg', 'me'),
            sent('image/png', 'star'),
            sent('image/jpeg', 'second'),
            sent('image/jpeg', 'sea'),
          ],
        },
      ],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '9:16' },
      },
    })
  })

  test('has its model’s own fields, and no shape where its card has none', async () => {
    const own = { shape: undefined, fields: { imageSize: '1K' } }
    const { asked, provider } = openGoogle(() => Response.json({}), {}, own)
    await expect(provider.generate(request, signal)).rejects.toThrow('no picture')
    expect(asked[0]?.init.body).toContain('"imageConfig":{"imageSize":"1K"}')
  })

  test('that is refused has the kind of its status and the time to wait', async () => {
    const headers = { 'retry-after': '9' }
    const { provider } = openGoogle(() => Response.json({}, { status: 429, headers }))
    const refusal = { kind: 'provider_busy', retryAfterMs: 9_000 }
    await expect(provider.generate(request, signal)).rejects.toMatchObject(refusal)
    await expect(provider.probe(signal)).rejects.toMatchObject(refusal)
  })

  test('goes to another address where one is set, and a probe asks for the model alone', async () => {
    const { asked, photosGoTo, provider } = openGoogle(() => Response.json({}), {
      GOOGLE_BASE_URL: 'https://gemini.example/v1/',
    })
    expect(photosGoTo).toBe('https://gemini.example/v1')
    await provider.probe(signal)
    expect(asked[0]?.url).toBe('https://gemini.example/v1/models/gemini-3-pro-image')
    expect(asked[0]?.init).toMatchObject({
      method: 'GET',
      headers: { 'x-goog-api-key': 'the key' },
    })
  })

  test('needs a key', () => {
    const env = { GOOGLE_API_KEY: undefined, GOOGLE_BASE_URL: undefined }
    expect(() => imageVendors.google.configure(env)).toThrow('GOOGLE_API_KEY is missing')
  })
})

describe('Google’s answer', () => {
  test('has its picture last, and drafts of the model’s thinking are none', () => {
    expect(readGooglePicture(answerOf(inline('one'), inline('two'), inline('')))).toBe('two')
    const draft = inline('draft', { thought: true })
    expect(readGooglePicture(answerOf(inline('one', { thought: false }), draft))).toBe('one')
    expect(readGooglePicture(answerOf({ text: 'words' }, inline('one'), inline(7)))).toBe('one')
    const second = { content: { parts: [inline('second')] } }
    const first = { content: { parts: [inline('first')] } }
    expect(readGooglePicture({ candidates: [first, second] })).toBe('first')
  })

  test('that blocks the request says why', () => {
    const body = { ...answerOf(inline('one')), promptFeedback: { blockReason: 'OTHER' } }
    expect(errorOf(body)).toMatchObject({
      kind: 'policy_refused',
      message: 'the request was blocked: OTHER',
    })
  })

  test.for([
    'SAFETY',
    'IMAGE_SAFETY',
    'PROHIBITED_CONTENT',
    'IMAGE_PROHIBITED_CONTENT',
    'RECITATION',
    'IMAGE_RECITATION',
    'BLOCKLIST',
    'SPII',
    'NO_IMAGE',
  ])('without a picture that ends by %s is a refusal', (finishReason) => {
    expect(errorOf({ candidates: [{ finishReason }] })).toMatchObject({
      kind: 'policy_refused',
      message: `the answer has no picture: ${finishReason}`,
    })
  })

  test.for(['STOP', 'NO_SAFETY', 'SAFETY_OFF', 'MY_BLOCKLIST', 'BLOCKLISTED', 'XSPII', 'SPIIX'])(
    'without a picture that ends by %s is none',
    (finishReason) => {
      expect(errorOf({ candidates: [{ finishReason }] }).kind).toBe('unknown')
    },
  )

  test.for([
    undefined,
    {},
    { candidates: {} },
    { candidates: [] },
    { candidates: [{ finishReason: 7 }] },
    { candidates: [{ content: { parts: {} } }], promptFeedback: { blockReason: 7 } },
    answerOf({ inlineData: null }),
  ])('%j has no picture and gives no reason', (body) => {
    expect(errorOf(body)).toMatchObject({
      kind: 'unknown',
      message: 'the answer has no picture: no reason given',
    })
  })

  function errorOf(body: unknown): HostedError {
    try {
      readGooglePicture(body)
    } catch (error) {
      if (error instanceof HostedError) return error
    }
    throw new Error('it has a picture')
  }
})

describe('an error of Google', () => {
  const error = (message: string) => ({ error: { status: 'WORD', message } })
  test.for([
    [400, 'no such field', 'bad_input', false],
    [413, 'too large', 'bad_input', false],
    [400, 'API key not valid', 'provider_down', false],
    [400, 'bad apikey', 'provider_down', false],
    [413, 'User location is not supported', 'provider_down', false],
    [400, 'Enable billing', 'provider_down', false],
    [403, 'forbidden', 'provider_down', false],
    [404, 'no such field', 'provider_down', false],
    [408, '', 'timeout', true],
    [504, '', 'timeout', true],
    [429, '', 'provider_busy', false],
    [503, '', 'provider_busy', false],
    [499, '', 'provider_down', false],
    [500, '', 'provider_down', true],
  ] as const)('%i "%s" is %s, perhaps accepted: %s', ([status, words, kind, maybeAccepted]) => {
    expect(googleError(status, error(words))).toMatchObject({
      kind,
      maybeAccepted,
      message: `Google answered ${status}: WORD ${words}`.trim(),
    })
  })

  test('keeps no words that are none', () => {
    const body = { error: { status: 7, message: {} } }
    expect(googleError(500, body).message).toBe('Google answered 500:')
  })

  test('says how long to wait by its header, or else by its details, a minute at most', () => {
    const details = (...entries: unknown[]) => ({ error: { details: entries } })
    const waitMs = (body: object, ofHeader?: number) =>
      googleError(429, body, ofHeader).retryAfterMs
    expect(waitMs(details({ retryDelay: '13s' }), 5)).toBe(5)
    expect(waitMs(details({ reason: 'x' }, { retryDelay: 7 }, { retryDelay: '13s' }))).toBe(13_000)
    expect(waitMs(details({ retryDelay: '0.25s' }))).toBe(250)
    expect(waitMs(details({ retryDelay: '1.5s' }))).toBe(1_500)
    expect(waitMs(details({ retryDelay: '123456s' }))).toBe(60_000)
    for (const odd of ['1234567s', '13', 'in 13s', '13s later', '13.s', 's', '1x5s']) {
      expect(waitMs(details({ retryDelay: odd })), odd).toBeUndefined()
    }
    expect(waitMs({ error: { details: { retryDelay: '13s' } } })).toBeUndefined()
    expect(waitMs(details())).toBeUndefined()
  })
})
