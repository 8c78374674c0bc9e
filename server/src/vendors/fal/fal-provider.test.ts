import { describe, expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { createFalProvider } from './fal-provider.ts'

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>]

const photo = {
  bytes: Buffer.from('x'),
  mediaType: 'image/jpeg',
  widthPx: 10,
  heightPx: 10,
  hasMatte: false,
} as const
const request = {
  prompt: 'a selfie',
  userPhoto: photo,
  starPhotos: [photo],
  aspect: '4:5',
  count: 1,
} as const
const signal = () => new AbortController().signal
const queue = 'https://queue.fal.run'
const submitted = {
  request_id: 'abc-1',
  status_url: `${queue}/google/nano-banana-2.1/requests/abc-1/status`,
  response_url: `${queue}/google/nano-banana-2.1/requests/abc-1`,
  cancel_url: `${queue}/google/nano-banana-2.1/requests/abc-1/cancel`,
}
const submission = {
  requestId: 'abc-1',
  statusUrl: submitted.status_url,
  responseUrl: submitted.response_url,
  cancelUrl: submitted.cancel_url,
}

/** The provider with answers in their order, and what it asked. */
function open(...answers: (Answer | Error)[]) {
  return openAt(queue, ...answers)
}

/** The same on another queue. */
function openAt(queueUrl: string, ...answers: (Answer | Error)[]) {
  const asked: { url: string; init: RequestInit }[] = []
  const provider = createFalProvider({
    card: openCatalogue().find('fal', 'google/nano-banana-2.1/edit'),
    apiKey: 'key',
    queueUrl,
    fetch: async (input, init) => {
      asked.push({ url: input instanceof Request ? input.url : String(input), init: init ?? {} })
      const answer = answers.shift() ?? [500]
      if (answer instanceof Error) throw answer
      return new Response(JSON.stringify(answer[1] ?? null), {
        status: answer[0],
        headers: answer[2] ?? {},
      })
    },
    resolveHost: async () => [],
    now: () => 0,
  })
  return { provider, asked }
}
const submit = (...answers: (Answer | Error)[]) => {
  const { provider, asked } = open(...answers)
  const terms = {
    webhookUrl: 'https://selfie.example/hook?a=b',
    startWithinMs: 1_500,
    signal: signal(),
  }
  return { asked, sent: provider.submit(request, terms) }
}

describe('a request to fal', () => {
  test('is sent with the key, a webhook, the time it has to begin, and nothing to be kept', async () => {
    const { asked, sent } = submit([200, submitted])
    expect(await sent).toEqual(submission)
    expect(asked.map(({ url }) => url)).toEqual([
      `${queue}/google/nano-banana-2.1/edit?fal_webhook=https%3A%2F%2Fselfie.example%2Fhook%3Fa%3Db`,
    ])
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: 'Key key',
        'content-type': 'application/json',
        'x-fal-request-timeout': '2',
        'x-fal-store-io': '0',
        'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}',
      },
    })
    expect(JSON.parse(asked[0]?.init.body as string)).toMatchObject({
      prompt: 'a selfie',
      image_urls: ['data:image/jpeg;base64,eA==', 'data:image/jpeg;base64,eA=='],
    })
  })

  test('has no webhook where nobody could reach it', async () => {
    const { provider, asked } = open([201, submitted])
    await provider.submit(request, { webhookUrl: undefined, startWithinMs: 1, signal: signal() })
    expect(asked[0]?.url).toBe(`${queue}/google/nano-banana-2.1/edit`)
  })

  test.each([
    [502, 'provider_down', true],
    [504, 'provider_down', true],
    [503, 'provider_down', false],
    [500, 'provider_down', false],
    [429, 'provider_busy', false],
    [422, 'bad_input', false],
    [300, 'provider_down', false],
  ] as const)('that is answered by %i is %s, perhaps accepted: %s', async (status, kind, maybe) => {
    await expect(submit([status, {}]).sent).rejects.toMatchObject({ kind, maybeAccepted: maybe })
  })

  test('that is turned away for now has the time after which it may come again', async () => {
    const { sent } = submit([429, {}, { 'retry-after': '7' }])
    await expect(sent).rejects.toMatchObject({ retryAfterMs: 7_000 })
  })

  test.each([
    { ...submitted, request_id: 7 },
    { ...submitted, request_id: 'a/b' },
    { ...submitted, request_id: '' },
    { ...submitted, request_id: 'x'.repeat(101) },
    { ...submitted, status_url: 'https://evil.example/' },
    { ...submitted, cancel_url: undefined },
    { ...submitted, response_url: 'http://queue.fal.run/x' },
    null,
  ])('whose answer is %j may have been accepted', async (body) => {
    await expect(submit([200, body]).sent).rejects.toMatchObject({
      kind: 'unknown',
      maybeAccepted: true,
    })
  })

  test('whose connection dies may have been accepted, one that never came about was not', async () => {
    const failure = (code: string) =>
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
    for (const [code, maybe] of [
      ['ECONNRESET', true],
      ['ECONNREFUSED', false],
      ['ENOTFOUND', false],
      ['EAI_AGAIN', false],
      ['UND_ERR_CONNECT_TIMEOUT', false],
    ] as const) {
      await expect(submit(failure(code)).sent).rejects.toMatchObject({
        kind: 'provider_down',
        maybeAccepted: maybe,
        message: `the connection failed: ${code}`,
      })
    }
  })
})

describe('a poll of fal', () => {
  const poll = (...answers: Answer[]) => {
    const { provider, asked } = open(...answers)
    return { asked, told: provider.poll(submission, signal()) }
  }

  test('says where in the queue the request is, and when it is worked on', async () => {
    expect(await poll([200, { status: 'IN_QUEUE', queue_position: 3 }]).told).toEqual({
      state: 'queued',
      position: 3,
    })
    expect(await poll([202, { status: 'IN_QUEUE', queue_position: '3' }]).told).toEqual({
      state: 'queued',
      position: undefined,
    })
    expect(await poll([202, { status: 'IN_PROGRESS' }]).told).toEqual({ state: 'working' })
  })

  test('reads the result of what has ended, a picture or an error', async () => {
    const done: Answer = [200, { status: 'COMPLETED' }]
    const { asked, told } = poll(done, [200, { images: [{ url: 'https://v3.fal.media/a.png' }] }])
    expect(await told).toEqual({ state: 'pictures', urls: ['https://v3.fal.media/a.png'] })
    expect(asked.map(({ url, init }) => [init.method, url])).toEqual([
      ['GET', submission.statusUrl],
      ['GET', submission.responseUrl],
    ])
    expect(asked[1]?.init.headers).toMatchObject({ authorization: 'Key key' })
    const refused = poll(done, [422, { detail: [{ type: 'content_policy_violation', msg: 'x' }] }])
    expect(await refused.told).toMatchObject({
      state: 'failed',
      error: { kind: 'policy_refused', message: 'fal answered 422: content_policy_violation x' },
    })
  })

  test.each([
    [[404, {}], 'provider_down'],
    [[203, { status: 'IN_PROGRESS' }], 'provider_down'],
    [[200, { status: 'LEVITATING' }], 'unknown'],
    [[200, null], 'unknown'],
  ] as const)('that is answered by %j fails', async (answer, kind) => {
    await expect(poll(answer).told).rejects.toMatchObject({ kind })
  })
})

test('a request is cancelled where fal says so; else it runs out by itself', async () => {
  const cancel = async (answer: Answer | Error) => {
    const { provider, asked } = open(answer)
    const isCancelled = await provider.cancel(submission, signal())
    expect([asked[0]?.init.method, asked[0]?.url]).toEqual(['PUT', submission.cancelUrl])
    return isCancelled
  }
  expect(await cancel([202])).toBe(true)
  expect(await cancel([200])).toBe(true)
  expect(await cancel([400])).toBe(false)
  expect(await cancel(new TypeError('fetch failed'))).toBe(false)
})

test('a picture is only fetched from where fal keeps its output', async () => {
  const { provider } = open([200])
  for (const url of [
    'https://evil.example/a.png',
    'http://fal.media/a.png',
    'https://queue.fal.run.evil/a',
  ]) {
    await expect(provider.download(url, signal())).rejects.toThrow()
  }
})

test('a picture at the queue’s own address is fetched where the operator has set another queue', async () => {
  const own = 'http://127.0.0.1:9000'
  const outcome = (queueUrl: string) =>
    openAt(queueUrl, [200])
      .provider.download(`${queueUrl}/a.png`, signal())
      .catch(({ message }: Error) => message)
  // It was asked for, and is no picture; fal’s own host is looked up like any other.
  expect(await outcome(own)).toBe('what came is not a picture')
  expect(await outcome(queue)).toMatch(/private address/)
})

describe('a probe of fal', () => {
  const probe = async (...answers: (Answer | Error)[]) => {
    const { provider, asked } = open(...answers)
    const outcome = await provider.probe(signal()).then(
      () => 'there',
      ({ kind }: { kind: string }) => kind,
    )
    return { outcome, asked: asked.map(({ url, init }) => [init.method, url]), first: asked[0] }
  }

  test('sends a request without input, and drops it at once', async () => {
    const { outcome, asked, first } = await probe([200, submitted], [202])
    expect(outcome).toBe('there')
    expect(asked).toEqual([
      ['POST', `${queue}/google/nano-banana-2.1/edit`],
      ['PUT', submission.cancelUrl],
    ])
    expect(first?.init).toMatchObject({
      body: '{}',
      headers: { authorization: 'Key key', 'content-type': 'application/json' },
    })
  })

  test.for<[number, string]>([
    [299, 'there'],
    [422, 'there'],
    [300, 'provider_down'],
    [401, 'provider_down'],
    [404, 'provider_down'],
    [500, 'provider_down'],
  ])('that is answered %i finds it %s', async ([status, expected]) => {
    expect((await probe([status, submitted], [202])).outcome).toBe(expected)
  })
})
