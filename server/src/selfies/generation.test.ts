import { retiredPresets } from '@starside/contract/preset-categories.ts'
import { findRow } from '../platform/db/rows.ts'
import { EngineCrashedError } from '@starside/engine/engine-crashed-error.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { createTestJpeg, meanColour, readPersonPhoto } from '../testing/test-photo.ts'
import { runGeneration } from './run-generation.ts'
import { sweepGenerations } from './sweep.ts'
import { listKeys } from '../testing/list-keys.ts'

const green = { red: 0, green: 200, blue: 0 }
const red = { red: 200, green: 0, blue: 0 }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  app.engine.next = []
  app.engine.inspection.refusals = []
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  // The job deletes them after the answer has gone out.
  await expect
    .poll(readInputKeys, { message: 'photos must not outlive their generation' })
    .toEqual([])
})

const balance = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance
const consume = (token: string, json: unknown = {}, headers = {}) =>
  app.call('/api/user?action=consume-credits', { token, json, headers })
const generate = async (
  token: string,
  overrides: Parameters<typeof generateForm>[0] = {},
  headers = {},
  holdId = '',
) => {
  const path = `/api/ai?action=generate${holdId === '' ? '' : `&holdId=${holdId}`}`
  return app.call(path, { token, form: await generateForm(overrides), headers })
}
const history = async (token: string) => (await app.call('/api/generations', { token })).body

const readInputKeys = () => listKeys(app.context.store, 'inputs')

describe('a generation', () => {
  test('captures the credit that consume-credits had held, and answers the picture', async () => {
    const { token } = await app.register()
    const held = await consume(token, {
      amount: 1,
      description: 'Photo generation with Elena Vassandri',
    })
    expect(held.body).toEqual({ success: true, remainingCredits: 0, holdId: expect.any(String) })

    const made = await generate(token)
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({
      success: true,
      imageUrl: expect.stringMatching(/^\/api\/pictures\//),
      generation: { state: 'done', celebrity: 'Elena Vassandri', watermarked: true },
    })
    expect(await balance(token)).toBe(0)
    const ledger = (await app.call('/api/user?action=credit-history', { token })).body.items
    expect(ledger.map(({ reason, amount }: any) => [reason, amount])).toEqual([
      ['usage', -1],
      ['signup', 1],
    ])
    expect(ledger[0].description).toBe('Photo generation with Elena Vassandri')
  })

  test('with a star of an earlier version keeps the name, the picture and its link', async () => {
    const { token } = await app.register()
    const { generationId } = (await generate(token)).body.generation
    const [star] = retiredPresets
    await app.context.database
      .updateTable('generations')
      .set({ preset_id: star.id, celebrity: star.name })
      .where('id', '=', generationId)
      .execute()
    const [item] = (await history(token)).items
    expect(item).toMatchObject({ celebrity: star.name, presetId: star.id, state: 'done' })
    expect((await app.call(item.imageUrl)).status).toBe(200)
    const shared = await app.call(`/api/generations/${generationId}/share`, { token, json: {} })
    expect(shared.body).toMatchObject({ success: true })
  })

  test('holds the credit itself when nothing was held before', async () => {
    const { token } = await app.register()
    expect((await generate(token)).status).toBe(200)
    expect(await balance(token)).toBe(0)
  })

  test('shows a free user the brand mark only, and the clean picture once credits were bought', async () => {
    const { token, userId } = await app.register()
    const { generation } = (await generate(token)).body
    expect(await meanColour((await app.call(generation.imageUrl)).body)).toMatchObject(green)
    expect(await meanColour((await app.call(generation.thumbnailUrl)).body)).toMatchObject(green)

    await sql`update credit_accounts set bought_total = 100 where user_id = ${userId}`.execute(
      app.context.database,
    )
    const [item] = (await history(token)).items
    expect(item.watermarked).toBe(false)
    expect(await meanColour((await app.call(item.imageUrl)).body)).toMatchObject(red)
    await sql`update credit_accounts set bought_total = 0 where user_id = ${userId}`.execute(
      app.context.database,
    )
  })

  test('can be downloaded as a PNG under a name of its own', async () => {
    const { token } = await app.register()
    const { generation } = (await generate(token)).body
    const png = await app.call(generation.downloadUrl)
    expect(png.headers.get('content-type')).toBe('image/png')
    expect(png.headers.get('content-disposition')).toMatch(
      /^attachment; filename="celebrity-selfie-\d+\.png"$/,
    )
    expect(png.body.subarray(1, 4).toString()).toBe('PNG')
  })

  test.for([
    [['tight_crop'], {}, 'warm'],
    [['tight_crop', 'turned'], {}, 'black-and-white'],
    [['several_faces'], {}, 'black-and-white'],
    [['several_faces'], { scene: 'own' }, 'black-and-white'],
    [['several_faces'], { scene: 'red-carpet' }, 'warm'],
    [['several_faces'], { background: 'a photo' }, 'warm'],
    [['tight_crop', 'eyes_closed'], {}, 'warm'],
    [['tight_crop', 'turned'], { look: 'warm' }, 'warm'],
    [['several_faces'], { look: 'natural' }, 'natural'],
    [['no_colour'], {}, 'black-and-white'],
    [['no_colour'], { scene: 'red-carpet' }, 'black-and-white'],
    [['no_colour'], { look: 'warm' }, 'warm'],
  ] as const)(
    'of a photo with %j and the wishes %j begins in the look %s',
    async ([hints, wishes, look]) => {
      const { token } = await app.register()
      app.engine.inspection.hints = [...hints]
      const background = 'background' in wishes ? await readPersonPhoto() : undefined
      const made = await generate(token, { ...wishes, background })
      app.engine.inspection.hints = []
      const { generationId, isGreyAdvised, greyHints } = made.body.generation
      const row = await findRow(app.context.database, 'generations', { id: generationId })
      expect([made.status, row?.look]).toEqual([200, look])
      expect(isGreyAdvised).toBe(look === 'black-and-white')
      expect(greyHints, 'because of what').toEqual(isGreyAdvised ? hints : [])
    },
  )

  test('is followed by stages as server-sent events', async () => {
    const { token } = await app.register()
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    app.engine.next.push(async (request) => {
      request.onStage?.('matting')
      begun.resolve()
      await go.promise
      request.onStage?.('blend')
      return makeTestSelfie()
    })
    const taken = await generate(token, {}, { prefer: 'respond-async' })
    expect([taken.status, taken.body.generation.state]).toEqual([202, 'running'])
    await begun.promise
    const events = app.call(`/api/generations/${taken.body.generation.generationId}/events`, {
      token,
    })
    go.resolve()
    const messages = (await events).body
      .toString()
      .split('\n\n')
      .filter((text: string) => text.startsWith('data: '))
      .map((text: string) => JSON.parse(text.slice(6)))
    expect((await events).headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(messages.at(-1)).toMatchObject({
      state: 'done',
      generation: { imageUrl: expect.any(String) },
    })
    expect(messages.slice(0, -1).every(({ state }: any) => state === 'running')).toBe(true)
  })

  test('finishes when the client has gone away, and its picture is in the history', async () => {
    const { token } = await app.register()
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    app.engine.next.push(async () => {
      begun.resolve()
      await go.promise
      return makeTestSelfie()
    })
    const leaving = new AbortController()
    const request = fetch(`${app.url}/api/ai?action=generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: await generateForm(),
      signal: leaving.signal,
    })
    await begun.promise
    leaving.abort()
    await expect(request).rejects.toThrow()
    go.resolve()
    await expect.poll(async () => (await history(token)).items[0]?.state).toBe('done')
    expect(await balance(token)).toBe(0)
  })

  test('with the same Idempotency-Key is made once and answered twice', async () => {
    const { token } = await app.register()
    const asked = app.engine.asked
    const key = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => generate(token, {}, key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.generation.generationId)).size).toBe(1)
    expect(app.engine.asked - asked).toBe(1)
    const other = await generate(token, { presetId: 'mina-asakuri' }, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict'])
  })
})

describe('a failed generation', () => {
  test('is tried again, and succeeds without a second credit', async () => {
    const { token } = await app.register()
    app.engine.next.push(async () => {
      throw new EngineCrashedError('exit')
    })
    expect((await generate(token)).status).toBe(200)
    expect(await balance(token)).toBe(0)
  })

  test('gives the credit back when every attempt failed, and says so', async () => {
    const { token } = await app.register()
    await consume(token)
    const fail = async () => {
      throw new Error('the provider is out of order')
    }
    app.engine.next.push(fail, fail, fail)
    const answer = await generate(token)
    expect(answer).toMatchObject({
      status: 502,
      body: {
        code: 'generation_failed',
        error: 'The selfie could not be made.',
      },
    })
    expect(await balance(token)).toBe(1)
    const ledger = (await app.call('/api/user?action=credit-history', { token })).body.items
    expect(ledger.map(({ reason }: any) => reason)).toEqual(['refunded', 'signup'])
    expect((await history(token)).items).toEqual([])
  })

  test('is not repeated when the photo itself was refused', async () => {
    const { token } = await app.register()
    app.engine.next.push(async () => {
      throw new PhotoError('face_missing', 'user')
    })
    const answer = await generate(token)
    expect(answer).toMatchObject({ status: 422, body: { code: 'face_missing' } })
    expect(await balance(token)).toBe(1)
  })

  test('whose hold had expired meanwhile gives no picture', async () => {
    const { token, userId } = await app.register()
    app.engine.next.push(async () => {
      await sql`
        with expired as (
          update credit_holds set state = 'expired', settled_at = now()
          where state = 'held' and account_id =
            (select id from credit_accounts where user_id = ${userId})
          returning account_id, amount
        )
        update credit_accounts set balance = balance + expired.amount
        from expired where id = expired.account_id
      `.execute(app.context.database)
      return makeTestSelfie()
    })
    expect((await generate(token)).status).toBe(502)
    expect(await balance(token)).toBe(1)
    const keys = []
    for await (const { key } of app.context.store.list('pictures')) {
      if (key.endsWith('.jpg')) keys.push(key)
    }
    const stored = await sql<{ key: string }>`
      select unnest(array[clean_key, watermarked_key, clean_thumbnail_key,
        watermarked_thumbnail_key]) as key from generations where state = 'done'
    `.execute(app.context.database)
    expect(keys.toSorted()).toEqual(stored.rows.map(({ key }) => key).toSorted())
  })

  test('whose photos could not be deleted at its end loses them when the job is tried again', async () => {
    const { token } = await app.register()
    const { generationId } = (await generate(token)).body.generation
    const readPhotoKeys = async () => {
      const { rows } = await sql`
        select user_photo_key from generations where id = ${generationId}
      `.execute(app.context.database)
      return rows
    }
    // The job that made it deletes its own photos after the answer has gone out, and says so last.
    await expect.poll(readPhotoKeys).toEqual([{ user_photo_key: null }])
    const key = `inputs/${generationId}/user-1x1.jpg`
    await app.context.store.put(key, Buffer.from('a photo'), 'image/jpeg')
    await sql`
      update generations set user_photo_key = ${key} where id = ${generationId}
    `.execute(app.context.database)
    await runGeneration(app.context, generationId, {
      isLastAttempt: false,
      signal: new AbortController().signal,
    })
    expect(await readInputKeys()).toEqual([])
    expect(await readPhotoKeys()).toEqual([{ user_photo_key: null }])
  })

  test('left behind by a dead worker gives the credit back', async () => {
    await using quiet = await openTestApp({ worker: false })
    const { token } = await quiet.register()
    const taken = await quiet.call('/api/ai?action=generate', {
      token,
      form: await generateForm(),
      headers: { prefer: 'respond-async' },
    })
    expect(taken.status).toBe(202)
    quiet.passTime(16 * 60_000)
    await sweepGenerations(quiet.context, new AbortController().signal)
    const { body } = await quiet.call('/api/user?action=profile', { token })
    expect(body.user.creditsBalance).toBe(1)
    expect((await auditBooks(quiet.context.database)).findings).toEqual([])
  })
})

const bothPhotos = /^Both user photo and celebrity photo are required$/

describe('bad input', () => {
  test.for([
    ['a text file named .jpg', { userPhoto: Buffer.from('hello, I am text') }, 415, 'photo_format'],
    ['a file of 0 bytes', { userPhoto: Buffer.alloc(0) }, 400, 'photo_empty'],
    [
      'an SVG',
      { userPhoto: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      415,
      'photo_format',
    ],
    ['no photo', { userPhoto: undefined }, 400, 'photos_required'],
    ['no star', { presetId: undefined }, 400, 'photos_required'],
    ['an unknown star', { presetId: 'nobody' }, 400, 'preset_unknown'],
    ['a star of an earlier version', { presetId: 'zuvia' }, 400, 'preset_unknown'],
    ['a scene that does not exist', { scene: 'moon' }, 400, 'invalid_request'],
    ['a face number below zero', { userFaceIndex: '-1' }, 400, 'invalid_request'],
    ['a prompt that is too long', { prompt: 'x'.repeat(301) }, 400, 'prompt_too_long'],
    ['a file in a field of its own making', { passport: Buffer.from('x') }, 400, 'invalid_request'],
  ] as const)('%s is refused and the held credit comes back', async ([, form, status, code]) => {
    const { token } = await app.register()
    const { holdId } = (await consume(token)).body
    const answer = await generate(token, form, {}, holdId)
    expect(answer).toMatchObject({ status, body: { success: false, code } })
    const sentence = code === 'photos_required' ? bothPhotos : /\w+ .*\w/
    expect(answer.body.error).toMatch(sentence)
    expect(await balance(token)).toBe(1)
  })

  test('a truncated JPEG is refused', async () => {
    const { token } = await app.register()
    const whole = await readPersonPhoto()
    const answer = await generate(token, { userPhoto: whole.subarray(0, whole.length / 2) })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'photo_damaged',
        error: 'Your photo: This file is damaged. Please choose another one.',
        photo: 'user',
      },
    })
  })

  test('a file over 15 MB is refused', async () => {
    const { token } = await app.register()
    const answer = await generate(token, { userPhoto: Buffer.alloc(15 * 1024 * 1024 + 1) })
    expect([answer.status, answer.body.code]).toEqual([413, 'photo_too_large'])
  })

  test('a photo that the inspection refuses uses no credit and makes no picture', async () => {
    const { token } = await app.register()
    const { holdId } = (await consume(token)).body
    app.engine.inspection.refusals = ['face_too_small']
    const asked = app.engine.asked
    const answer = await generate(token, {}, {}, holdId)
    expect([answer.status, answer.body.code]).toEqual([422, 'face_too_small'])
    expect([await balance(token), app.engine.asked]).toEqual([1, asked])
  })

  test('a custom star without the confirmation of consent is refused', async () => {
    const { token } = await app.register()
    const custom = { presetId: undefined, celebrityPhoto: await readPersonPhoto('mina-asakuri') }
    expect((await generate(token, custom)).body.code).toBe('consent_required')
    expect((await generate(token, { ...custom, consent: 'true' })).status).toBe(200)
  })

  test('a second generation while one runs is refused and gives its hold back', async () => {
    const { token, userId } = await app.register()
    await sql`
      insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
      select ${`gift:${userId}`}, 'correction', system.id, mine.id, 5
      from credit_accounts as system, credit_accounts as mine
      where system.name = 'correction' and mine.user_id = ${userId}
    `.execute(app.context.database)
    await sql`update credit_accounts set balance = balance + 5 where user_id = ${userId}`.execute(
      app.context.database,
    )
    const go = Promise.withResolvers<void>()
    app.engine.next.push(async () => {
      await go.promise
      return makeTestSelfie()
    })
    await generate(token, {}, { prefer: 'respond-async' })
    const { holdId } = (await consume(token)).body
    const second = await generate(token, { presetId: 'mina-asakuri' }, {}, holdId)
    expect([second.status, second.body.code]).toEqual([409, 'generation_running'])
    expect(await balance(token)).toBe(5)
    go.resolve()
    await expect.poll(async () => (await history(token)).items[0]?.state).toBe('done')
    expect(await balance(token)).toBe(5)
  })

  test('without a credit nothing is made', async () => {
    const { token } = await app.register()
    await generate(token)
    const { asked } = app.engine
    const answer = await generate(token, { presetId: 'henrik-solmark' })
    expect([answer.status, answer.body.error]).toEqual([
      402,
      'Insufficient credits. Please purchase credits to generate photos.',
    ])
    expect([app.engine.asked, (await history(token)).total]).toEqual([asked, 1])
  })

  test('a body that is no form is refused', async () => {
    const { token } = await app.register()
    const answer = await app.call('/api/ai?action=generate', { token, json: { userPhoto: 'x' } })
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('nobody generates without a token', async () => {
    const answer = await app.call('/api/ai?action=generate', { form: await generateForm() })
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing'])
  })
})

describe('consume-credits', () => {
  test.for([0, -1, 0.5, 101, '1', null, [], Number.MAX_SAFE_INTEGER] as const)(
    'refuses an amount of %j',
    async (amount) => {
      const { token } = await app.register()
      const answer = await consume(token, { amount })
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'amount_invalid',
          error: 'The amount must be a whole number of credits from 1 to 100.',
        },
      })
      expect(await balance(token)).toBe(1)
    },
  )

  test('lets one of a thousand concurrent calls on a balance of 1 succeed', async () => {
    const { token } = await app.register()
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => consume(token)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 402)).toHaveLength(999)
    expect(await balance(token)).toBe(0)
  })

  test('with the same Idempotency-Key holds once', async () => {
    const { token } = await app.register()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const [first, second] = [await consume(token, {}, key), await consume(token, {}, key)]
    expect(second.body).toEqual(first.body)
    expect((await consume(token, { amount: 2 }, key)).body.code).toBe('idempotency_conflict')
  })

  test('defaults to one credit for photo generation', async () => {
    const { token } = await app.register()
    await consume(token)
    const { items } = (await app.call('/api/user?action=credit-history', { token })).body
    expect(items[0]).toMatchObject({ reason: 'held', amount: -1, description: 'Photo generation' })
  })
})

describe('pictures', () => {
  test('open by their signed address only, until it expires', async () => {
    const { token } = await app.register()
    const { generation } = (await generate(token)).body
    const url = new URL(generation.imageUrl, app.url)
    const open = async (change: (url: URL) => void) => {
      const changed = new URL(url)
      change(changed)
      return (await app.call(changed.pathname + changed.search)).status
    }
    expect(await open(() => {})).toBe(200)
    expect(await open((it) => it.searchParams.delete('signature'))).toBe(404)
    expect(await open((it) => it.searchParams.set('expires', '99999999999999'))).toBe(404)
    expect(
      await open((it) => (it.pathname = it.pathname.replace('picture.jpg', 'picture.png'))),
    ).toBe(404)
    expect(await open((it) => (it.pathname = it.pathname.replace(/[0-9a-f]-/, 'x-')))).toBe(404)
  })

  test("are nobody else's: not to see, delete or share", async () => {
    const owner = await app.register()
    const other = await app.register()
    const { generationId } = (await generate(owner.token)).body.generation
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/events'],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/share'],
    ]) {
      const answer = await app.call(`/api/generations/${generationId}${suffix}`, {
        method: method ?? '',
        token: other.token,
      })
      expect([answer.status, answer.body.code]).toEqual([404, 'generation_unknown'])
    }
  })

  test('can be deleted, brought back, and are gone for good after a while', async () => {
    await using own = await openTestApp()
    own.stopTime()
    const { token } = await own.register()
    const made = await own.call('/api/ai?action=generate', { token, form: await generateForm() })
    const { generationId, imageUrl } = made.body.generation
    const path = `/api/generations/${generationId}`
    const items = async () => (await own.call('/api/generations', { token })).body.items

    await own.call(path, { method: 'DELETE', token })
    expect([(await own.call(imageUrl)).status, await items()]).toEqual([404, []])
    await own.call(`${path}/restore`, { method: 'POST', token })
    expect([(await own.call(imageUrl)).status, (await items()).length]).toEqual([200, 1])

    await own.call(path, { method: 'DELETE', token })
    own.passTime(31_000)
    await sweepGenerations(own.context, new AbortController().signal)
    const objects = []
    for await (const { key } of own.context.store.list('pictures')) objects.push(key)
    expect(objects).toEqual([])
    expect((await own.call(`${path}/restore`, { method: 'POST', token })).status).toBe(404)
  })

  test('are paged through, newest first', async () => {
    const { token, userId } = await app.register()
    await generate(token)
    await sql`
      insert into credit_holds (account_id, amount, reference, description, created_at, expires_at,
        state, settled_at)
      select account.id, 1, 'page ' || n, '', now(), now() + interval '1 hour', 'released', now()
      from credit_accounts as account, generate_series(1, 30) as n where user_id = ${userId}
    `.execute(app.context.database)
    await sql`
      insert into generations (user_id, hold_id, request_digest, state, stage, celebrity, aspect,
        resolution, clean_key, watermarked_key, width_px, height_px, created_at, finished_at)
      select ${userId}, hold.id, '', 'done', 'done', hold.reference, '4:5', 'standard', 'x', 'x',
        1, 1, date_trunc('milliseconds', now() - interval '1 minute'), now()
      from credit_holds as hold join credit_accounts as account on account.id = hold.account_id
      where account.user_id = ${userId} and hold.reference like 'page %'
    `.execute(app.context.database)
    const first = await history(token)
    const second = (await app.call(`/api/generations?cursor=${first.nextCursor}`, { token })).body
    const ids = [...first.items, ...second.items].map(({ generationId }: any) => generationId)
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([24, 7, null])
    expect([new Set(ids).size, first.total]).toEqual([31, 31])
    await sql`delete from generations where user_id = ${userId} and clean_key = 'x'`.execute(
      app.context.database,
    )
    expect((await app.call('/api/generations?cursor=%00bad', { token })).status).toBe(400)
  })
})

describe('sharing', () => {
  test('opens a public link with an unguessable id, and revoking closes it', async () => {
    const { token } = await app.register()
    const { generationId } = (await generate(token)).body.generation
    const path = `/api/generations/${generationId}/share`
    const { shareUrl } = (await app.call(path, { method: 'POST', token })).body.generation
    const link = new URL(shareUrl)
    expect(link.origin).toBe('https://selfie.example')
    expect(link.searchParams.get('ref')).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    const shareId = link.searchParams.get('selfie') ?? ''
    expect(shareId).toMatch(/^[\w-]{22}$/)
    const picture = await app.call(`/api/shares/${shareId}/picture.jpg`)
    expect(await meanColour(picture.body)).toMatchObject(green)

    await app.call(path, { method: 'DELETE', token })
    expect((await app.call(`/api/shares/${shareId}/picture.jpg`)).status).toBe(404)
    const again = (await app.call(path, { method: 'POST', token })).body.generation
    expect(again.shareUrl).not.toBe(shareUrl)
  })
})

describe('the account', () => {
  test('is exported as one document', async () => {
    const { token } = await app.register()
    await generate(token)
    const { body } = await app.call('/api/user?action=export', { token })
    expect(body).toMatchObject({
      account: { creditsBalance: 0 },
      creditHistory: [{ reason: 'usage' }, { reason: 'signup' }],
      selfies: [{ celebrity: 'Elena Vassandri' }],
    })
  })

  test('is deleted with its pictures and links, and the books stay', async () => {
    const { token, userId } = await app.register()
    const { imageUrl, generationId } = (await generate(token)).body.generation
    const wrong = await app.call('/api/user?action=delete-account', {
      token,
      json: { password: 'wrong' },
    })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'password_wrong'])
    const gone = await app.call('/api/user?action=delete-account', {
      token,
      json: { password: 'correct horse' },
    })
    expect(gone.status).toBe(200)
    expect((await app.call('/api/user?action=profile', { token })).status).toBe(401)
    expect((await app.call(imageUrl)).status).toBe(404)
    for await (const { key } of app.context.store.list('pictures')) {
      expect(key).not.toContain(generationId)
    }
    const { rows } = await sql<{ entries: number }>`
      select count(*)::int as entries from ledger_entries where reference = ${`signup:${userId}`}
    `.execute(app.context.database)
    expect(rows[0]?.entries).toBe(1)
  })
})

test('the photo check says what it found, for no credit', async () => {
  const { token } = await app.register()
  const form = new FormData()
  form.set('photo', new Blob([Uint8Array.from(await createTestJpeg(green))]), 'me.jpg')
  app.engine.inspection.refusals = ['face_missing']
  const { status, body } = await app.call('/api/ai?action=inspect', { token, form })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    usable: false,
    refusals: [{ code: 'face_missing', sentence: expect.stringMatching(/No face was found/) }],
    widthPx: 1024,
    heightPx: 1280,
  })
  expect(await balance(token)).toBe(1)
})

test('a program that stops ends its streams and waits at once, and loses no work', async () => {
  const stopped = await openTestApp()
  const go = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  stopped.engine.next.push(async () => {
    begun.resolve()
    await go.promise
    return makeTestSelfie()
  })
  const { token } = await stopped.register()
  const waiting = stopped.call('/api/ai?action=generate', { token, form: await generateForm() })
  await begun.promise
  const { items } = (await stopped.call('/api/generations', { token })).body
  const stream = await fetch(`${stopped.url}/api/generations/${items[0].generationId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const closing = stopped[Symbol.asyncDispose]()
  expect([(await waiting).status, (await waiting).body.generation.state]).toEqual([202, 'running'])
  expect(await stream.text()).toMatch(/"state":"running"/)
  go.resolve()
  await closing
})
