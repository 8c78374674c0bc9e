import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { generateForm } from '../testing/generate-form.ts'
import { newPerson, openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { readPersonPhoto } from '../testing/test-photo.ts'
import { sweepGenerations } from './sweep.ts'

/* The photos beside one's own and the first star's: the place, and the second star's. */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

afterEach(async () => {
  app.engine.next = []
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

async function keysOf(prefix: string, generationId: string): Promise<string[]> {
  const keys = []
  for await (const { key } of app.context.store.list(prefix)) {
    if (key.includes(generationId)) keys.push(key)
  }
  return keys
}

/** The sweep as it runs when whatever was under way should have ended long ago. */
async function sweepTomorrow(): Promise<void> {
  const dayMs = 24 * 60 * 60_000
  const later = { ...app.context, clock: () => new Date(Date.now() + dayMs) }
  await sweepGenerations(later, new AbortController().signal)
}

async function furtherPhotosForm(): Promise<FormData> {
  const place = await sharp({
    create: { width: 800, height: 600, channels: 3, background: '#4a7' },
  })
    .jpeg()
    .toBuffer()
  const form = await generateForm({ background: place, consent: 'true' })
  const star = new Blob([Uint8Array.from(await readPersonPhoto())], { type: 'image/jpeg' })
  form.append('celebrityPhoto', new Blob([]), '')
  form.append('celebrityPhoto', star, 'second.jpg')
  return form
}

/** A selfie with a place and an own photo of a second star, which the engine holds until `release`. */
async function beginHeld() {
  const person = newPerson()
  const { token } = (await app.call('/api/auth?action=register', { json: person })).body
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  app.engine.next.push(async () => {
    reach()
    await released
    return await makeTestSelfie()
  })
  const begun = await app.call('/api/ai?action=generate', {
    token,
    form: await furtherPhotosForm(),
    headers: { prefer: 'respond-async' },
  })
  expect(begun).toMatchObject({ status: 202, body: { success: true } })
  await reached
  const generationId: string = begun.body.generation.generationId
  const state = async () =>
    (await app.call(`/api/generations/${generationId}`, { token })).body.generation.state
  return { person, token, generationId, release, state }
}

describe('photos of a place and of a second star', () => {
  test('go with the account of their selfie, also while it is being made', async () => {
    const { person, token, generationId, release } = await beginHeld()
    expect(await keysOf('inputs', generationId)).toHaveLength(4)
    const { password } = person
    await app.call('/api/user?action=delete-account', { token, json: { password } })
    expect(await keysOf('inputs', generationId)).toEqual([])
    release()
  })

  test('are no part of the export, which names the place and both stars', async () => {
    const { token, generationId, release, state } = await beginHeld()
    const read = async () => (await app.call('/api/user?action=export', { token })).body
    const whileMade = await read()
    expect(JSON.stringify(whileMade)).not.toContain('inputs/')
    release()
    await expect.poll(state).toBe('done')
    const made = await read()
    for (const { selfies } of [whileMade, made]) {
      expect(selfies).toMatchObject([
        {
          generationId,
          hasBackgroundPhoto: true,
          celebrities: ['Elena Vassandri', 'Custom photo'],
        },
      ])
    }
    expect(JSON.stringify(made)).not.toContain('inputs/')
    await expect.poll(() => keysOf('inputs', generationId)).toEqual([])
  })

  test('that a node of the version before forgets at the end of a selfie are swept', async () => {
    const { generationId, release, state } = await beginHeld()
    const placeKey = sql<{ key: string }>`
      select background_photo_key as key from generations where id = ${generationId}
    `
    const [kept] = (await placeKey.execute(app.context.database)).rows
    release()
    await expect.poll(state).toBe('done')
    await expect.poll(() => keysOf('inputs', generationId)).toEqual([])
    // As that version leaves the row and the store behind.
    await app.context.store.put(kept!.key, Buffer.from('a place'), 'image/jpeg')
    await sql`
      update generations set background_photo_key = ${kept!.key} where id = ${generationId}
    `.execute(app.context.database)
    await sweepTomorrow()
    expect(await keysOf('inputs', generationId)).toEqual([])
  })

  test('go when a crash has left their selfie behind, and the credit comes back', async () => {
    const { token, generationId, release, state } = await beginHeld()
    expect(await keysOf('inputs', generationId)).toHaveLength(4)
    await sweepTomorrow()
    expect(await state()).toBe('failed')
    expect(await keysOf('inputs', generationId)).toEqual([])
    const { user } = (await app.call('/api/user?action=profile', { token })).body
    expect(user.creditsBalance).toBe(1)
    release()
  })
})

describe('a node of the version before, on the tables of this one,', () => {
  /** The columns that it knows; the second star's and the place's are none of them. */
  const begin = async (userId: string) => {
    const { rows } = await sql<{ id: string }>`
      with hold as (
        insert into credit_holds (account_id, amount, reference, description, created_at, expires_at)
        select id, 1, gen_random_uuid()::text, 'A selfie', now(), now() + interval '1 hour'
        from credit_accounts where user_id = ${userId}
        returning id
      ),
      spent as (update credit_accounts set balance = balance - 1 where user_id = ${userId})
      insert into generations (
        user_id, hold_id, request_digest, celebrity, preset_id, scene, aspect, resolution, prompt,
        user_face_index, star_face_index, consent_at, consent_version, user_photo_hash,
        star_photo_hash, user_photo_key, star_photo_key, created_at
      )
      select ${userId}, hold.id, 'digest', 'Elena Vassandri', 'elena-vassandri', 'cafe', '4:5',
        'standard', null, 0, null, null, null, 5, null, 'inputs/user', 'inputs/star', now()
      from hold
      returning id
    `.execute(app.context.database)
    return rows[0]!.id
  }

  test('begins, fails and blocks a selfie as ever', async () => {
    const { token, user } = (await app.call('/api/auth?action=register', { json: newPerson() }))
      .body
    const generationId = await begin(user.userId)
    const shown = await app.call(`/api/generations/${generationId}`, { token })
    expect(shown.body.generation).toMatchObject({
      celebrity: 'Elena Vassandri',
      celebrities: ['Elena Vassandri'],
      hasBackgroundPhoto: false,
      scene: 'cafe',
      state: 'running',
    })
    await sql`
      with ended as (
        update generations set state = 'failed', error_code = 'generation_failed',
          finished_at = now(), user_photo_key = null, star_photo_key = null
        where id = ${generationId} returning hold_id
      ),
      released as (
        update credit_holds set state = 'released', settled_at = now()
        from ended where credit_holds.id = ended.hold_id
      )
      update credit_accounts set balance = balance + 1 where user_id = ${user.userId}
    `.execute(app.context.database)
    await sql`
      insert into blocked_pictures (hash, kind, generation_id, created_at)
      values (5, 'user_photo', ${generationId}, now())
    `.execute(app.context.database)
    const again = await app.call(`/api/generations/${generationId}`, { token })
    expect(again.body.generation.state).toBe('failed')
  })
})
