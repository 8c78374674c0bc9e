import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../app/context.ts'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import { createTestJpeg } from '../../testing/test-photo.ts'
import { generationTopic } from '../finish-generation.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { RequestListener } from '../../vendors/hosted-provider.ts'
import { findRow } from '../../platform/db/rows.ts'
import { checkProvider } from './check-providers.ts'
import { saveOutput } from './fetch-output.ts'
import { giveUpOverdue, pollAttempts } from './watch-attempts.ts'
import { prepareRequest } from './prepare-request.ts'
import { runAttempt } from './run-attempt.ts'
import { watchAttempts } from './watch-attempts.ts'
import { listKeys } from '../../testing/list-keys.ts'

const nano = { provider: 'fal', model: 'google/nano-banana-2.1/edit' }
const gpt = { provider: 'openai', model: 'gpt-image-2' }

let hosted: HostedApp
let parts: Context
let photo: Buffer
beforeAll(async () => {
  hosted = await openHostedApp({
    chain: `fal:${nano.model},openai:${gpt.model},compositor`,
    worker: false,
    settings: { IMAGE_WEBHOOK_URL: 'none' },
  })
  photo = await createTestJpeg({ red: 90, green: 90, blue: 200, widthPx: 320 })
})
afterAll(() => hosted[Symbol.asyncDispose]())
beforeEach(async () => {
  parts = { ...hosted.app.context, clock: () => noon }
  await parts.database.deleteFrom('generations').execute()
  await parts.database.deleteFrom('image_providers').execute()
})

const noon = new Date('2026-11-20T12:00:00Z')
const minuteMs = 60_000
const after = (ms: number) => new Date(noon.getTime() + ms)
const { signal } = new AbortController()

/** An attempt of a running generation that has both photos and a slot. */
async function make(row: object = {}, generationRow: object = {}) {
  const { database, store } = parts
  const folder = crypto.randomUUID()
  const key = (role: string) => `inputs/${folder}/${role}-320x400.jpg`
  for (const role of ['user', 'star']) await store.put(key(role), photo, 'image/jpeg')
  const photos = { user_photo_key: key('user'), star_photo_key: key('star') }
  const own = await makeGeneration(database, {
    at: noon,
    row: { ...photos, preset_id: null, ...generationRow },
  })
  const times = { created_at: noon, next_look_at: noon, deadline_at: after(minuteMs) }
  const attempt = await makeAttempt(database, own, {
    ...nano,
    ...times,
    state: 'granted',
    cost_micro_usd: 39_000,
    ...row,
  })
  const read = async () => (await findRow(database, 'generation_attempts', { id: attempt.id }))!
  const generation = async () => (await findRow(database, 'generations', { id: own.generationId }))!
  return { ...own, id: attempt.id, key, read, generation }
}
const run = ({ id }: { id: string }) => runAttempt(parts, id, signal)
const withWebhooks = () => {
  const settings = { ...parts.images.settings, webhookBaseUrl: 'https://selfie.example' }
  parts.images = { ...parts.images, settings }
}
const listInputs = () => listKeys(parts.store, 'inputs')
async function jobs(queue: string, data: object) {
  const { rows } = await parts.pool.query<{ priority: number }>(
    'select priority from pgboss.job where name = $1 and data @> $2',
    [queue, JSON.stringify(data)],
  )
  return rows.map(({ priority }) => priority)
}
const lastRequest = () => hosted.fal.requests().at(-1)!
const quiet = { end: 'never', webhook: 'none' } as const

describe('a request with its slot', () => {
  test.each([
    ['to a queue', nano, 'submitted'],
    ['that is answered with its picture', gpt, 'fetched'],
  ])('%s is sent once, though its stage can’t be written', async (_kind, model, state) => {
    if (model === nano) hosted.fal.next(quiet)
    const one = await make(model)
    const { notifications } = parts
    parts.notifications = {
      ...notifications,
      async publish(topic) {
        if (topic === generationTopic(one.generationId)) throw new Error('the connection was lost')
      },
    }
    await run(one)
    expect(await one.read()).toMatchObject({ state })
    parts.notifications = notifications
    const sent = await one.read()
    await run(one)
    expect(await one.read()).toEqual(sent)
  })

  test('is submitted once, and is asked after from then on', async () => {
    hosted.fal.next(quiet)
    const one = await make()
    const submits = hosted.fal.submits()
    await run(one)
    const { requestId } = lastRequest()
    expect(await one.read()).toMatchObject({
      state: 'submitted',
      request_id: requestId,
      status_url: expect.stringMatching(`/requests/${requestId}/status$`),
      response_url: expect.stringMatching(`/requests/${requestId}$`),
      cancel_url: expect.stringMatching(`/requests/${requestId}/cancel$`),
      submitted_at: noon,
      next_look_at: after(50),
      cost_micro_usd: '39000',
    })
    expect((await one.generation()).stage).toBe('reading')
    expect(lastRequest().webhookUrl).toBeUndefined()
    await run(one)
    expect(hosted.fal.submits() - submits).toBe(1)
  })

  test('that two runs take at the same moment is submitted once', async () => {
    hosted.fal.next(quiet)
    const one = await make()
    const submits = hosted.fal.submits()
    const { store } = parts
    const both = Promise.withResolvers<void>()
    let reads = 0
    // Neither goes on before both have found it granted.
    parts.store = {
      ...store,
      async get(key) {
        if (key === one.key('user')) reads += 1
        if (reads === 2) both.resolve()
        await both.promise
        return await store.get(key)
      },
    }
    await Promise.all([run(one), run(one)])
    expect([reads, hosted.fal.submits() - submits]).toEqual([2, 1])
    expect((await one.read()).request_id).toBe(lastRequest().requestId)
  })

  test('that was turned away and granted anew meanwhile is left to the run of that grant', async () => {
    hosted.fal.next(quiet)
    const one = await make()
    const submits = hosted.fal.submits()
    const { store } = parts
    parts.store = {
      ...store,
      async get(key) {
        const { database } = parts
        const anew = database.updateTable('generation_attempts').set({ busy_count: 1 })
        await anew.where('id', '=', one.id).execute()
        return await store.get(key)
      },
    }
    await run(one)
    expect(hosted.fal.submits() - submits).toBe(0)
    expect(await one.read()).toMatchObject({ state: 'granted', busy_count: 1 })
    parts.store = store
    await run(one)
    expect(hosted.fal.submits() - submits).toBe(1)
    expect(await one.read()).toMatchObject({ state: 'submitted', busy_count: 1 })
  })

  test('is asked after later where a webhook will tell', async () => {
    withWebhooks()
    hosted.fal.next(quiet)
    const one = await make()
    await run(one)
    expect((await one.read()).next_look_at).toEqual(after(10_000))
    expect(lastRequest().webhookUrl).toContain(
      `https://selfie.example/api/images/fal/webhook?attempt=${one.id}&token=`,
    )
  })

  test('whose webhook is faster than its answer keeps the vendor’s addresses, of no other request', async () => {
    const [one, other] = [await make(), await make({ state: 'submitting', submitted_at: noon })]
    const provider = parts.images.find(`fal:${nano.model}`)
    if (provider?.kind !== 'queued') throw new Error('fal has a queue')
    const submission = { requestId: 'fast', statusUrl: 's', responseUrl: 'r', cancelUrl: 'c' }
    const slow = {
      ...provider,
      async submit() {
        await parts.database
          .updateTable('generation_attempts')
          .set({ state: 'answered', request_id: 'fast', output_url: 'o', answered_at: noon })
          .where('id', '=', one.id)
          .execute()
        return submission
      },
    }
    parts.images = { ...parts.images, find: () => slow }
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'answered',
      request_id: 'fast',
      status_url: 's',
      response_url: 'r',
      cancel_url: 'c',
    })
    expect(await other.read()).toMatchObject({ request_id: null, status_url: null })
  })

  test('is not sent for a generation that has ended', async () => {
    const submits = hosted.fal.submits()
    const error = { state: 'failed', error_code: 'unavailable', finished_at: noon }
    const one = await make({}, error)
    await run(one)
    expect([(await one.read()).state, hosted.fal.submits()]).toEqual(['granted', submits])
  })

  test('goes on to the next provider where it has more photos than this one takes', async () => {
    const find = (name: string) => {
      const provider = hosted.app.context.images.find(name)
      return provider && { ...provider, photosMax: 2 }
    }
    parts.images = { ...parts.images, find }
    const two = await make({}, { star_names: ['One', 'Two'], second_preset_id: 'mina-asakuri' })
    await run(two)
    expect(await two.read()).toMatchObject({
      state: 'failed',
      error_kind: 'bad_input',
      error_detail: 'it takes 2 photos only',
      cost_micro_usd: '0',
    })
    expect(await two.generation()).toMatchObject({ state: 'running', provider: 'openai' })
    const place = await make({}, { has_background_photo: true, background_photo_hash: '1' })
    await run(place)
    expect((await place.read()).error_detail).toBe('it takes 2 photos only')
    hosted.fal.next(quiet)
    const one = await make()
    await run(one)
    expect((await one.read()).state).toBe('submitted')
  })

  test('fails where its provider is not set up any more', async () => {
    const gone = { model: 'gone', submitted_at: null }
    const [one, sent] = [await make(gone), await make({ ...gone, submitted_at: noon })]
    for (const attempt of [one, sent]) await run(attempt)
    expect(await one.read()).toMatchObject({
      state: 'failed',
      error_kind: 'provider_down',
      error_detail: 'it is not set up any more',
      cost_micro_usd: '0',
    })
    expect((await sent.read()).cost_micro_usd).toBe('39000')
    await runAttempt(parts, crypto.randomUUID(), signal)
  })

  test('that was turned away waits again, and fails at last', async () => {
    hosted.fal.next({ submit: 'busy' }, { submit: 'busy' }, { submit: 'busy' })
    const one = await make()
    const other = await make({ busy_count: 2, created_at: after(-minuteMs) })
    const last = await make({ busy_count: 3 })
    for (const attempt of [one, other, last]) await run(attempt)
    const waits = { state: 'waiting', cost_micro_usd: '0', submitted_at: null, error_kind: null }
    expect(await one.read()).toMatchObject({ ...waits, busy_count: 1, deadline_at: after(900_000) })
    expect(await other.read()).toMatchObject({
      ...waits,
      busy_count: 3,
      deadline_at: after(900_000 - minuteMs),
    })
    expect((await one.read()).error_detail).not.toBeNull()
    expect(await last.read()).toMatchObject({
      state: 'failed',
      error_kind: 'provider_busy',
      cost_micro_usd: '0',
      answered_at: noon,
    })
  })

  test('that was turned away waits for as long as the vendor says, or longer each time', async () => {
    const { images } = parts
    let retryAfterMs: number | undefined
    const find: Context['images']['find'] = (name) => {
      const provider = images.find(name)
      if (provider?.kind !== 'queued') return provider
      const submit = () => Promise.reject(new HostedError('provider_busy', '', { retryAfterMs }))
      return { ...provider, submit }
    }
    parts.images = { ...images, find }
    const waits = async (row: object) => {
      const one = await make(row)
      await run(one)
      return (await one.read()).next_look_at
    }
    expect(await waits({})).toEqual(after(2_000))
    expect(await waits({ busy_count: 2 })).toEqual(after(8_000))
    retryAfterMs = 7_000
    expect(await waits({ busy_count: 2 })).toEqual(after(7_000))
  })

  test('whose answer is lost is never sent again, and fails where no webhook could tell', async () => {
    hosted.fal.next({ ...quiet, submit: 'drop' })
    const one = await make()
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'failed',
      error_kind: 'provider_down',
      cost_micro_usd: '39000',
      answered_at: null,
    })
  })

  test('whose answer is lost waits a minute for its webhook', async () => {
    withWebhooks()
    hosted.fal.next({ ...quiet, submit: 'drop' })
    const one = await make()
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'submit_unknown',
      error_kind: null,
      error_detail: expect.any(String),
      deadline_at: after(minuteMs),
      cost_micro_usd: '39000',
    })
  })

  test('whose run died is not sent a second time', async () => {
    const submits = hosted.fal.submits()
    const died = { state: 'submitting', submitted_at: noon }
    const one = await make(died)
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'failed',
      error_kind: 'timeout',
      error_detail: 'its run died',
      answered_at: null,
    })
    withWebhooks()
    const other = await make(died)
    const direct = await make({ ...died, ...gpt })
    for (const attempt of [other, direct]) await run(attempt)
    expect(await other.read()).toMatchObject({
      state: 'submit_unknown',
      error_detail: 'its run died',
    })
    expect(await direct.read()).toMatchObject({ state: 'failed', answered_at: noon })
    expect(hosted.fal.submits()).toBe(submits)
  })

  test('that can’t be made because of us is an error of ours, and is not sent', async () => {
    const one = await make()
    await parts.store.delete(one.key('user'))
    await expect(run(one)).rejects.toThrow(/is gone/)
    expect((await one.read()).state).toBe('granted')
  })
})

describe('a provider that answers with the picture', () => {
  test('is asked once, and the engine finishes what came', async () => {
    const one = await make({ ...gpt, priority: 10 })
    await run(one)
    const row = await one.read()
    expect(row).toMatchObject({ state: 'fetched', submitted_at: noon, answered_at: noon })
    expect(row.output_key).toMatch(
      new RegExp(`^inputs/${one.generationId}/provider-[0-9a-f]{12}-0[.]bin$`),
    )
    expect(await parts.store.get(row.output_key ?? '')).toBeDefined()
    expect(await jobs('generation', { generationId: one.generationId })).toEqual([10])
    expect((await one.generation()).stage).toBe('blend')
    const circuits = await parts.database.selectFrom('image_providers').selectAll().execute()
    expect(circuits).toMatchObject([{ name: `openai:${gpt.model}`, last_success_at: noon }])
  })

  test('that refuses ends the request', async () => {
    hosted.direct.openai.next('refusal')
    const one = await make(gpt)
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'failed',
      error_kind: 'policy_refused',
      cost_micro_usd: '0',
      answered_at: noon,
    })
  })

  test('whose connection dies has stopped working, but may charge', async () => {
    hosted.direct.openai.next('drop')
    const one = await make(gpt)
    await run(one)
    expect(await one.read()).toMatchObject({
      state: 'failed',
      cost_micro_usd: '39000',
      answered_at: noon,
    })
  })
})

/** A request that the stand-in has taken and was told how to go on with. */
async function makeSubmitted(behaviour: Parameters<typeof hosted.fal.next>[0] = {}) {
  hosted.fal.next({ ...quiet, ...behaviour })
  const one = await make()
  await run(one)
  return { ...one, request: lastRequest() }
}
const calls = () => {
  const begun: Promise<void>[] = []
  return {
    signal,
    room: () => 9,
    begun,
    begin: (work: () => Promise<void>) => void begun.push(work()),
  }
}
async function poll(ms = 50, room = 9) {
  parts.clock = () => after(ms)
  const began = { ...calls(), room: () => room }
  await pollAttempts(parts, began)
  await Promise.all(began.begun)
}

describe('a request that is asked after', () => {
  test('is asked when it is due, and again after a while', async () => {
    const one = await makeSubmitted()
    await poll(49)
    expect(one.request.polls).toBe(0)
    await poll(50)
    expect(one.request.polls).toBe(1)
    expect(await one.read()).toMatchObject({
      state: 'submitted',
      next_look_at: after(100),
      poll_count: 1,
    })
    await poll(100, 0)
    expect(one.request.polls).toBe(1)
  })

  test('tells its place in the vendor’s queue, and when it is worked on', async () => {
    const one = await makeSubmitted({ queueMs: 3_600_000 })
    await poll()
    expect((await one.read()).queue_position).toBeTypeOf('number')
    expect((await one.generation()).stage).toBe('reading')
    const other = await makeSubmitted({ workMs: 3_600_000 })
    await poll(100)
    expect((await other.read()).queue_position).toBeNull()
    expect((await other.generation()).stage).toBe('blend')
  })

  test('is answered with the picture or the failure', async () => {
    const [one, other] = [
      await makeSubmitted({ end: 'picture' }),
      await makeSubmitted({ end: 'policy' }),
    ]
    await poll()
    expect((await one.read()).state).toBe('answered')
    expect(await other.read()).toMatchObject({ state: 'failed', error_kind: 'policy_refused' })
  })

  test('changes nothing of another one', async () => {
    const [one, other] = [await makeSubmitted({ workMs: 3_600_000 }), await makeSubmitted()]
    await parts.database
      .updateTable('generation_attempts')
      .set({ next_look_at: after(minuteMs), queue_position: 3 })
      .where('id', '=', other.id)
      .execute()
    await poll()
    expect(one.request.polls).toBe(1)
    expect(await other.read()).toMatchObject({ next_look_at: after(minuteMs), queue_position: 3 })
  })

  test('waits to be given up where nobody can be asked any more', async () => {
    const gone = await make({
      state: 'submitted',
      model: 'fal-ai/gone',
      submitted_at: noon,
      request_id: 'gone',
      status_url: 'https://queue.fal.run/s',
      response_url: 'https://queue.fal.run/r',
      cancel_url: 'https://queue.fal.run/c',
    })
    await poll()
    expect(await gone.read()).toMatchObject({ state: 'submitted', poll_count: 1 })
  })

  test('goes on when the vendor can’t be reached, with what was known', async () => {
    const one = await makeSubmitted({ polls: 'fail_two' })
    await parts.database
      .updateTable('generation_attempts')
      .set({ queue_position: 4 })
      .where('id', '=', one.id)
      .execute()
    await poll()
    expect(await one.read()).toMatchObject({
      state: 'submitted',
      queue_position: 4,
      next_look_at: after(100),
    })
  })
})

describe('a picture that a vendor has made', () => {
  const answer = async (behaviour: object) => {
    const one = await makeSubmitted({ end: 'picture', ...behaviour })
    await poll()
    await run(one)
    return one
  }

  test('is fetched and kept as it came', async () => {
    const one = await answer({})
    const row = await one.read()
    expect(row).toMatchObject({ state: 'fetched', answered_at: after(50) })
    expect(await jobs('generation', { generationId: one.generationId })).toEqual([0])
    expect(await parts.store.get(row.output_key ?? '')).toBeDefined()
  })

  test('is fetched again where the file server was busy', async () => {
    expect((await (await answer({ file: 'fail_once' })).read()).state).toBe('fetched')
  })

  test('that is none ends the request, which may be charged', async () => {
    const one = await answer({ file: 'html' })
    expect(await one.read()).toMatchObject({
      state: 'failed',
      error_kind: 'unknown',
      cost_micro_usd: '39000',
    })
    expect(one.request.downloads).toBe(1)
  })

  test('counts as the provider’s success when its answer comes, not once more when it is fetched', async () => {
    const one = await makeSubmitted({ end: 'picture' })
    await poll()
    const { database } = parts
    const failures = () =>
      database.selectFrom('image_providers').select('failures_in_row').executeTakeFirst()
    await database.updateTable('image_providers').set({ failures_in_row: 1 }).execute()
    parts.clock = () => after(5 * minuteMs)
    await run(one)
    expect((await one.read()).state).toBe('fetched')
    expect(await failures()).toEqual({ failures_in_row: 1 })
  })

  test('is not kept where the request had ended meanwhile', async () => {
    const one = await makeSubmitted()
    const attempt = await one.read()
    const before = await listInputs()
    await saveOutput(parts, attempt, [photo, photo])
    expect(await listInputs()).toEqual(before)
    expect((await one.read()).state).toBe('submitted')
  })
})

describe('a request that is given up', () => {
  test('is cancelled at the vendor, and counts as answered once that agreed', async () => {
    const one = await makeSubmitted()
    parts.clock = () => after(3 * minuteMs)
    const began = calls()
    await giveUpOverdue(parts, began)
    await Promise.all(began.begun)
    expect(one.request.isCancelled).toBe(true)
    expect(await one.read()).toMatchObject({ state: 'failed', answered_at: after(3 * minuteMs) })
  })
})

describe('what a hosted provider is asked for', () => {
  const face = (x: number) => ({
    x,
    y: 0.1,
    width: 0.1,
    height: 0.1,
    isMain: false,
    refusals: [],
    hints: [],
  })
  const prepare = async (row: object = {}, faces = [face(0.6), face(0.1), face(0.3)]) => {
    const one = await make({}, row)
    hosted.app.engine.inspection = { ...hosted.app.engine.inspection, faces }
    const provider = parts.images.find(`fal:${nano.model}`)!
    return prepareRequest(parts, await one.generation(), provider)
  }

  test('is both photos and the aspect', async () => {
    const request = await prepare({ aspect: '16:9', prompt: 'at the sea', scene: 'studio' })
    const size = { widthPx: 320, heightPx: 400 }
    expect(request).toMatchObject({ aspect: '16:9', userPhoto: size, starPhotos: [size] })
    expect(request.prompt).toContain('“at the sea”')
    expect(request.prompt).not.toContain('from the left')
  })

  test('is the preset’s whole picture, also of a second star', async () => {
    const { widthPx } = await parts.presets.readPortrait('elena-vassandri')
    expect(widthPx).not.toBe(320)
    expect((await prepare({ preset_id: 'elena-vassandri' })).starPhotos).toMatchObject([
      { widthPx },
    ])
    const names = { star_names: ['Custom photo', 'Elena Vassandri'] }
    const both = await prepare({ ...names, second_preset_id: 'elena-vassandri' })
    expect(both.starPhotos).toMatchObject([{ widthPx: 320 }, { widthPx }])
  })

  test('is the photo that was stored, of a preset that is gone', async () => {
    expect((await prepare({ preset_id: 'gone' })).starPhotos).toMatchObject([{ widthPx: 320 }])
  })

  test('says in words who is meant, counted from the left', async () => {
    expect((await prepare({ user_face_index: 0 })).prompt).toContain(
      'person number 3 of 3 from the left',
    )
    expect((await prepare({ star_face_index: 1 })).prompt).toContain(
      'person number 1 of 3 from the left',
    )
    expect((await prepare({ user_face_index: 0, user_face_indexes: [0, 2] })).prompt).toContain(
      'people number 2 and 3 of 3 from the left',
    )
  })

  test('says nothing where there is nobody else, and nothing of a face that is not there', async () => {
    const alone = await prepare({ user_face_index: 0 }, [face(0.1)])
    expect(alone.prompt).not.toContain('from the left')
    expect((await prepare({ user_face_index: 7 })).prompt).not.toContain('from the left')
  })
})

describe('the trial of a provider', () => {
  const check = (name: string, timeoutMs = 20_000) => {
    const [provider = '', ...model] = name.split(':')
    let time = 0
    return checkProvider(
      {
        engine: hosted.app.engine,
        presets: parts.presets,
        provider: parts.images.find(name),
        settings: { picturesMax: 2, attemptTimeoutMs: timeoutMs },
        now: () => (time += 5),
      },
      { provider: provider as 'fal', model: model.join(':'), name },
    )
  }

  test('makes what a selfie is asked for, whoever is asked', async () => {
    const works = { isWorking: true, tookMs: 5, detail: '1024×1280 pixels, both faces found' }
    expect(await check('compositor')).toEqual({ ...works, name: 'compositor', priceMicroUsd: 0 })
    const each = '\\d+×\\d+ pixels, both faces found'
    const size = { detail: expect.stringMatching(new RegExp(`^${each}; ${each}$`)) }
    const name = `openai:${gpt.model}`
    const { priceMicroUsd } = parts.images.find(name)!
    expect(await check(name)).toEqual({ ...works, ...size, name, priceMicroUsd: 2 * priceMicroUsd })
    expect(hosted.direct.openai.calls().at(-1)?.files).toHaveLength(2)
    const fal = `fal:${nano.model}`
    hosted.fal.next({ webhook: 'none' })
    expect(await check(fal)).toEqual({ ...works, ...size, name: fal, priceMicroUsd: 80_000 })
  })

  test('says what went wrong', async () => {
    hosted.direct.openai.next('unauthorised')
    expect(await check(`openai:${gpt.model}`)).toMatchObject({
      isWorking: false,
      detail: expect.stringMatching(/^provider_down: /),
    })
    hosted.fal.next({ end: 'policy', webhook: 'none' })
    expect(await check(`fal:${nano.model}`)).toMatchObject({
      detail: expect.stringMatching(/^policy_refused: /),
    })
    hosted.app.engine.nextFault = 'faces_missing'
    expect(await check(`openai:${gpt.model}`)).toMatchObject({
      isWorking: false,
      detail: 'unusable picture: faces_missing',
    })
    hosted.direct.openai.next('hang')
    expect(await check(`openai:${gpt.model}`, 100)).toMatchObject({
      detail: 'timeout: no picture within 0.1 s',
    })
  })

  test('does not hide an error of ours', async () => {
    hosted.app.engine.next.push(async () => {
      throw new Error('no engine')
    })
    await expect(check('compositor')).rejects.toThrow('no engine')
  })
})

describe('the watcher', () => {
  test('grants, asks and gives up by itself, and stops when it is closed', async () => {
    const waiting = await make({ state: 'waiting', cost_micro_usd: 0 })
    const late = await make({ deadline_at: noon })
    const watcher = watchAttempts(parts)
    await watcher.run()
    expect([(await waiting.read()).state, (await late.read()).state]).toEqual(['granted', 'failed'])
    await watcher.close()
    const next = await make({ state: 'waiting', cost_micro_usd: 0 })
    await watcher.run()
    expect((await next.read()).state).toBe('waiting')
  })

  test('goes on after a round that failed, and says so', async () => {
    const errors: unknown[] = []
    let isBroken = true
    const { settings } = parts.images
    const images = {
      ...parts.images,
      get settings() {
        if (isBroken && errors.length < 1 && wasRead) throw new Error('broken')
        wasRead = true
        return settings
      },
    }
    let wasRead = false
    const error = (...said: unknown[]) => void errors.push(said.at(-1))
    const one = await make({ state: 'waiting', cost_micro_usd: 0 })
    const watcher = watchAttempts({ ...parts, images, log: { ...parts.log, error } })
    await watcher.run()
    expect(errors).toEqual(['image requests could not be watched'])
    isBroken = false
    await watcher.run()
    expect((await one.read()).state).toBe('granted')
    await watcher.close()
  })

  /** A watcher and the news of requests that it hears; undefined once it listens no longer. */
  function openListening() {
    const heard: { by?: RequestListener | undefined } = {}
    const images = {
      ...parts.images,
      listen(listener: RequestListener) {
        heard.by = listener
        return () => (heard.by = undefined)
      },
    }
    return { watcher: watchAttempts({ ...parts, images }), heard }
  }

  test('shows how far a submitted request is, and no other', async () => {
    const [one, ended] = [await makeSubmitted(), await makeSubmitted()]
    await parts.database
      .updateTable('generation_attempts')
      .set({ state: 'failed', error_kind: 'timeout', finished_at: noon })
      .where('id', '=', ended.id)
      .execute()
    const { watcher, heard } = openListening()
    await watcher.run()
    for (const { requestId } of [ended.request, one.request]) heard.by?.(requestId, 35)
    heard.by?.('nobody', 35)
    await expect.poll(async () => (await one.generation()).stage_percent).toBe(35)
    await watcher.close()
    expect((await ended.generation()).stage_percent).toBe(0)
    expect(one.request.polls, 'nobody asked').toBe(0)
    expect(heard.by).toBeUndefined()
  })

  test('asks at once after a request of which there is other news, and after no other', async () => {
    const [one, other] = [await makeSubmitted(), await makeSubmitted()]
    const { watcher, heard } = openListening()
    await watcher.run()
    expect(one.request.polls).toBe(0)
    heard.by?.(one.request.requestId)
    await expect.poll(() => one.request.polls).toBe(1)
    await watcher.close()
    expect(other.request.polls).toBe(0)
  })

  test('waits at its end for the calls that it has begun', async () => {
    const one = await makeSubmitted()
    let isEnded = false
    const { promise: ends, resolve: end } = Promise.withResolvers<void>()
    const { promise: began, resolve: begin } = Promise.withResolvers<void>()
    const find: Context['images']['find'] = (name) => {
      const provider = hosted.app.context.images.find(name)
      if (provider?.kind !== 'queued') return provider
      return {
        ...provider,
        async poll() {
          begin()
          await ends
          isEnded = true
          return { state: 'working' }
        },
      }
    }
    parts = { ...parts, images: { ...parts.images, find }, clock: () => after(50) }
    const watcher = watchAttempts(parts)
    await began
    const closed = watcher.close().then(() => isEnded)
    end()
    expect(await closed).toBe(true)
    expect((await one.read()).state).toBe('submitted')
  })
})
