import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { adjustmentsMax } from '@starside/contract/limits.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { LayersError } from '@starside/engine/compositor/layers/layers-error.ts'
import type { SheetVariation } from '@starside/engine/engine-calls.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { grantCredits } from '../../ledger/credits/grant.ts'
import { arrangementAt } from '../../testing/arrangement-at.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { makeGeneration } from '../../testing/make-generation.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import { signIn } from '../../testing/sign-in.ts'
import type { AdjustCall } from '../../testing/scripted-engine.ts'
import { createTestJpeg } from '../../testing/test-photo.ts'
import { checkInputs } from '../check-inputs.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { completeGeneration } from '../finish-generation.ts'
import { findRemovable, removeGeneration } from '../delete-generation.ts'
import { sweepGenerations } from '../sweep.ts'
import { storeSheet } from './store-sheet.ts'
import { listKeys } from '../../testing/list-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const layers = Buffer.from('the cut-outs, the background, the measures')
let calls: AdjustCall[] = []

beforeEach(async () => {
  calls = []
  app.engine.sheet = { variations: await Promise.all([0.4, 0.5, 0.6].map(variationAt)), layers }
  app.engine.more = [await variationAt(0.7)]
  app.engine.adjust = async (call) => {
    calls.push(call)
  }
})
afterEach(async () => {
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

async function variationAt(x: number): Promise<SheetVariation> {
  return {
    arrangement: arrangementAt(x),
    quality: x,
    clean: await createTestJpeg({ red: 250, green: 0, blue: Math.round(x * 250), widthPx: 320 }),
    watermarked: await createTestJpeg({
      red: 0,
      green: 250,
      blue: Math.round(x * 250),
      widthPx: 320,
    }),
    widthPx: 410,
    heightPx: 512,
  }
}

/** Somebody with one finished selfie and its three variations, stored as the job does. */
async function makeSelfie(own = app) {
  const { context, engine } = own
  const { token, userId } = await signIn(context)
  const { generationId } = await makeGeneration(context.database, { userId })
  const best = await makeTestSelfie()
  const judged = { selfie: best, pictureHash: '0' }
  const stored = await storeSheet(context, generationId, { ...engine.sheet, best: judged })
  await completeGeneration(context, generationId, {
    stored,
    selfie: best,
    layersExpireAt: new Date(context.clock().getTime() + context.config.layersMinutes * 60_000),
  })
  const path = `/api/generations/${generationId}`
  const { generation } = (await own.call(path, { token })).body
  return { token, userId, generation, path }
}

/** The same by the call, with photos. */
async function generateSelfie(own = app, person = {}) {
  const { token, userId } = await own.register(person)
  const made = await own.call('/api/ai?action=generate', { token, form: await generateForm() })
  expect(made.status).toBe(200)
  const { generation } = made.body
  return { token, userId, generation, path: `/api/generations/${generation.generationId}` }
}

const balanceOf = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance

const bytesAt = async (address: string): Promise<Buffer> => (await app.call(address)).body

const preview = (
  path: string,
  token: string | undefined,
  arrangement: unknown = arrangementAt(0.3),
  own = app,
) => own.call(`${path}/preview`, { token, json: { arrangement, withPeople: true, isLarge: false } })

const save = (path: string, token: string | undefined, arrangement: unknown = arrangementAt(0.3)) =>
  app.call(`${path}/variations`, { token, json: { arrangement } })

const choose = (path: string, token: string, variationId: string, own = app) =>
  own.call(`${path}/chosen`, { method: 'PUT', token, json: { variationId } })

const listObjects = (prefix: string, own = app) => listKeys(own.context.store, prefix)

/** Gives somebody the credits of a purchase. */
async function buyCredits({ userId }: { userId: string }) {
  await grantCredits(app.context.database, {
    userId,
    amount: 100,
    reason: 'purchase',
    description: '',
    reference: `order:test ${userId}`,
    now: new Date(),
  })
}

describe('one credit', () => {
  test('buys several variations, the best first and shown', async () => {
    const { token, generation } = await generateSelfie()
    expect(generation.variations).toHaveLength(3)
    expect(generation.variations[0]).toMatchObject({ isChosen: true, isRendered: true })
    expect(generation.variations[0].widthPx).toBe(1024)
    expect(generation.variations[1]).toMatchObject({
      isChosen: false,
      isRendered: false,
      source: 'made',
      arrangement: arrangementAt(0.5),
      downloadUrl: null,
      widthPx: 410,
    })
    expect(generation.hasMoreVariations).toBe(true)
    expect(await balanceOf(token)).toBe(0)
  })

  test('shows a free person the brand mark on each of them, and a buyer none', async () => {
    const { generation, userId } = await generateSelfie()
    const { imageUrl } = generation.variations[1]
    const { watermarked, clean } = app.engine.sheet.variations[1]!
    expect(await bytesAt(imageUrl)).toEqual(Buffer.from(watermarked))
    await buyCredits({ userId })
    expect(await bytesAt(imageUrl)).toEqual(Buffer.from(clean))
  })

  test('lists the variations in the gallery', async () => {
    const { token } = await generateSelfie()
    const { items } = (await app.call('/api/generations', { token })).body
    expect(items[0].variations).toHaveLength(3)
  })

  test('shows those that an earlier version stored without their share of moved light', async () => {
    const { token, path } = await makeSelfie()
    await sql`update variations set arrangement = arrangement || '{"light": 1}'`.execute(
      app.context.database,
    )
    const { generation } = (await app.call(path, { token })).body
    const { arrangement } = generation.variations[1]
    expect(arrangement).not.toHaveProperty('light')
    expect((await preview(path, token, arrangement)).status).toBe(200)
  })

  test('lists a variation with the look that it was arranged with', async () => {
    const { token, path } = await makeSelfie()
    await save(path, token, { ...arrangementAt(0.3), look: 'instant' })
    const { generation } = (await app.call(path, { token })).body
    const looks = generation.variations.map(({ look }: VariationItem) => look)
    expect(looks).toEqual(['natural', 'natural', 'natural', 'instant'])
  })

  test('buys a picture alone where the engine made no others', async () => {
    app.engine.sheet = { variations: [], layers: undefined }
    const { token, path, generation } = await generateSelfie()
    expect(generation).toMatchObject({ variations: [], adjustableUntil: null })
    expect((await preview(path, token)).body.code).toBe('layers_expired')
  })
})

describe('the address of a variation', () => {
  test('opens only with its own signature, for its own time', async () => {
    const { generation } = await makeSelfie()
    const [best, other] = generation.variations
    const swapped = other.imageUrl.replace(other.variationId, best.variationId)
    expect((await app.call(swapped)).body.code).toBe('generation_unknown')
    const plain = other.imageUrl.replace(`variations/${other.variationId}/`, '')
    expect((await app.call(plain)).body.code).toBe('generation_unknown')
    const longer = other.imageUrl.replace(/expires=\d/, 'expires=9')
    expect((await app.call(longer)).body.code).toBe('generation_unknown')
  })

  test('opens a PNG only once it was made at full size', async () => {
    const { token, path, generation } = await makeSelfie()
    const { variationId } = generation.variations[1]
    const chosen = (await choose(path, token, variationId)).body.generation
    const { downloadUrl } = chosen.variations[1]
    expect((await app.call(downloadUrl)).headers.get('content-type')).toBe('image/png')
  })
})

describe('choosing a variation', () => {
  test('makes it at full size once and shows the selfie as it, for no credit', async () => {
    const { token, path, generation } = await makeSelfie()
    const { variationId } = generation.variations[2]
    const answer = await choose(path, token, variationId)
    expect(answer.status).toBe(200)
    const shown = answer.body.generation
    expect(shown.variations[2]).toMatchObject({ isChosen: true, isRendered: true, widthPx: 1024 })
    expect(shown.variations[0].isChosen).toBe(false)
    expect(shown.imageUrl).toBe(shown.variations[2].imageUrl)
    expect(calls).toMatchObject([{ method: 'renderVariation', arrangement: arrangementAt(0.6) }])
    await choose(path, token, variationId)
    expect(calls).toHaveLength(1)
    expect(await balanceOf(token)).toBe(0)
  })

  test('gives the best one its plain address again', async () => {
    const { token, path, generation } = await makeSelfie()
    const [best, , last] = generation.variations
    await choose(path, token, last.variationId)
    const back = (await choose(path, token, best.variationId)).body.generation
    expect(back.imageUrl.split('?')[0]).toBe(generation.imageUrl.split('?')[0])
    expect(back.variations[0].isChosen).toBe(true)
  })

  test('side by side makes it once', async () => {
    const { token, path, generation } = await makeSelfie()
    const { variationId } = generation.variations[1]
    const answers = await Promise.all([1, 2, 3].map(() => choose(path, token, variationId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const own = (await listObjects('variations')).filter((key) =>
      key.includes(generation.generationId),
    )
    expect(own.filter((key) => key.endsWith('-clean.jpg'))).toHaveLength(2)
  })

  test('finishes the small picture when the layers are gone', async () => {
    const { token, path, generation } = await makeSelfie()
    await app.call(`${path}/layers`, { method: 'DELETE', token })
    const answer = await choose(path, token, generation.variations[1].variationId)
    expect(answer.body.generation.variations[1]).toMatchObject({ isChosen: true, isRendered: true })
    expect(answer.body.generation.variations[1].widthPx).toBe(320)
    expect(calls).toEqual([])
  })

  test('finishes the small picture when another version stored the layers', async () => {
    const { token, path, generation } = await makeSelfie()
    app.engine.adjust = async () => {
      throw new LayersError('layers_unreadable')
    }
    const refused = await save(path, token)
    expect(refused.body).toMatchObject({
      code: 'layers_unreadable',
      error: expect.stringContaining('This picture is too old to adjust'),
    })
    const answer = await choose(path, token, generation.variations[2].variationId)
    expect(answer.status).toBe(200)
    expect(answer.body.generation.variations[2]).toMatchObject({ isChosen: true, widthPx: 320 })
  })

  test('of one that is deleted meanwhile leaves the selfie as it was', async () => {
    const { token, path, generation } = await makeSelfie()
    const { variationId } = generation.variations[1]
    app.engine.adjust = async () => {
      await app.call(`${path}/variations/${variationId}`, { method: 'DELETE', token })
    }
    expect((await choose(path, token, variationId)).body.code).toBe('variation_unknown')
    const { body } = await app.call(path, { token })
    expect(body.generation.variations[0].isChosen).toBe(true)
  })

  test('knows no other person’s variation, nor one of another selfie', async () => {
    const mine = await makeSelfie()
    const other = await makeSelfie()
    const { variationId } = mine.generation.variations[1]
    expect((await choose(mine.path, other.token, variationId)).body.code).toBe('generation_unknown')
    expect((await choose(other.path, other.token, variationId)).body.code).toBe('variation_unknown')
    expect(calls).toEqual([])
  })
})

describe('adjusting', () => {
  test('shows a small picture with what of a border would be seen, and keeps nothing', async () => {
    const { token, path } = await makeSelfie()
    const before = await listObjects('variations')
    const answer = await preview(path, token)
    expect(answer.body).toMatchObject({ widthPx: 410, heightPx: 512, visibleBorder: 0.25 })
    expect(answer.body.mended).toEqual([{ x: 0.3, y: 0.6, size: 0.2 }])
    expect(calls).toMatchObject([{ method: 'previewVariation', arrangement: arrangementAt(0.3) }])
    expect(Buffer.from(calls[0]!.layers)).toEqual(layers)
    expect(await listObjects('variations')).toEqual(before)
  })

  test('burns the brand mark into all that a free person is sent, and nothing into a buyer’s', async () => {
    const { token, path, userId } = await makeSelfie()
    await preview(path, token)
    expect(calls.map(({ watermarkText }) => watermarkText)).toEqual(['selfie.example'])
    await buyCredits({ userId })
    await preview(path, token)
    expect(calls.slice(1).map(({ watermarkText }) => watermarkText)).toEqual([undefined])
  })

  test('shows a larger picture to who looks at it enlarged, with the brand mark too', async () => {
    const { token, path } = await makeSelfie()
    const json = { arrangement: arrangementAt(0.3), withPeople: false, isLarge: true }
    expect((await app.call(`${path}/preview`, { token, json })).body.people).toBeNull()
    expect(calls).toMatchObject([{ longSidePx: 1280, watermarkText: 'selfie.example' }])
  })

  test('ends a preview with whoever asked for it, and saves a version whoever waits', async () => {
    const { token, path } = await makeSelfie()
    const asked = Promise.withResolvers<AdjustCall>()
    const finished = Promise.withResolvers<void>()
    app.engine.adjust = async (call) => {
      asked.resolve(call)
      await (call.method === 'previewVariation'
        ? once(call.signal!, 'abort')
        : finished.promise.then(() => call.signal!.throwIfAborted()))
    }
    const leave = async (address: string, json: object) => {
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const { signal } = leaving
      const options = { method: 'POST', headers, body: JSON.stringify(json), signal }
      const answer = fetch(`${app.url}${address}`, options)
      const call = await asked.promise
      const connections = await app.countConnections()
      leaving.abort()
      await expect(answer).rejects.toThrow()
      await expect.poll(() => app.countConnections()).toBeLessThan(connections)
      return call
    }
    const arrangement = arrangementAt(0.3)
    const shown = { arrangement, withPeople: false, isLarge: false }
    const { signal } = await leave(`${path}/preview`, shown)
    await expect.poll(() => signal!.aborted).toBe(true)
    Object.assign(asked, Promise.withResolvers<AdjustCall>())
    await leave(`${path}/variations`, { arrangement })
    finished.resolve()
    const kept = async () => (await app.call(path, { token })).body.generation.variations.length
    await expect.poll(kept).toBe(4)
  })

  test('saves a version, which the selfie is then shown as, for no credit', async () => {
    const { token, path } = await makeSelfie()
    const answer = await save(path, token)
    expect(answer.status).toBe(200)
    const { variations } = answer.body.generation
    expect(variations.at(-1)).toMatchObject({
      source: 'adjusted',
      isChosen: true,
      isRendered: true,
      arrangement: arrangementAt(0.3),
    })
    expect(await balanceOf(token)).toBe(0)
  })

  test('keeps so many versions and no more, also side by side', async () => {
    const { token, path, generation } = await makeSelfie()
    await sql`
      insert into variations (generation_id, position, source, arrangement, clean_preview_key,
        watermarked_preview_key, width_px, height_px, created_at)
      select ${generation.generationId}, 10 + n, 'adjusted', '{}', 'c' || n, 'w' || n, 1, 1, now()
      from generate_series(1, ${adjustmentsMax - 1}::integer) as n
    `.execute(app.context.database)
    await sql`
      update variations set arrangement = ${JSON.stringify(arrangementAt(0.2))}
      where generation_id = ${generation.generationId}
    `.execute(app.context.database)
    const answers = await Promise.all([1, 2].map(() => save(path, token)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ])
    expect((await save(path, token)).body.code).toBe('variations_too_many')
  })

  test.each([
    ['heads of no number', { ...arrangementAt(0.3), subjects: [{ x: null }, { x: null }] }],
    ['a negative size', withSubject({ size: -0.3 })],
    ['a size of everything', withSubject({ size: 40 })],
    ['somebody far outside', withSubject({ x: 900 })],
    [
      'a thousand people',
      { ...arrangementAt(0.3), subjects: Array(1000).fill(arrangementAt(0.3).subjects[0]) },
    ],
    ['one person', { ...arrangementAt(0.3), subjects: arrangementAt(0.3).subjects.slice(1) }],
    ['an order that names one twice', { ...arrangementAt(0.3), frontToBack: [1, 1] }],
    ['an order of absent people', { ...arrangementAt(0.3), frontToBack: [0, 2] }],
    ['an unknown field', { ...arrangementAt(0.3), url: 'http://127.0.0.1/' }],
    ['an unknown scene', { ...arrangementAt(0.3), scene: '../../etc' }],
    ['a caption without end', { ...arrangementAt(0.3), caption: 'x'.repeat(41) }],
    ['nothing', undefined],
  ])('refuses %s before the engine is asked', async (_, arrangement) => {
    const { token, path } = await makeSelfie()
    for (const call of [preview, save]) {
      const answer = await app.call(`${path}/${call === preview ? 'preview' : 'variations'}`, {
        token,
        json: { arrangement },
      })
      expect(answer.status).toBe(400)
      expect(answer.body.code).toBe('invalid_request')
    }
    expect(calls).toEqual([])
  })

  test.each([
    ['arrangement_unfit', 'arrangement_unfit', 422],
    ['caption_unreadable', 'caption_letters', 422],
    ['layers_unreadable', 'layers_unreadable', 410],
  ] as const)('tells %s of the engine as %s', async (fault, code, status) => {
    const { token, path } = await makeSelfie()
    app.engine.adjust = async () => {
      throw new LayersError(fault)
    }
    for (const answer of [await preview(path, token), await save(path, token)]) {
      expect(answer.body.code).toBe(code)
      expect(answer.status).toBe(status)
    }
  })

  test('needs the owner', async () => {
    const { path } = await makeSelfie()
    const stranger = await app.register()
    expect((await preview(path, stranger.token)).body.code).toBe('generation_unknown')
    expect((await save(path, stranger.token)).body.code).toBe('generation_unknown')
    expect((await preview(path, undefined)).status).toBe(401)
    expect(calls).toEqual([])
  })

  test('leaves no object behind when the picture is deleted meanwhile', async () => {
    const { token, path } = await makeSelfie()
    app.engine.adjust = async () => {
      await app.call(path, { method: 'DELETE', token })
    }
    const before = await listObjects('variations')
    expect((await save(path, token)).body.code).toBe('generation_unknown')
    expect(await listObjects('variations')).toEqual(before)
  })
})

describe('other variations', () => {
  test('are made once, without a credit, and differ from those that there are', async () => {
    const { token, path } = await makeSelfie()
    const answer = await app.call(`${path}/variations/more`, { method: 'POST', token })
    expect(answer.status).toBe(200)
    expect(answer.body.generation.variations.at(-1)).toMatchObject({
      source: 'more',
      arrangement: arrangementAt(0.7),
    })
    expect(answer.body.generation.hasMoreVariations).toBe(false)
    expect(calls[0]!.except).toHaveLength(3)
    const again = await app.call(`${path}/variations/more`, { method: 'POST', token })
    expect(again.body.code).toBe('more_variations_made')
    expect(await balanceOf(token)).toBe(0)
  })

  test('asked for side by side are made once', async () => {
    const { token, path } = await makeSelfie()
    const ask = () => app.call(`${path}/variations/more`, { method: 'POST', token })
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ])
  })

  test('that fail can be asked for again', async () => {
    const { token, path } = await makeSelfie()
    app.engine.adjust = async () => {
      throw new Error('the engine died')
    }
    const ask = () => app.call(`${path}/variations/more`, { method: 'POST', token })
    expect((await ask()).status).toBe(500)
    app.engine.adjust = async () => {}
    expect((await ask()).status).toBe(200)
  })
})

describe('deleting a variation', () => {
  const remove = (path: string, token: string, variationId: string, own = app) =>
    own.call(`${path}/variations/${variationId}`, { method: 'DELETE', token })
  const restore = (path: string, token: string, variationId: string, own = app) =>
    own.call(`${path}/variations/${variationId}/restore`, { method: 'POST', token })

  test('takes it away at once, its objects after half a minute; the one that is shown stays', async () => {
    await using own = await openTestApp()
    own.stopTime()
    own.engine.sheet = app.engine.sheet
    const { token, path, generation } = await makeSelfie(own)
    const [best, other] = generation.variations
    expect((await remove(path, token, best.variationId, own)).body.code).toBe('variation_chosen')
    const before = await listObjects('variations', own)
    const answer = await remove(path, token, other.variationId, own)
    expect(answer.body.generation.variations).toHaveLength(2)
    expect((await own.call(other.imageUrl)).status).toBe(404)
    expect((await choose(path, token, other.variationId, own)).body.code).toBe('variation_unknown')
    expect((await remove(path, token, other.variationId, own)).body.code).toBe('variation_unknown')
    expect((await remove(path, token, 'not-an-id', own)).body.code).toBe('variation_unknown')
    await sweepGenerations(own.context, new AbortController().signal)
    expect(await listObjects('variations', own)).toEqual(before)
    own.passTime(31_000)
    await sweepGenerations(own.context, new AbortController().signal)
    expect(before.length - (await listObjects('variations', own)).length).toBe(2)
    const late = await restore(path, token, other.variationId, own)
    expect(late.body.code).toBe('variation_unknown')
  })

  test('gives another that can still be brought back the whole time anew, and no earlier one', async () => {
    await using own = await openTestApp()
    own.stopTime()
    own.engine.sheet = {
      ...app.engine.sheet,
      variations: await Promise.all([0.3, 0.4, 0.5, 0.6].map(variationAt)),
    }
    const { token, path, generation } = await makeSelfie(own)
    const [, ...ids] = generation.variations.map(({ variationId }: VariationItem) => variationId)
    for (const id of ids) {
      await remove(path, token, id, own)
      own.passTime(id === ids[0] ? 31_000 : 29_000)
    }
    await sweepGenerations(own.context, new AbortController().signal)
    const answers = []
    for (const id of ids) answers.push((await restore(path, token, id, own)).body.code)
    expect(answers).toEqual(['variation_unknown', undefined, undefined])
  })

  test('can be undone, and the variation stands where it stood', async () => {
    const { token, path, generation } = await makeSelfie()
    const ids = generation.variations.map(({ variationId }: VariationItem) => variationId)
    await remove(path, token, ids[1])
    const stranger = await makeSelfie()
    expect((await restore(path, stranger.token, ids[1])).body.code).toBe('generation_unknown')
    expect((await restore(stranger.path, stranger.token, ids[1])).body.code).toBe(
      'variation_unknown',
    )
    const { variations } = (await restore(path, token, ids[1])).body.generation
    expect(variations.map(({ variationId }: VariationItem) => variationId)).toEqual(ids)
    expect((await app.call(variations[1].imageUrl)).status).toBe(200)
    expect((await restore(path, token, 'not-an-id')).body.code).toBe('variation_unknown')
  })
})

describe('the public link of a selfie', () => {
  const share = async (path: string, token: string): Promise<string> => {
    const { body } = await app.call(`${path}/share`, { method: 'POST', token })
    return new URL(body.generation.shareUrl).searchParams.get('selfie') ?? ''
  }
  const pictureOf = (shareId: string) => bytesAt(`/api/shares/${shareId}/picture.jpg`)
  const sharedOf = ({ body }: { body: { generation: { variations: VariationItem[] } } }) =>
    body.generation.variations.map(({ isShared }) => isShared)

  test('keeps the version that it was made for, until its owner shares another at it', async () => {
    const { token, path, generation } = await makeSelfie()
    const shareId = await share(path, token)
    const [given, card] = [await pictureOf(shareId), `/api/shares/${shareId}/card.jpg`]
    const cardBefore = await bytesAt(card)
    await save(path, token)
    const chosen = await choose(path, token, generation.variations[1].variationId)
    expect(sharedOf(chosen)).toEqual([true, false, false, false])
    expect((await pictureOf(shareId)).equals(given)).toBe(true)
    expect((await bytesAt(card)).equals(cardBefore)).toBe(true)
    expect(await share(path, token), 'the link is the same').toBe(shareId)
    expect(sharedOf(await app.call(path, { token }))).toEqual([false, true, false, false])
    const shown = chosen.body.generation.imageUrl
    expect((await pictureOf(shareId)).equals(await bytesAt(shown))).toBe(true)
  })

  test('goes for good with that version, and with no other', async () => {
    const { token, path, generation } = await makeSelfie()
    const shareId = await share(path, token)
    const [first, second, third] = generation.variations.map(
      (one: VariationItem) => one.variationId,
    )
    const remove = (id: string) => app.call(`${path}/variations/${id}`, { method: 'DELETE', token })
    await choose(path, token, third)
    expect((await remove(second)).body.generation.shareUrl).toContain(shareId)
    const gone = await remove(first)
    expect([gone.body.generation.shareUrl, ...sharedOf(gone)]).toEqual([null, false])
    await app.call(`${path}/variations/${first}/restore`, { method: 'POST', token })
    expect((await app.call(`/api/shares/${shareId}/picture.jpg`)).status).toBe(404)
    expect(await share(path, token)).not.toBe(shareId)
  })

  test('made by the version before keeps what it showed at the upgrade', async () => {
    const { token, path, generation } = await makeSelfie()
    await share(path, token)
    const { generationId } = generation
    const forget = sql`update generations set shared_variation_id = null where id = ${generationId}`
    await forget.execute(app.context.database)
    expect(sharedOf(await app.call(path, { token }))).toEqual([false, false, false])
    const migration = new URL('../../../migrations/0076-links-made-before.sql', import.meta.url)
    await sql.raw(await readFile(migration, 'utf8')).execute(app.context.database)
    expect(sharedOf(await app.call(path, { token }))).toEqual([true, false, false])
  })
})

/** An arrangement in which a brush has taken something from the first person. */
function retouchedAt(x: number, stroke: object = {}) {
  const erased = { kind: 'erase', size: 0.2, softness: 0.5, points: [{ x: 0, y: 0 }], ...stroke }
  const arrangement = arrangementAt(x)
  const [first, ...others] = arrangement.subjects
  return { ...arrangement, subjects: [{ ...first, retouch: [erased] }, ...others] }
}

describe('a retouched cut-out', () => {
  test('is drawn so, kept with its version, and forgotten with the layers alone', async () => {
    const { token, path } = await makeSelfie()
    const arrangement = retouchedAt(0.3)
    await preview(path, token, arrangement)
    const saved = await save(path, token, arrangement)
    expect(calls.map((call) => call.arrangement)).toEqual([arrangement, arrangement])
    const { variationId, ...version } = saved.body.generation.variations.at(-1)
    expect(version).toMatchObject({ arrangement, isRendered: true })
    await app.call(`${path}/variations/${variationId}`, { method: 'DELETE', token })
    await app.call(`${path}/variations/${variationId}/restore`, { method: 'POST', token })
    const restored = (await app.call(path, { token })).body.generation.variations
    expect(restored.at(-1).arrangement, 'brought back with it').toEqual(arrangement)

    await app.call(`${path}/layers`, { method: 'DELETE', token })
    const { variations } = (await app.call(path, { token })).body.generation
    expect(variations.at(-1)).toMatchObject({ arrangement: arrangementAt(0.3), isRendered: true })
    expect(JSON.stringify(variations)).not.toContain('retouch')
  })

  test.each([
    ['too many points', { points: Array.from({ length: 801 }, () => ({ x: 0, y: 0 })) }],
    [
      'points that leap',
      {
        points: [
          { x: 0, y: 0 },
          { x: 2, y: 0 },
        ],
      },
    ],
    ['points far away', { points: [{ x: 1e9, y: 0 }] }],
    ['no points', { points: [] }],
    ['a huge brush', { size: 50 }],
    ['another kind', { kind: 'paint' }],
    ['more than a stroke has', { colour: 'red' }],
  ])('is refused with %s, before the engine sees it', async (_, stroke) => {
    const { token, path } = await makeSelfie()
    const answer = await save(path, token, retouchedAt(0.3, stroke))
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(
      /^The field 'arrangement[.]subjects[.]0[.]retouch.*is not as expected[.]$/u,
    )
    const arrangement = retouchedAt(0.3)
    const retouch = Array.from({ length: 61 }, () => arrangement.subjects[0]!.retouch![0])
    const many = {
      ...arrangement,
      subjects: [{ ...arrangement.subjects[0], retouch }, arrangement.subjects[1]],
    }
    expect((await preview(path, token, many)).status).toBe(400)
    expect(calls).toEqual([])
  })
})

describe('layers', () => {
  test('lie encrypted in the store, under a key that stands in the row alone', async () => {
    const { generation } = await makeSelfie()
    const [key] = await listObjects(`layers/${generation.generationId}`)
    const stored = Buffer.from((await app.context.store.get(key!))!)
    expect(stored.includes(layers)).toBe(false)
    expect(stored.includes('cut-outs')).toBe(false)
  })

  test('of one picture open no other, even with their key', async () => {
    const one = await makeSelfie()
    const other = await makeSelfie()
    await sql`
      update generation_layers as layers
      set object_key = taken.object_key, encryption_key = taken.encryption_key
      from generation_layers as taken
      where layers.generation_id = ${other.generation.generationId}
        and taken.generation_id = ${one.generation.generationId}
    `.execute(app.context.database)
    expect((await preview(other.path, other.token)).body.code).toBe('layers_expired')
  })

  test('are deleted at once when their owner says so, with what was read, and the pictures stay', async () => {
    const { token, userId, path, generation } = await makeSelfie()
    const forgetting = vi.spyOn(app.context.engine, 'forgetPhotos')
    expect((await app.call(`${path}/layers`, { method: 'DELETE', token })).status).toBe(200)
    expect(forgetting.mock.calls).toEqual([[{ account: userId }]])
    forgetting.mockRestore()
    expect(await listObjects(`layers/${generation.generationId}`)).toEqual([])
    const { body } = await app.call(path, { token })
    expect(body.generation).toMatchObject({ adjustableUntil: null, hasMoreVariations: false })
    expect(body.generation.variations).toHaveLength(3)
    expect((await save(path, token)).body.code).toBe('layers_expired')
    expect((await app.call(`${path}/layers`, { method: 'DELETE', token })).status).toBe(200)
  })

  test('are never deleted by somebody else', async () => {
    const { token, path } = await makeSelfie()
    const stranger = await app.register()
    const forgetting = vi.spyOn(app.context.engine, 'forgetPhotos')
    const answer = await app.call(`${path}/layers`, { method: 'DELETE', token: stranger.token })
    expect(answer.body.code).toBe('generation_unknown')
    expect(forgetting).not.toHaveBeenCalled()
    forgetting.mockRestore()
    expect((await preview(path, token)).status).toBe(200)
  })

  test('can’t be used after half an hour, and the sweep takes key and object', async () => {
    await using own = await openTestApp()
    own.engine.sheet = app.engine.sheet
    own.stopTime()
    const { token, path, generation } = await makeSelfie(own)
    own.passTime(30 * 60_000 - 5_000)
    await sweepGenerations(own.context, new AbortController().signal)
    expect((await own.call(path, { token })).body.generation.adjustableUntil).not.toBeNull()
    own.passTime(10_000)
    const late = await preview(path, token, arrangementAt(0.3), own)
    expect(late.body.code).toBe('layers_expired')
    await sweepGenerations(own.context, new AbortController().signal)
    expect(await listObjects('layers', own)).toEqual([])
    const rows = await own.context.database.selectFrom('generation_layers').selectAll().execute()
    expect(rows).toEqual([])
    expect(generation.variations).toHaveLength(3)
  })

  test('are not made at all where the operator keeps none', async () => {
    await using own = await openTestApp({ settings: { LAYERS_MINUTES: '0' } })
    const asked: unknown[] = []
    own.engine.makeSheet = async function makeSheet(input, options) {
      asked.push(input.keepLayers)
      const { variations } = app.engine.sheet
      return { best: await this.makeSelfie(input, options), variations, layers: undefined }
    }
    const { generation } = await generateSelfie(own)
    expect(asked).toEqual([false])
    expect(generation).toMatchObject({ adjustableUntil: null, hasMoreVariations: false })
    expect(generation.variations).toHaveLength(3)
  })
})

describe('the same photos again', () => {
  test('are told to be made already, for no credit, where the caller asks before a repeat', async () => {
    const { token, userId } = await app.register()
    await buyCredits({ userId })
    const generate = async (fields: Record<string, string>) =>
      app.call('/api/ai?action=generate', { token, form: await generateForm(fields) })
    const { generation } = (await generate({ askBeforeRepeat: 'true' })).body
    const before = await balanceOf(token)
    const again = await generate({ askBeforeRepeat: 'true' })
    expect(again.body).toMatchObject({
      code: 'already_made',
      generationId: generation.generationId,
    })
    expect(await balanceOf(token)).toBe(before)
    expect((await generate({ askBeforeRepeat: 'true', scene: 'stage' })).status).toBe(200)
    expect((await generate({})).status).toBe(200)
    expect(await balanceOf(token)).toBe(before - 2)
  })

  test('are made anew once the layers are gone', async () => {
    const { token, userId } = await app.register()
    await buyCredits({ userId })
    const generate = async () =>
      app.call('/api/ai?action=generate', {
        token,
        form: await generateForm({ askBeforeRepeat: 'true' }),
      })
    const { generation } = (await generate()).body
    const layersPath = `/api/generations/${generation.generationId}/layers`
    await app.call(layersPath, { method: 'DELETE', token })
    expect((await generate()).status).toBe(200)
  })
})

test('the export has all variations, as the person may have them', async () => {
  const { token, generation } = await makeSelfie()
  const archive = (await app.call('/api/user?action=export&format=zip', { token })).body as Buffer
  const { variations } = app.engine.sheet
  for (const { watermarked, clean } of variations.slice(1)) {
    expect(archive.includes(Buffer.from(watermarked))).toBe(true)
    expect(archive.includes(Buffer.from(clean))).toBe(false)
  }
  const { variationId } = generation.variations[1]
  expect(archive.includes(`pictures/${generation.generationId}/${variationId}.jpg`)).toBe(true)
})

test('the hourly check finds layers that outlived their time', async () => {
  await using own = await openTestApp()
  own.engine.sheet = app.engine.sheet
  await makeSelfie(own)
  own.passTime(80 * 60_000)
  expect((await checkInputs(own.context)).overdue).toEqual([])
  own.passTime(15 * 60_000)
  expect((await checkInputs(own.context)).overdue).toHaveLength(1)
  expect(await listObjects('layers', own)).toEqual([])
})

describe('everything of a picture goes', () => {
  test('with the picture, once it can’t be brought back', async () => {
    await using own = await openTestApp()
    own.engine.sheet = app.engine.sheet
    const { token, path } = await makeSelfie(own)
    await own.call(`${path}/variations`, { token, json: { arrangement: arrangementAt(0.3) } })
    await own.call(path, { method: 'DELETE', token })
    expect((await preview(path, token, arrangementAt(0.3), own)).status).toBe(404)
    own.passTime(31_000)
    await sweepGenerations(own.context, new AbortController().signal)
    expect(await listFiles(own)).toEqual([])
    expect(await own.context.database.selectFrom('variations').selectAll().execute()).toEqual([])
  })

  test('with a take-down, at once', async () => {
    await using own = await openTestApp()
    own.engine.sheet = app.engine.sheet
    const { token, path, generation } = await makeSelfie(own)
    await choose(path, token, generation.variations[1].variationId, own)
    await own.call(`${path}/variations/${generation.variations[2].variationId}`, {
      method: 'DELETE',
      token,
    })
    const { database, clock, store } = own.context
    const row = await findRemovable(database, generation.generationId)
    const deleteFiles = await inTransaction(database, (transaction) =>
      removeGeneration(transaction, row!, { store, now: clock() }),
    )
    expect((await own.call(generation.variations[1].imageUrl)).status).toBe(404)
    expect((await preview(path, token, arrangementAt(0.3), own)).status).toBe(404)
    await deleteFiles()
    expect(await listFiles(own)).toEqual([])
  })

  test('with the account', async () => {
    await using own = await openTestApp()
    own.engine.sheet = app.engine.sheet
    const { password, ...person } = newPerson()
    const { token, path, generation } = await generateSelfie(own, { ...person, password })
    await own.call(`${path}/chosen`, {
      method: 'PUT',
      token,
      json: { variationId: generation.variations[1].variationId },
    })
    const answer = await own.call('/api/user?action=delete-account', {
      method: 'POST',
      token,
      json: { password },
    })
    expect(answer.status).toBe(200)
    expect(await listFiles(own)).toEqual([])
  })
})

/** Every object of a generation that is left in the store's folder. */
async function listFiles(own: TestApp): Promise<string[]> {
  const folder = join(own.context.config.dataFolder, 'objects')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) expect((await readFile(file)).length).toBeGreaterThan(0)
  return files
}

function withSubject(change: Partial<Arrangement['subjects'][number]>) {
  const arrangement = arrangementAt(0.3)
  return { ...arrangement, subjects: arrangement.subjects.map((each) => ({ ...each, ...change })) }
}
