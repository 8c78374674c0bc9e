import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../app/context.ts'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import type { TestGeneration } from '../../testing/make-generation.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { generationTopic } from '../finish-generation.ts'
import { hostedErrorKinds, hostedErrorRules, HostedError } from '../../vendors/hosted-error.ts'
import { findRow } from '../../platform/db/rows.ts'
import { slotsTopic, outputKeysOf, submissionOf } from './attempts.ts'
import { failAttempt, noteLateAnswer, recordAnswer } from './end-attempt.ts'
import type { AttemptFailure } from './end-attempt.ts'
import { receiveFalWebhook, webhookUrl } from './image-webhooks.ts'

let app: TestApp
let parts: Context
let topics: string[]
beforeAll(async () => {
  app = await openTestApp({
    worker: false,
    settings: {
      IMAGE_PROVIDERS: 'fal:google/nano-banana-2.1/edit,openai:gpt-image-2,compositor',
      IMAGE_CIRCUIT_FAILURES: '2',
      FAL_KEY: 'k',
      OPENAI_API_KEY: 'k',
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  topics = []
  const { notifications } = app.context
  const publish = async (topic: string) => void topics.push(topic)
  parts = { ...app.context, clock: () => noon, notifications: { ...notifications, publish } }
  await app.context.database.deleteFrom('image_providers').execute()
})

const noon = new Date('2026-11-20T12:00:00Z')
const minuteMs = 60_000
const after = (ms: number) => new Date(noon.getTime() + ms)

/** A running generation whose attempt at the first provider was sent, with photos in the store. */
async function makeSent(row: object = {}, attemptRow: object = {}) {
  const folder = crypto.randomUUID()
  const keys = [`inputs/${folder}/user-1x1.jpg`, `inputs/${folder}/provider-1.bin`] as const
  for (const key of keys) await app.context.store.put(key, Buffer.from('x'), 'image/jpeg')
  const one = await makeGeneration(app.context.database, {
    at: noon,
    row: { user_photo_key: keys[0], ...row },
  })
  const attempt = await makeAttempt(app.context.database, one, {
    state: 'submitted',
    request_id: crypto.randomUUID(),
    status_url: 'https://queue.fal.run/status',
    output_key: keys[1],
    submitted_at: noon,
    cost_micro_usd: 39_000,
    ...attemptRow,
  })
  const left = async () => {
    const found = await Promise.all(keys.map((key) => app.context.store.get(key)))
    return found.map((bytes) => bytes !== undefined)
  }
  return { ...one, attempt, left }
}

const failure: AttemptFailure = { kind: 'unknown', detail: 'a test', maybeCharged: true }
const read = async ({ attempt }: { attempt: { id: string } }) =>
  (await findRow(app.context.database, 'generation_attempts', { id: attempt.id }))!
const readGeneration = async ({ generationId }: TestGeneration) =>
  (await findRow(app.context.database, 'generations', { id: generationId }))!
const nextOf = ({ generationId }: TestGeneration) =>
  app.context.database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('generation_id', '=', generationId)
    .where('chain_position', '>', 0)
    .execute()
const holdOf = ({ holdId }: TestGeneration) =>
  app.context.database
    .selectFrom('credit_holds')
    .select(['state', 'expires_at'])
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow()
const circuit = async () =>
  (await app.context.database.selectFrom('image_providers').selectAll().execute())[0]
async function jobsOf(queue: string, data: object) {
  const { rows } = await app.context.pool.query<{ priority: number }>(
    'select priority from pgboss.job where name = $1 and data @> $2',
    [queue, JSON.stringify(data)],
  )
  return rows.map(({ priority }) => priority)
}

test('an attempt’s objects are all its pictures', () => {
  expect(outputKeysOf({ output_key: null, further_output_keys: [] })).toEqual([])
  expect(outputKeysOf({ output_key: 'a', further_output_keys: ['b'] })).toEqual(['a', 'b'])
})

describe('an attempt that failed', () => {
  test('waits for nobody else’s generation', async () => {
    const [one, other] = [await makeSent(), await makeSent()]
    const client = await app.context.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from generations where id = $1 for update', [other.generationId])
      expect(await failAttempt(parts, one.attempt.id, failure)).toBe(true)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('hands the generation to the next provider, which waits for its slot', async () => {
    const [one, other] = [await makeSent(), await makeSent()]
    const before = await readGeneration(other)
    expect(await failAttempt(parts, one.attempt.id, failure)).toBe(true)
    expect(await readGeneration(other)).toEqual(before)
    expect(await read(one)).toMatchObject({
      state: 'failed',
      error_kind: 'unknown',
      error_detail: 'a test',
      finished_at: noon,
      output_key: null,
      answered_at: null,
      cost_micro_usd: '39000',
    })
    expect(await nextOf(one)).toMatchObject([
      {
        state: 'waiting',
        provider: 'openai',
        model: 'gpt-image-2',
        user_id: one.userId,
        chain_position: 1,
        priority: 0,
        created_at: noon,
        next_look_at: noon,
        deadline_at: after(15 * minuteMs),
      },
    ])
    expect(await readGeneration(one)).toMatchObject({
      state: 'running',
      provider: 'openai',
      model: 'gpt-image-2',
      chain_position: 1,
    })
    // Its wait, the provider’s time, and the hold’s own fifteen minutes.
    expect(await holdOf(one)).toEqual({ state: 'held', expires_at: after(33 * minuteMs) })
    expect(await one.left()).toEqual([true, false])
    expect(topics).toEqual([slotsTopic, generationTopic(one.generationId)])
  })

  test('hands it to the compositor by a job, before others for whoever has bought credits', async () => {
    const free = await makeSent({}, { chain_position: 1 })
    const premium = await makeSent({ resolution: 'high' }, { chain_position: 1 })
    for (const one of [free, premium]) await failAttempt(parts, one.attempt.id, failure)
    const jobs = await Promise.all(
      [free, premium].map(({ generationId }) => jobsOf('generation', { generationId })),
    )
    expect(jobs).toEqual([[0], [10]])
    expect(await readGeneration(free)).toMatchObject({
      state: 'running',
      provider: 'compositor',
      model: null,
      chain_position: 2,
    })
    expect(await holdOf(free)).toMatchObject({ expires_at: after(15 * minuteMs) })
  })

  test('has the next provider’s slot given first to whoever has bought credits', async () => {
    const one = await makeSent({ resolution: 'high' })
    await failAttempt(parts, one.attempt.id, failure)
    expect(await nextOf(one)).toMatchObject([{ priority: 10 }])
  })

  test('ends the generation behind the last provider', async () => {
    const one = await makeSent({}, { chain_position: 2 })
    await failAttempt(parts, one.attempt.id, failure)
    expect(await readGeneration(one)).toMatchObject({
      state: 'failed',
      error_code: 'generation_failed',
      finished_at: noon,
      user_photo_key: null,
    })
    expect((await holdOf(one)).state).toBe('released')
    expect(await one.left()).toEqual([false, false])
  })

  test.for(hostedErrorKinds)('by %s goes on or ends as its rule says', async (kind) => {
    const one = await makeSent()
    await failAttempt(parts, one.attempt.id, { ...failure, kind })
    const { code, failsOver, opensCircuit } = hostedErrorRules[kind]
    const row = await readGeneration(one)
    expect([row.state, row.error_code]).toEqual(failsOver ? ['running', null] : ['failed', code])
    expect((await circuit())?.last_error_kind).toBe(opensCircuit ? kind : undefined)
  })

  test('counts towards the circuit of its provider, which opens at the second', async () => {
    for (let count = 0; count < 2; count += 1) {
      const one = await makeSent()
      await failAttempt(parts, one.attempt.id, { ...failure, kind: 'provider_down' })
    }
    expect(await circuit()).toMatchObject({
      name: 'fal:google/nano-banana-2.1/edit',
      failures_in_row: 2,
      open_until: after(minuteMs),
      last_error_detail: 'a test',
    })
  })

  test('without having been asked goes on whatever the kind, and counts for no circuit', async () => {
    const one = await makeSent()
    await failAttempt(parts, one.attempt.id, { ...failure, kind: 'bad_input', isSkipped: true })
    expect((await readGeneration(one)).state).toBe('running')
    const other = await makeSent()
    await failAttempt(parts, other.attempt.id, {
      ...failure,
      kind: 'provider_down',
      isSkipped: true,
    })
    expect(await circuit()).toBeUndefined()
  })

  test('for nothing costs nothing, and keeps when the vendor answered', async () => {
    const one = await makeSent()
    const detail = 'x'.repeat(301)
    await failAttempt(parts, one.attempt.id, {
      kind: 'unknown',
      detail,
      maybeCharged: false,
      isAnswered: true,
    })
    expect(await read(one)).toMatchObject({
      cost_micro_usd: '0',
      answered_at: noon,
      error_detail: detail.slice(1),
    })
  })

  test('fails once', async () => {
    const one = await makeSent()
    await failAttempt(parts, one.attempt.id, failure)
    topics = []
    expect(await failAttempt(parts, one.attempt.id, { ...failure, detail: 'again' })).toBe(false)
    expect([(await read(one)).error_detail, topics]).toEqual(['a test', []])
    expect(await nextOf(one)).toHaveLength(1)
    expect(await failAttempt(parts, crypto.randomUUID(), failure)).toBe(false)
  })

  test('of a generation that has ended begins nothing, and deletes its photos', async () => {
    const one = await makeSent()
    await app.context.database
      .updateTable('generations')
      .set({ state: 'failed', error_code: 'unavailable', finished_at: noon })
      .where('id', '=', one.generationId)
      .execute()
    expect(await failAttempt(parts, one.attempt.id, failure)).toBe(true)
    expect((await read(one)).state).toBe('failed')
    expect(await nextOf(one)).toEqual([])
    expect((await readGeneration(one)).error_code).toBe('unavailable')
    expect(await one.left()).toEqual([false, false])
  })
})

describe('a vendor’s answer', () => {
  const picture = {
    state: 'pictures',
    urls: [1, 2, 3, 4, 5].map((n) => `https://v3.fal.media/${n}.jpg`),
  } as const
  const refused = { state: 'failed', error: new HostedError('policy_refused', 'not this') } as const

  test('with a picture is written down once, and a job fetches it', async () => {
    const one = await makeSent()
    const attemptId = one.attempt.id
    expect(await recordAnswer(parts, attemptId, picture)).toBe(true)
    expect(await read(one)).toMatchObject({
      state: 'answered',
      output_url: picture.urls[0],
      // As many as there is room for.
      further_output_urls: picture.urls.slice(1, 4),
      answered_at: noon,
      next_look_at: noon,
    })
    expect(await jobsOf('image-attempt', { attemptId })).toEqual([0])
    expect(topics).toEqual([slotsTopic])
    expect(await circuit()).toMatchObject({
      name: 'fal:google/nano-banana-2.1/edit',
      last_success_at: noon,
    })
    parts.clock = () => after(1)
    const other = { state: 'pictures', urls: ['https://v3.fal.media/b.jpg'] } as const
    expect(await recordAnswer(parts, attemptId, other)).toBe(false)
    expect(await read(one)).toMatchObject({ output_url: picture.urls[0], answered_at: noon })
    expect(await jobsOf('image-attempt', { attemptId })).toEqual([0])
    expect(topics).toEqual([slotsTopic])
  })

  test('that it made none costs nothing', async () => {
    const one = await makeSent()
    expect(await recordAnswer(parts, one.attempt.id, refused)).toBe(true)
    expect(await read(one)).toMatchObject({
      state: 'failed',
      error_kind: 'policy_refused',
      error_detail: 'not this',
      cost_micro_usd: '0',
      answered_at: noon,
    })
    expect((await readGeneration(one)).error_code).toBe('provider_refused')
  })

  test.for([picture, refused])('that comes late is noted, once', async (answer) => {
    const one = await makeSent()
    const other = await makeSent()
    for (const { attempt } of [one, other]) await failAttempt(parts, attempt.id, failure)
    expect(await recordAnswer(parts, one.attempt.id, answer)).toBe(false)
    expect(await read(one)).toMatchObject({ state: 'failed', answered_at: noon })
    parts.clock = () => after(1)
    await noteLateAnswer(parts, one.attempt.id)
    expect((await read(one)).answered_at).toEqual(noon)
    expect((await read(other)).answered_at).toBeNull()
  })

  test('is noted for what has failed alone', async () => {
    const one = await makeSent()
    await noteLateAnswer(parts, one.attempt.id)
    expect((await read(one)).answered_at).toBeNull()
  })
})

describe('a signed webhook', () => {
  const bodyOf = (body: object) => Buffer.from(JSON.stringify(body))
  const send = (
    attemptId: string,
    rawBody: Buffer,
    change: { token?: string; isSigned?: boolean } = {},
  ) => {
    const verify = async () => change.isSigned ?? true
    const key = app.context.keys.imageWebhooks
    const { searchParams } = new URL(webhookUrl('https://selfie.example', key, attemptId))
    return receiveFalWebhook(
      { ...parts, images: { ...parts.images, falWebhooks: { verify } } },
      { attemptId, token: change.token ?? searchParams.get('token') ?? '', headers: {}, rawBody },
    )
  }
  const done = (requestId: string | null, more: object = {}) =>
    bodyOf({
      request_id: requestId,
      status: 'OK',
      payload: { images: [{ url: 'https://v3.fal.media/a.jpg' }] },
      ...more,
    })
  const invalid = { code: 'signature_invalid' }

  test('moves its attempt on', async () => {
    const one = await makeSent()
    await send(one.attempt.id, done(one.attempt.request_id))
    expect((await read(one)).state).toBe('answered')
  })

  test('is known again by the id that a gateway gave the request', async () => {
    const one = await makeSent()
    const more = { gateway_request_id: one.attempt.request_id }
    await send(one.attempt.id, done('another', more))
    expect(await read(one)).toMatchObject({
      state: 'answered',
      request_id: one.attempt.request_id,
    })
  })

  test('that is faster than the answer to our request tells its id', async () => {
    const one = await makeSent(
      {},
      { state: 'submitting', request_id: null, status_url: null, output_key: null },
    )
    const other = await makeSent(
      {},
      { state: 'submitting', request_id: null, status_url: null, output_key: null },
    )
    const requestId = crypto.randomUUID()
    await send(one.attempt.id, done(requestId))
    expect(await read(one)).toMatchObject({ state: 'answered', request_id: requestId })
    expect((await read(other)).request_id).toBeNull()
  })

  test('without our token or without the vendor’s signature is refused', async () => {
    const [one, other] = [await makeSent(), await makeSent()]
    const body = done(one.attempt.request_id)
    const { id } = one.attempt
    await expect(send(id, body, { isSigned: false })).rejects.toMatchObject(invalid)
    await expect(send(id, body, { token: 'x' })).rejects.toMatchObject(invalid)
    const { searchParams } = new URL(
      webhookUrl('https://selfie.example', app.context.keys.imageWebhooks, other.attempt.id),
    )
    const token = searchParams.get('token') ?? ''
    await expect(send(id, body, { token })).rejects.toMatchObject(invalid)
    await expect(send('x', body)).rejects.toMatchObject(invalid)
    expect((await read(one)).state).toBe('submitted')
  })

  test.for<[string, Buffer]>([
    ['of another request', done('another')],
    ['of another gateway’s request', done('another', { gateway_request_id: 'x' })],
    ['that is no JSON', Buffer.from('hello')],
    ['that names no request', done(null)],
  ])('%s is taken and changes nothing', async ([, body]) => {
    const one = await makeSent()
    await send(one.attempt.id, body)
    expect((await read(one)).state).toBe('submitted')
    await send(crypto.randomUUID(), body)
  })

  test('is not found where fal is not in the chain', async () => {
    const request = { attemptId: 'x', token: 'x', headers: {}, rawBody: Buffer.alloc(0) }
    const images = { ...parts.images, falWebhooks: undefined }
    await expect(receiveFalWebhook({ ...parts, images }, request)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('an attempt’s row', () => {
  test('tells what the vendor answered when it accepted the request', async () => {
    const { attempt } = await makeSent()
    const urls = {
      request_id: 'r',
      status_url: 's',
      response_url: 'a',
      cancel_url: 'c',
    }
    const known = { requestId: 'r', statusUrl: 's', responseUrl: 'a', cancelUrl: 'c' }
    expect(submissionOf({ ...attempt, ...urls })).toEqual(known)
    expect(submissionOf({ ...attempt, ...urls, cancel_url: null })).toEqual({
      ...known,
      cancelUrl: '',
    })
    for (const name of ['request_id', 'status_url', 'response_url']) {
      expect(submissionOf({ ...attempt, ...urls, [name]: null })).toBeUndefined()
    }
  })
})
