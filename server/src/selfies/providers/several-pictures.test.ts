import type { DirectBehaviour } from '../../testing/vendors/direct-server.ts'
import type { FalBehaviour } from '../../testing/vendors/fal-server.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { removePicture } from '../../trust/reports/remove-picture.ts'
import { openHostedApp } from '../../testing/open-hosted-app.ts'
import type { HostedApp } from '../../testing/open-hosted-app.ts'
import { findPicture } from '../queries.ts'
import { describeCosts } from './describe-costs.ts'
import type { FaceDistances } from '../likeness/face-comparison.ts'
import { listKeys } from '../../testing/list-keys.ts'

let hosted: HostedApp
beforeAll(async () => {
  hosted = await openHostedApp({
    chain: 'openai:gpt-image-2',
    settings: { IMAGE_PICTURES: '3', IMAGE_CIRCUIT_FAILURES: '1000' },
  })
})
afterAll(() => hosted[Symbol.asyncDispose]())
afterEach(async () => {
  expect((await auditBooks(hosted.app.context.database)).findings).toEqual([])
})

const list = (prefix: string) => listKeys(hosted.app.context.store, prefix)

async function makeOne(...behaviours: DirectBehaviour[]) {
  const { token } = await hosted.signIn()
  hosted.direct.openai.next(...behaviours)
  const { status, body } = await hosted.generate(token)
  const item = body.generation
  const attempt = await hosted.lastAttempt()
  return { token, item, attempt, outcome: [status, body.code, await hosted.balance(token)] }
}

describe('a model that takes a count', () => {
  test('gives several pictures for one credit, all at full size and without an editor', async () => {
    const { token, item, attempt, outcome } = await makeOne()
    expect(outcome).toEqual([200, undefined, 0])
    expect(hosted.direct.openai.calls().at(-1)?.fields).toMatchObject({ n: '3' })
    // Each is paid by the operator.
    expect(attempt).toMatchObject({
      state: 'succeeded',
      cost_micro_usd: '180000',
      output_key: null,
      further_output_keys: [],
    })
    expect(item).toMatchObject({ adjustableUntil: null, hasMoreVariations: false })
    const about = { source: 'made', arrangement: null, isRendered: true }
    expect(item.variations).toMatchObject([
      { ...about, isChosen: true },
      { ...about, isChosen: false },
      { ...about, isChosen: false },
    ])
    // Deleted after the answer.
    await expect.poll(() => list(`inputs/${item.generationId}`)).toEqual([])
    expect((await list(`variations/${item.generationId}`)).length).toBe(12)
    const [, second] = item.variations
    const shown = await hosted.app.call(`/api/generations/${item.generationId}/chosen`, {
      method: 'PUT',
      token,
      json: { variationId: second.variationId },
    })
    expect(shown.status).toBe(200)
    expect(
      shown.body.generation.variations.map((each: { isChosen: boolean }) => each.isChosen),
    ).toEqual([false, true, false])
  })

  test('shows its best picture in other looks too, made at full size once they are chosen', async () => {
    const { app } = hosted
    app.engine.showsLooks = true
    const { token, item } = await makeOne()
    app.engine.showsLooks = false
    expect(item.variations.map(({ look }: VariationItem) => look)).toEqual([
      'natural',
      'black-and-white',
      'natural',
      'natural',
      'warm',
      'muted',
    ])
    const [best, grey] = item.variations
    expect([best.isChosen, grey.isRendered, grey.downloadUrl]).toEqual([true, false, null])
    const shown = await app.call(`/api/generations/${item.generationId}/chosen`, {
      method: 'PUT',
      token,
      json: { variationId: grey.variationId },
    })
    const { generation } = shown.body
    expect(generation.variations[1]).toMatchObject({ isChosen: true, isRendered: true })
    const row = await findPicture(app.context.database, item.generationId)
    const { channels } = await sharp(await app.context.store.get(row!.clean_key!)).stats()
    expect(channels[0]!.mean - channels[2]!.mean).toBeCloseTo(5, 0)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
    expect(await hosted.balance(token)).toBe(0)
  })

  test('is shown in the look that was wished for, beside the natural one', async () => {
    const { app } = hosted
    app.engine.showsLooks = true
    const { token } = await hosted.signIn()
    const { body } = await hosted.generate(token, { form: { look: 'black-and-white' } })
    app.engine.showsLooks = false
    const { variations } = body.generation
    expect(
      variations.map(({ look, isChosen, isRendered }: VariationItem) => [
        look,
        isChosen,
        isRendered,
      ]),
    ).toEqual([
      ['natural', false, true],
      ['black-and-white', true, true],
      ['warm', false, false],
      ['natural', false, true],
      ['natural', false, true],
      ['muted', false, false],
    ])
  })

  test.for<[DirectBehaviour, number]>([
    ['fewer', 1],
    ['many', 3],
    ['first_broken', 2],
  ])('that gives %s is taken at its word: %i', async ([behaviour, count]) => {
    const { item, outcome, attempt } = await makeOne(behaviour)
    expect(outcome).toEqual([200, undefined, 0])
    // A single picture has no others to choose from.
    expect(item.variations.length).toBe(count === 1 ? 0 : count)
    // What was asked for may have been charged.
    expect(attempt.cost_micro_usd).toBe('180000')
  })

  test('has its price told with all pictures', () => {
    const { settings, find } = hosted.app.context.images
    const name = 'openai:gpt-image-2'
    expect(describeCosts(settings, new Map([[name, find(name)!]]), new Date())[0]).toBe(
      `A selfie costs $0.180 by ${name} (3 pictures at $0.060, IMAGE_PICTURES).`,
    )
  })

  test('that gives none gives the credit back', async () => {
    const { outcome } = await makeOne('empty')
    expect(outcome).toEqual([502, 'generation_failed', 1])
  })

  test('leaves out what can’t be used, and is refused only where nothing can', async () => {
    const { engine } = hosted.app
    engine.nextFault = 'faces_missing'
    expect((await makeOne()).item.variations.length).toBe(2)
  })
})

describe('with the face network', () => {
  /** How far the first person of each picture is from their photo. */
  async function makeWithDistances(...far: number[]) {
    const { context, engine } = hosted.app
    context.faceComparison = {
      compare: async (crops): Promise<FaceDistances> => {
        const half = crops.length / 2
        const first = far.shift() ?? 0.2
        return crops.map((_row, one) =>
          crops.map((_column, other) =>
            Math.abs(one - other) !== half ? 0.9 : Math.min(one, other) === 0 ? first : 0.1,
          ),
        )
      },
      close() {},
    }
    const face = { crop: new Uint8Array(1), headSizePx: 200 }
    const pair = [face, face]
    // As they are asked for: the first picture, both photos once, the other pictures; then again.
    const ofRequest = [pair, [face], [face], pair, pair]
    engine.cropped = [...ofRequest, ...ofRequest]
    const made = await makeOne()
    const left = engine.cropped.length
    engine.cropped = []
    context.faceComparison = undefined
    return { ...made, left }
  }

  test('strangers are left out, and the most alike is shown', async () => {
    const { item, attempt, outcome, left } = await makeWithDistances(0.3, 0.8, 0.2)
    expect(outcome).toEqual([200, undefined, 0])
    expect(item.variations.length).toBe(2)
    expect(attempt.likeness).toBeCloseTo(0.8)
    // Faces of a photo are found once for all pictures, those of a picture once.
    expect(left).toBe(5)
  })

  test('strangers alone are asked for once more, then give the credit back', async () => {
    const { outcome, attempt } = await makeWithDistances(0.8, 0.7, 0.8, 0.9, 0.9, 0.6)
    expect(outcome).toEqual([502, 'likeness_lost', 1])
    expect(attempt).toMatchObject({ repetition: 1, error_kind: 'likeness_lost' })
    expect(attempt.likeness).toBeCloseTo(0.4)
  })
})

test('fal is asked for several, too, and taken at its word', async () => {
  await using fal = await openHostedApp({
    chain: 'fal:google/nano-banana-2.1/edit',
    settings: { IMAGE_PICTURES: '3' },
  })
  const cases: [Partial<FalBehaviour>, number][] = [
    [{}, 3],
    [{ count: 'more' }, 3],
    [{ count: 'fewer' }, 0],
    [{ webhook: 'none' }, 3],
    [{ file: 'drop_once' }, 3],
  ]
  for (const [behaviour, variations] of cases) {
    const { token } = await fal.signIn()
    fal.fal.next(behaviour)
    const { status, body } = await fal.generate(token)
    const found = [behaviour, status, body.generation?.variations.length]
    expect(found).toEqual([behaviour, 200, variations])
    expect(fal.fal.requests().at(-1)?.input['num_images']).toBe(3)
    expect((await fal.lastAttempt()).cost_micro_usd).toBe('120000')
  }
})

test('a model without a count is asked for one picture, and costs one', async () => {
  await using google = await openHostedApp({
    chain: 'google:gemini-3.1-flash-lite-image',
    settings: { IMAGE_PICTURES: '4' },
  })
  const { token } = await google.signIn()
  const { status, body } = await google.generate(token)
  expect([status, body.generation.variations]).toEqual([200, []])
  expect((await google.lastAttempt()).cost_micro_usd).toBe('33600')
})

// The last one: nobody may use its photos any more.
test('several pictures are taken down all together', async () => {
  const { item } = await makeOne()
  const { context } = hosted.app
  const { database } = context
  const hashes = ['1', '2', '3']
  for (const [index, hash] of hashes.entries()) {
    await database
      .updateTable('variations')
      .set({ picture_hash: hash })
      .where('generation_id', '=', item.generationId)
      .where('position', '=', index)
      .execute()
  }
  await removePicture(context, { generationId: item.generationId, reason: 'a test' })
  expect(await list(`variations/${item.generationId}`)).toEqual([])
  const blocked = await database
    .selectFrom('blocked_pictures')
    .select('hash')
    .where('generation_id', '=', item.generationId)
    .where('kind', '=', 'picture')
    .execute()
  expect(blocked.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes))
  expect(blocked.length).toBe(4)
})
