import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SelfieInput } from '@starside/engine/engine-calls.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'
import { listKeys } from '../testing/list-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const face = { x: 0.1, y: 0.2, width: 0.2, height: 0.3, isMain: false, refusals: [], hints: [] }
afterEach(async () => {
  app.engine.next = []
  app.engine.inspection.faces = [{ ...face, isMain: true }]
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  await expect.poll(readInputKeys).toEqual([])
})

const readInputKeys = () => listKeys(app.context.store, 'inputs')

/** What the engine is asked for by the next generation. */
function captureNext(): Promise<SelfieInput> {
  return new Promise((resolve) => {
    app.engine.next.push(async (request) => {
      resolve(request)
      return await makeTestSelfie()
    })
  })
}

async function post(token: string, form: FormData, headers = {}) {
  return app.call('/api/ai?action=generate', { token, form, headers })
}

const balance = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance

describe('a selfie in company', () => {
  test('keeps the chosen faces of the own photo together, for one credit', async () => {
    app.engine.inspection.faces = [{ ...face, isMain: true }, face, face]
    const { token } = await app.register()
    const asked = captureNext()
    const made = await post(token, await generateForm({ userFaces: '2,0' }))
    expect(made.status).toBe(200)
    expect((await asked).userFaceIndexes).toEqual([0, 2])
    expect((await asked).stars).toHaveLength(1)
    expect(await balance(token)).toBe(0)
  })

  test('has two stars by presets, and history and ledger name both', async () => {
    const { token } = await app.register()
    const asked = captureNext()
    const form = await generateForm()
    form.append('presetId', 'henrik-solmark')
    const made = await post(token, form)
    expect(made.body.generation).toMatchObject({
      celebrity: 'Elena Vassandri and Henrik Solmark',
      celebrities: ['Elena Vassandri', 'Henrik Solmark'],
    })
    expect((await asked).stars).toHaveLength(2)
    const { items } = (await app.call('/api/generations', { token })).body
    expect(items[0].celebrities).toEqual(['Elena Vassandri', 'Henrik Solmark'])
    const ledger = (await app.call('/api/user?action=credit-history', { token })).body.items
    expect(ledger[0].description).toBe('Photo generation with Elena Vassandri and Henrik Solmark')
    expect(await balance(token)).toBe(0)
  })

  test('has a preset and a photo of one’s own as stars, whose hash is kept', async () => {
    const { token } = await app.register()
    const photo = new Blob([Uint8Array.from(await readPersonPhoto())], { type: 'image/jpeg' })
    const form = await generateForm({ consent: 'true', presetId: undefined })
    form.append('celebrityPhoto', photo, 'star.jpg')
    form.append('presetId', '')
    form.append('presetId', 'henrik-solmark')
    const made = await post(token, form)
    expect(made.body.generation.celebrities).toEqual(['Custom photo', 'Henrik Solmark'])
    const read = async () => {
      const { rows } = await sql`
        select second_preset_id, star_photo_hash is not null as first, second_star_photo_key as key
        from generations where id = ${made.body.generation.generationId}
      `.execute(app.context.database)
      return rows
    }
    // Photos are deleted right after the picture is there.
    const expected = { second_preset_id: 'henrik-solmark', first: true, key: null }
    await expect.poll(read).toEqual([expected])
  })

  test('needs consent where the second star is an upload', async () => {
    const { token } = await app.register()
    const photo = new Blob([Uint8Array.from(await readPersonPhoto())], { type: 'image/jpeg' })
    const form = await generateForm()
    form.append('celebrityPhoto', photo, 'first.jpg')
    form.append('celebrityPhoto', photo, 'second.jpg')
    const refused = await post(token, form)
    expect(refused).toMatchObject({ status: 400, body: { code: 'consent_required' } })
    form.set('consent', 'true')
    const made = await post(token, form)
    expect(made.body.generation.celebrities).toEqual(['Elena Vassandri', 'Custom photo'])
  })

  test('is another request with another second star under the same idempotency key', async () => {
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const form = await generateForm()
    form.append('presetId', 'henrik-solmark')
    const made = await post(token, form, headers)
    const again = await post(token, form, headers)
    expect(again.body.generation.generationId).toBe(made.body.generation.generationId)
    const other = await post(token, await generateForm(), headers)
    expect(other.body.code).toBe('idempotency_conflict')
  })
})

interface CompanyForm {
  /** How many more stars are asked for. */
  presets?: number
  secondPreset?: string
  secondStarFace?: string
  userFaces?: string
  userFaceIndex?: string
}

describe('company that can’t be is refused and uses no credit', () => {
  const refused: [string, CompanyForm, number, string][] = [
    ['five stars', { presets: 4 }, 400, 'people_too_many'],
    ['a face that isn’t in the photo', { userFaces: '0,3' }, 422, 'face_unknown'],
    ['the same face twice', { userFaces: '1,1' }, 400, 'face_chosen_twice'],
    ['four of the own photo and a star', { userFaces: '0,1,2,3' }, 400, 'people_too_many'],
    [
      'three of the own photo and two stars',
      { userFaces: '0,1,2', presets: 1 },
      400,
      'people_too_many',
    ],
    ['faces that are no numbers', { userFaces: 'all' }, 400, 'invalid_request'],
    ['faces in two fields', { userFaces: '0', userFaceIndex: '1' }, 400, 'invalid_request'],
    ['a face of a second star who isn’t named', { secondStarFace: '0' }, 400, 'invalid_request'],
    ['the same star twice', { secondPreset: 'elena-vassandri' }, 400, 'star_chosen_twice'],
    ['an unknown second star', { secondPreset: 'nobody' }, 400, 'preset_unknown'],
  ]

  test.for(refused)('%s', async ([, company, status, code]) => {
    const { presets = 0, secondPreset, secondStarFace, ...fields } = company
    app.engine.inspection.faces = [{ ...face, isMain: true }, face]
    const { token } = await app.register()
    const form = await generateForm(fields)
    for (let n = 0; n < presets; n++) form.append('presetId', 'henrik-solmark')
    if (secondPreset !== undefined) form.append('presetId', secondPreset)
    if (secondStarFace !== undefined) {
      form.append('starFaceIndex', '')
      form.append('starFaceIndex', secondStarFace)
    }
    const answer = await post(token, form)
    expect(answer).toMatchObject({ status, body: { success: false, code } })
    expect(await balance(token)).toBe(1)
  })

  test('four heads at most, also for the database', async () => {
    const { token } = await app.register()
    const made = await post(token, await generateForm())
    const { generationId } = made.body.generation
    await expect(
      sql`
        update generations set user_face_indexes = array[0, 1, 2, 3] where id = ${generationId}
      `.execute(app.context.database),
    ).rejects.toMatchObject({ constraint: 'generations_four_heads_at_most' })
  })
})
