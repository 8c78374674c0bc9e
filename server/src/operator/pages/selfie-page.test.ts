import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRow } from '../../platform/db/rows.ts'
import { arrangementAt } from '../../testing/arrangement-at.ts'
import { makeDoneGeneration, makeGeneration } from '../../testing/make-generation.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { operatorRoles } from '../roles.ts'
import { readButtons, readPage } from '../testing/read-page.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

/** A finished selfie whose pictures lie in the store, with versions of it and reports about it. */
async function fill({ versions = 2 } = {}) {
  const { database, store, clock } = app.context
  const made = await makeDoneGeneration(database, {
    at: clock(),
    row: {
      scene: 'forest',
      share_id: crypto.randomUUID().slice(0, 22),
      provider: 'compositor',
      model: 'compositor-91',
    },
  })
  const { generationId } = made
  const key = (name: string) => `pictures/${generationId}/1-${name}.jpg`
  const put = async (name: string) => {
    await store.put(key(name), Buffer.from(name), 'image/jpeg')
    return key(name)
  }
  for (const name of ['watermarked', 'watermarked-thumbnail']) await put(name)
  const ids: string[] = []
  for (let position = 0; position < versions; position += 1) {
    const { id } = await insertRow(database, 'variations', {
      generation_id: generationId,
      position,
      source: 'made',
      arrangement: position === 1 ? JSON.stringify({ ...arrangementAt(0), scene: 'cafe' }) : null,
      ...(position !== 1 && {
        clean_preview_key: await put(`clean-preview-${position}`),
        watermarked_preview_key: await put(`preview-${position}`),
      }),
      ...(position === 1 && {
        clean_key: key('clean'),
        watermarked_key: key('watermarked'),
        clean_thumbnail_key: key('clean-thumbnail'),
        watermarked_thumbnail_key: key('watermarked-thumbnail'),
        picture_hash: '1',
      }),
      width_px: 1,
      height_px: 1,
      created_at: clock(),
    })
    ids.push(id)
  }
  return { ...made, versions: ids, page: `/admin/selfies/${generationId}` }
}

const report = (generationId: string, changes: object = {}) =>
  insertRow(app.context.database, 'reports', {
    generation_id: generationId,
    link: generationId,
    reason: 'depicts_me',
    details: 'This is me.',
    contact: 'me@example.test',
    good_faith: true,
    signature: 'Robin Example',
    behalf: 'myself',
    created_at: app.context.clock(),
    due_at: new Date(app.context.clock().getTime() + 60_000),
    ...changes,
  })

test('a selfie’s page shows its picture, owner, star, time, versions and reports', async () => {
  const { page, generationId, userId, versions } = await fill()
  await report(generationId)
  const moderator = await openOperator(app, 'moderator')
  const { text } = await moderator.get(page)
  expect(text).toContain('<h1>Selfie with Elena Vassandri</h1>')
  expect(text).toContain(`src="${page}/picture.jpg" alt="Selfie with Elena Vassandri"`)
  expect(text).toContain(`<a href="/admin/users/${userId}">`)
  const { facts, tables } = readPage(text)
  expect(facts).toMatchObject({
    Star: 'Elena Vassandri',
    State: 'done',
    'Made by': 'built-in engine, version 91',
    // Of the version that is shown, not of the one that was made first.
    Scene: 'Lobby café',
    Size: '1024 × 1280 pixels',
    'Shared by a public link': 'yes',
    Selfie: generationId,
  })
  expect(facts).not.toHaveProperty('Deleted')
  expect(text).toMatch(/Version 1\s+<\/li>/)
  expect(text).toMatch(/Version 2, shown\s+<\/li>/)
  const [made, chosen] = versions
  expect(text).toContain(`src="${page}/preview.jpg?version=${made}"`)
  // There is no preview of one that was made at full size.
  expect(text).toContain(`src="${page}/picture.jpg?version=${chosen}"`)
  expect(tables['Reports']).toMatchObject([
    {
      Reason: 'It shows me and I did not agree',
      Details: 'This is me.',
      Contact: 'me@example.test',
      Actions: '[Keep the picture] [Remove for good] [There is no such picture]',
    },
  ])
  expect(text).toContain('action="/admin/reports/resolve"')
  expect(readButtons(text)).toContain('Remove for good')
})

test('a selfie that is alone, unshared and reported by nobody says so', async () => {
  const { database } = app.context
  const { generationId } = await makeDoneGeneration(database)
  const owner = await openOperator(app)
  const { text } = await owner.get(`/admin/selfies/${generationId}`)
  expect(readPage(text).facts['Shared by a public link']).toBe('no')
  expect(text).toContain('Nobody has reported it.')
  expect(text).not.toContain('Versions')
  for (const unknown of [crypto.randomUUID(), 'picture']) {
    expect((await owner.get(`/admin/selfies/${unknown}`)).status).toBe(404)
  }
})

test('one that is still being made or has failed has no picture and nothing to remove', async () => {
  const { database } = app.context
  const running = await makeGeneration(database)
  const failed = await makeGeneration(database, {
    row: { state: 'failed', error_code: 'provider_refused', finished_at: new Date() },
  })
  const owner = await openOperator(app)
  for (const { generationId } of [running, failed]) {
    const { status, text } = await owner.get(`/admin/selfies/${generationId}`)
    expect([status, text.includes('picture.jpg'), text.includes('Remove for good')]).toEqual([
      200,
      false,
      false,
    ])
  }
})

test('whoever may not open pictures sees what is known, without picture, versions and acts', async () => {
  const { page } = await fill()
  const support = await openOperator(app, 'support')
  const { status, text } = await support.get(page)
  expect([status, text.includes('Your role opens no pictures.')]).toEqual([200, true])
  expect(text).not.toMatch(/\.jpg\?version|picture\.jpg|Remove for good/)
  for (const file of ['picture.jpg', 'thumbnail.jpg', 'preview.jpg']) {
    expect((await support.get(`${page}/${file}`)).status).toBe(403)
  }
})

test('each file is the picture as its owner has it, versions are those of this selfie, and opening is logged', async () => {
  const { page, generationId, versions } = await fill()
  const other = await fill()
  const owner = await openOperator(app)
  const open = async (file: string) => {
    const { status, text } = await owner.get(`${page}/${file}`)
    return status === 200 ? text : status
  }
  expect(await open('picture.jpg')).toBe('watermarked')
  expect(await open('thumbnail.jpg')).toBe('watermarked-thumbnail')
  expect(await open(`preview.jpg?version=${versions[0]}`)).toBe('preview-0')
  expect(await open(`picture.jpg?version=${versions[1]}`)).toBe('watermarked')
  expect(await open(`picture.jpg?version=${other.versions[1]}`)).toBe(404)
  const rows = await app.context.database
    .selectFrom('operator_log')
    .select(['act', 'subject'])
    .where('subject', 'in', [generationId, other.generationId])
    .execute()
  expect(rows).toEqual([{ act: 'user picture', subject: generationId }])
})

test('a picture is removed from its page, which then says so and opens nothing', async () => {
  const { page, generationId } = await fill()
  const { id } = await report(generationId)
  const owner = await openOperator(app)
  expect((await owner.submit(`${page}/remove`, { reason: ' ' })).status).toBe(422)
  const removed = await owner.submit(`${page}/remove`, { reason: 'asked for' })
  expect([removed.status, removed.location]).toEqual([303, page])
  expect(removed.flash).toMatch(/^done Removed\./)
  const { text } = await owner.get(page)
  const { facts, tables } = readPage(text)
  expect(facts['Deleted']).toMatch(/UTC$/)
  expect(text).not.toContain('picture.jpg')
  expect(tables['Reports']).toMatchObject([{ Outcome: 'removed', Note: 'asked for', Actions: '' }])
  expect((await owner.get(`${page}/picture.jpg`)).status).toBe(404)
  const kept = { id, outcome: 'kept', reason: 'too late' }
  expect((await owner.submit('/admin/reports/resolve', kept)).status).toBe(422)
})

test.each(operatorRoles)('every list of selfies leads %s to their pages', async (role) => {
  const { page, generationId, userId } = await fill()
  await report(generationId)
  const browser = await openOperator(app, role)
  for (const list of ['/admin/selfies', `/admin/users/${userId}`, '/admin/reports']) {
    const { text } = await browser.get(list)
    expect(text, list).toContain(`<a href="${page}"><code`)
  }
})

test('the log leads to the selfies whose pictures were looked at or removed', async () => {
  const { page, generationId } = await fill()
  const owner = await openOperator(app)
  await owner.get(`${page}/thumbnail.jpg`)
  await owner.submit(`${page}/remove`, { reason: 'asked for' })
  const { text } = await owner.get(`/admin/log?q=${generationId}`)
  const link = `<a href="${page}"><code title="${generationId}">`
  expect(text.split(link)).toHaveLength(3)
})
