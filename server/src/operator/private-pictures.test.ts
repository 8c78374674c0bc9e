import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openOperator } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { readSmallPhoto } from '../testing/test-photo.ts'
import { operatorPages } from './operator-pages.ts'
import { mayDo, operatorRoles } from './roles.ts'

let app: TestApp
/** Addresses that open pictures of somebody who never asked for help, as they have them. */
let addresses: string[]
/** What stands for an id in the paths of pages that are about somebody or something of theirs. */
let ids: Record<string, string>
let userId: string
let token: string
let generationId: string
beforeAll(async () => {
  app = await openTestApp()
  const person = await app.register()
  token = person.token
  userId = person.userId
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  generationId = made.body.generation.generationId
  const shared = await app.call(`/api/generations/${generationId}/share`, { method: 'POST', token })
  const { imageUrl, downloadUrl, thumbnailUrl, shareUrl } = shared.body.generation
  addresses = [imageUrl, downloadUrl, thumbnailUrl, shareUrl]
  for (const address of [imageUrl, shareUrl]) {
    const link = new URL(address, 'https://selfie.example').href
    await app.call('/api/reports', {
      json: {
        link,
        reason: 'other',
        details: `Look:${link}, and (${address})`,
        contact: `me@example.test ${link}`,
        signature: 'Robin Example',
        goodFaith: true,
      },
    })
  }
  const ordered = await app.call('/api/orders', { token, json: { packageType: 'basic' } })
  const star = new FormData()
  star.append('name', 'Ada Lovelace')
  star.append('category', 'science')
  star.append('line_en', 'Wrote the first program.')
  star.append('licence', 'CC0 1.0')
  star.append('attribution', 'Nobody')
  star.append('source', 'https://pictures.example/1')
  star.append('consent_note', 'Made up.')
  star.append('picture', new Blob([Uint8Array.from(await readSmallPhoto())]), 'a.jpg')
  const owner = await openOperator(app)
  const added = await owner.submit('/admin/presets/add', star)
  ids = {
    '/admin/users/:id': userId,
    '/admin/selfies/:id': generationId,
    '/admin/orders/:id': ordered.body.data.orderId,
    '/admin/presets/:id': added.location?.split('/').at(-1) ?? '',
    '/admin/legal/:page': 'terms',
    '/admin/legal/:page/preview': 'terms',
  }
})
afterAll(() => app[Symbol.asyncDispose]())

/** What opens one of the addresses: a signature, or the id of a public link. */
const openers = () =>
  addresses.map((address) => {
    const { searchParams } = new URL(address, 'https://selfie.example')
    return searchParams.get('signature') ?? searchParams.get('selfie') ?? ''
  })

const fill = (path: string) => path.replaceAll(/:\w+/g, ids[path] ?? '')

test.each(operatorRoles.filter((role) => !mayDo(role, 'open pictures')))(
  'no page, form or download tells %s an address that opens a private picture',
  async (role) => {
    expect(openers().every((opener) => opener.length >= 22)).toBe(true)
    const browser = await openOperator(app, role)
    const answers = await Promise.all(
      operatorPages.flatMap((page) => {
        const path = fill(page.path)
        return [
          ...[path, `${path}?q=${generationId}`].map((at) => browser.get(at)),
          ...Object.keys(page.downloads ?? {}).map((name) =>
            browser.get(`${path}/${name}?selfie=${generationId}`),
          ),
          ...Object.keys(page.forms ?? {}).map((name) => browser.submit(`${path}/${name}`)),
        ]
      }),
    )
    const seen = answers.filter(({ status }) => status !== 403)
    // What is about the person was there to be looked at.
    expect(seen.some(({ text }) => text.includes('"selfies"'))).toBe(true)
    expect(seen.some(({ text }) => text.includes('me@example.test'))).toBe(true)
    for (const { text } of answers) {
      expect(text).not.toMatch(/signature=/)
      for (const opener of openers()) expect(text).not.toContain(opener)
    }
  },
)

test('whoever opens pictures sees what was reported, and exports no address either', async () => {
  const owner = await openOperator(app)
  const { text } = await owner.get('/admin/reports')
  expect(openers().some((opener) => text.includes(opener))).toBe(true)
  const exported = await owner.get(`/admin/users/${userId}/data.json`)
  expect(JSON.parse(exported.text).selfies).toMatchObject([
    { generationId, celebrity: 'Elena Vassandri', isShared: true },
  ])
  for (const opener of openers()) expect(exported.text).not.toContain(opener)
})

test('opening a private picture is logged, with who, whose and when', async () => {
  const moderator = await openOperator(app, 'moderator')
  const opened = await moderator.get(`/admin/selfies/${generationId}/thumbnail.jpg`)
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  // Whoever looks again on the same day is no news.
  const whole = `/admin/selfies/${generationId}/picture.jpg`
  const { text } = await moderator.get(whole)
  expect(text.length, 'as large as it is kept').toBeGreaterThan(3 * opened.text.length)
  const rows = await app.context.database
    .selectFrom('operator_log')
    .selectAll()
    .where('act', '=', 'user picture')
    .execute()
  expect(rows).toEqual([
    expect.objectContaining({
      operator_name: expect.stringMatching(/^moderator-/),
      subject: generationId,
      at: expect.any(Date),
      outcome: 'done',
    }),
  ])
})

test('faces stand in the lists of users and selfies for who may open pictures, and nobody keeps them', async () => {
  const page = `/admin/selfies/${generationId}`
  const picture = `<a href="${page}"><img class="face" src="${page}/thumbnail.jpg"`
  const lists = ['/admin/users', '/admin/selfies', `/admin/users/${userId}`]
  for (const role of operatorRoles) {
    const browser = await openOperator(app, role)
    for (const list of lists) {
      const { text } = await browser.get(list)
      expect([role, list, text.includes(picture)]).toEqual([
        role,
        list,
        mayDo(role, 'open pictures'),
      ])
    }
    const { status, headers } = await browser.get(`${page}/picture.jpg`)
    expect([role, status]).toEqual([role, mayDo(role, 'open pictures') ? 200 : 403])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  const deleted = await app.call(`/api/generations/${generationId}`, { method: 'DELETE', token })
  expect(deleted.status).toBe(200)
  const owner = await openOperator(app)
  for (const list of lists) expect((await owner.get(list)).text).not.toContain(picture)
  expect((await owner.get(`${page}/picture.jpg`)).status).toBe(404)
})
