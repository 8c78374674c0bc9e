import { describe, expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { openaiError, createOpenaiProvider } from './openai-provider.ts'
import type { OpenaiOptions } from './openai-provider.ts'

const photo = (mediaType: 'image/png' | 'image/jpeg') => ({
  bytes: Buffer.from('x'),
  mediaType,
  widthPx: 10,
  heightPx: 10,
  hasMatte: mediaType === 'image/png',
})
const request = {
  prompt: 'a selfie',
  userPhoto: photo('image/jpeg'),
  starPhotos: [photo('image/png')],
  aspect: '4:5',
  count: 1,
} as const

async function generate(
  answer: Response,
  more: Partial<OpenaiOptions> & { model?: string; aspect?: '4:5' | '1:1' | '16:9' } = {},
) {
  const asked: { url: string; init: RequestInit }[] = []
  const { aspect = '4:5', model = 'gpt-image-2', ...options } = more
  const provider = createOpenaiProvider({
    card: openCatalogue().find('openai', model),
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'key',
    extraFields: {},
    timeoutMs: 5_000,
    fetch: async (input, init) => {
      asked.push({ url: input instanceof Request ? input.url : String(input), init: init ?? {} })
      return answer
    },
    resolveHost: async () => [],
    now: () => 0,
    ...options,
  })
  const made = await provider
    .generate({ ...request, aspect }, new AbortController().signal)
    .then(([bytes]) => Buffer.from(bytes!).toString('latin1'))
    .catch((error: unknown) => error)
  const form = asked[0]?.init.body as FormData
  const fields = Object.fromEntries(
    [...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  return { provider, asked, made, fields, form }
}
const openProvider = (fetch: typeof globalThis.fetch) =>
  createOpenaiProvider({
    card: openCatalogue().find('openai', 'gpt-image-2'),
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'key',
    extraFields: {},
    timeoutMs: 5_000,
    fetch,
    resolveHost: async () => [],
    now: () => 0,
  })
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(20)])
const picture = () => Response.json({ data: [{ b64_json: jpeg.toString('base64') }] })

describe('a request to a server with OpenAI’s interface', () => {
  test('has the prompt and both photos, and answers the picture', async () => {
    const { asked, made, fields, form } = await generate(picture())
    expect(made).toBe(jpeg.toString('latin1'))
    expect(asked[0]?.url).toBe('https://api.openai.com/v1/images/edits')
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer key' },
    })
    expect(fields).toEqual({
      model: 'gpt-image-2',
      prompt: 'a selfie',
      n: '1',
      size: '1024x1280',
      output_format: 'jpeg',
      quality: 'medium',
    })
    const files = form.getAll('image[]') as File[]
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['user.jpg', 'image/jpeg'],
      ['star-1.png', 'image/png'],
    ])
  })

  test.each([
    ['gpt-image-2', '1:1', '1024x1024'],
    ['gpt-image-2', '4:5', '1024x1280'],
    ['gpt-image-2', '16:9', '1536x864'],
    ['gpt-image-9', '16:9', '1536x864'],
    ['chatgpt-image-9', '4:5', '1024x1280'],
    ['Qwen/Qwen-Image-Edit', '4:5', '1024x1280'],
    ['Qwen/gpt-image', '1:1', '1152x1152'],
    ['Qwen/chatgpt-image', '1:1', '1152x1152'],
    ['Qwen/Qwen-Image-Edit', '16:9', '1536x864'],
  ] as const)('of %s at %s asks for %s', async (model, aspect, size) => {
    const { fields } = await generate(picture(), { model, aspect })
    expect(fields['size']).toBe(size)
    const isOpen = model.startsWith('Qwen')
    expect(fields['response_format']).toBe(isOpen ? 'b64_json' : undefined)
    expect(fields['output_format']).toBe(isOpen ? undefined : 'jpeg')
  })

  test('says no size and no format to a model that takes none', async () => {
    const { fields } = await generate(picture(), {
      card: {
        provider: 'openai',
        model: 'own',
        photosMax: 2,
        promptLengthMax: 1_000,
        licence: 'its own',
        needs: 'a GPU',
      },
    })
    expect(fields).toEqual({ model: 'own', prompt: 'a selfie' })
  })

  test('takes further fields, which win, and needs no key', async () => {
    const { fields, asked } = await generate(picture(), {
      apiKey: undefined,
      extraFields: { size: 'auto', steps: 40 },
    })
    expect(fields).toMatchObject({ size: 'auto', steps: '40' })
    expect(asked[0]?.init.headers).not.toHaveProperty('authorization')
  })

  test('costs what is known of the model, what is set, or nothing', async () => {
    const price = async (more: Parameters<typeof generate>[1]) =>
      (await generate(picture(), more)).provider.priceMicroUsd
    expect(await price({})).toBe(60_000)
    expect(await price({ model: 'gpt-image-9' })).toBe(60_000)
    expect(await price({ model: 'own' })).toBe(0)
    expect(await price({ priceMicroUsd: 7 })).toBe(7)
    expect(await price({ priceMicroUsd: 0 })).toBe(0)
  })

  test('without a picture in the answer fails, as does one from elsewhere', async () => {
    for (const body of [{}, { data: {} }, { data: [] }, { data: [{ b64_json: '', url: 7 }] }]) {
      expect((await generate(Response.json(body))).made).toMatchObject({
        kind: 'unknown',
        message: 'the answer has no picture',
      })
    }
    const elsewhere = Response.json({ data: [{ url: 'https://evil.example/a.png' }] })
    expect((await generate(elsewhere)).made).toBeInstanceOf(Error)
  })

  test('answers as many pictures as were asked for, without those that can’t be had', async () => {
    const inline = (last: number) => Buffer.concat([jpeg, Buffer.from([last])]).toString('base64')
    const lastOf = async (count: number, data: unknown[]) => {
      const provider = openProvider(async () => Response.json({ data }))
      const made = await provider.generate({ ...request, count }, new AbortController().signal)
      return made.map((bytes) => bytes.at(-1))
    }
    const three = [1, 2, 3].map((last) => ({ b64_json: inline(last) }))
    expect(await lastOf(2, three)).toEqual([1, 2])
    expect(await lastOf(4, three)).toEqual([1, 2, 3])
    const broken = { b64_json: Buffer.from('a text').toString('base64') }
    expect(await lastOf(3, [broken, { b64_json: 7 }, three[2]])).toEqual([3])
    await expect(lastOf(2, [broken, {}])).rejects.toThrow('what came is not a picture')
  })

  test('has its picture fetched from the server itself, and from nowhere else', async () => {
    const fetched: string[] = []
    const answerOf = (url: string) => async (input: RequestInfo | URL) => {
      const asked = input instanceof Request ? input.url : input.toString()
      fetched.push(asked)
      return asked === url ? new Response(jpeg) : Response.json({ data: [{ url }] })
    }
    const own = 'https://api.openai.com/files/1.jpg'
    const signal = new AbortController().signal
    const [made] = await openProvider(answerOf(own)).generate(request, signal)
    expect(Buffer.from(made ?? []).equals(jpeg)).toBe(true)
    const other = 'https://files.example/1.jpg'
    await expect(openProvider(answerOf(other)).generate(request, signal)).rejects.toThrow()
    expect(fetched).not.toContain(other)
  })

  test('is probed by the server’s list of models, which says when one is shut down', async () => {
    const asked: string[] = []
    const probe = (answer: Response) =>
      openProvider(async (input, init) => {
        asked.push(`${init?.method ?? 'GET'} ${input instanceof Request ? '' : input.toString()}`)
        return answer
      }).probe(new AbortController().signal)
    await probe(Response.json({ data: [{ id: 'other' }, { id: 'gpt-image-2' }] }))
    expect(asked).toEqual(['GET https://api.openai.com/v1/models'])
    const listed = (shutdown_date: unknown) =>
      probe(Response.json({ data: [{ id: 'gpt-image-2', shutdown_date }] }))
    expect(await listed('2026-12-01')).toBe('2026-12-01')
    expect([await listed(null), await listed('soon'), await listed(7)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    for (const body of [{ data: [{ id: 'other' }] }, { data: {} }]) {
      await expect(probe(Response.json(body))).rejects.toMatchObject({ kind: 'provider_down' })
    }
    await expect(probe(Response.json({}, { status: 401 }))).rejects.toMatchObject({
      kind: 'provider_down',
      message: expect.stringContaining('401'),
    })
  })

  test('that is refused has the kind of its status and the time to wait', async () => {
    const busy = Response.json({}, { status: 429, headers: { 'retry-after': '9' } })
    expect((await generate(busy)).made).toMatchObject({
      kind: 'provider_busy',
      retryAfterMs: 9_000,
    })
    expect((await generate(Response.json({}, { status: 201 }))).made).toMatchObject({
      kind: 'provider_down',
    })
  })
})

describe('an error', () => {
  const error = (more: object) => ({ error: { message: 'words', ...more } })
  test.each([
    [429, error({}), 'provider_busy', false],
    [429, error({ code: 'insufficient_quota' }), 'provider_down', false],
    [429, error({ code: 'billing_hard_limit_reached' }), 'provider_down', false],
    [503, error({}), 'provider_busy', false],
    [408, error({}), 'timeout', true],
    [504, error({}), 'timeout', true],
    [524, error({}), 'timeout', true],
    [400, error({}), 'bad_input', false],
    [413, error({}), 'bad_input', false],
    [415, error({}), 'bad_input', false],
    [422, error({}), 'bad_input', false],
    [400, error({ code: 'moderation_blocked' }), 'policy_refused', false],
    [400, error({ type: 'content_policy_violation' }), 'policy_refused', false],
    [400, error({ code: 'safety' }), 'policy_refused', false],
    [400, error({ message: 'Our Safety System says no' }), 'policy_refused', false],
    [400, error({ message: 'against the content policy' }), 'policy_refused', false],
    [400, error({ message: 'moderation' }), 'policy_refused', false],
    [400, error({ message: 'the safety checker' }), 'policy_refused', false],
    [401, error({ code: 'invalid_api_key' }), 'provider_down', false],
    [499, error({}), 'provider_down', false],
    [500, error({}), 'provider_down', true],
  ] as const)('%i %j is %s, perhaps accepted: %s', (status, body, kind, maybeAccepted) => {
    expect(openaiError(status, body)).toMatchObject({ kind, maybeAccepted })
  })

  test.each([
    [{ error: { message: 'words' } }, 'words'],
    [{ error: { code: 'a_code' } }, 'a_code'],
    [{ error: { code: 7, type: 8 } }, ''],
    [{ error: 'words' }, 'words'],
    [{ error: 'server_error', message: 'of sd-server' }, 'of sd-server'],
    [{ error: 7, message: 'of nobody', detail: 'x' }, 'x'],
    [{ error: { message: 'x'.repeat(400) } }, 'x'.repeat(275)],
    [{ detail: 'of vLLM' }, 'of vLLM'],
    [{ detail: [{ msg: 'x' }] }, '[{"msg":"x"}]'],
    [{ error: null, detail: 'x' }, 'x'],
    [undefined, '""'],
  ])('of %j keeps the words', (body, text) => {
    expect(openaiError(500, body).message).toBe(`the server answered 500: ${text}`)
  })

  test('has the time to wait where the server said so', () => {
    expect(openaiError(429, {}, 5)).toMatchObject({ retryAfterMs: 5 })
    expect(openaiError(503, {}, 5)).toMatchObject({ retryAfterMs: 5 })
  })
})
