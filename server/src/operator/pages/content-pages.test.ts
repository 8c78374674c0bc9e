import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorScript } from '../frame.ts'
import { openOperator } from '../../testing/open-operator.ts'
import type { OperatorBrowser } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

let app: TestApp
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** A page without the script that all pages have. */
const withoutOurs = (text: string) => text.replace(`<script>${operatorScript}`, '')

const xss = '"><script>alert(1)</script>'

test('an operator makes vouchers, hands them out, reads what became of them and voids them', async () => {
  const made = await owner.submit('/admin/vouchers/create', {
    name: `=fair ${xss}`,
    credits: '5',
    codes: '3',
    usesMax: '1',
    personUsesMax: '1',
    from: '',
    to: '',
  })
  expect(made.status).toBe(200)
  const codes = [...made.text.matchAll(/<li>\s*<code class="once">([0-9A-Z-]+)<\/code>/g)].map(
    ([, code]) => code ?? '',
  )
  expect(codes).toHaveLength(3)
  const [, file = ''] =
    /href="data:text\/csv;charset=utf-8,([^"]+)" download="vouchers.csv"/.exec(made.text) ?? []
  const rows = decodeURIComponent(file).trim().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(',')[1])).toEqual(codes)
  const { token } = await app.register()
  const redeem = (code = '') =>
    app.call('/api/user?action=redeem-voucher', { token, json: { code } })
  expect((await redeem(codes[0])).body).toMatchObject({ credits: 5 })

  const { text } = await owner.get('/admin/vouchers')
  expect(text).toMatch(/<b>1<\/b> of\s+3/)
  expect(withoutOurs(text)).not.toContain('<script')
  expect(text).not.toContain(codes[1])
  const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const other = await app.register()
  await owner.submit('/admin/vouchers/void', { id, reason: 'lost' })
  const refused = await app.call('/api/user?action=redeem-voucher', {
    token: other.token,
    json: { code: codes[1] },
  })
  expect(refused.body.code).toBe('voucher_void')
})

test('a wrong rule is reported beside its field and makes nothing', async () => {
  const { status, text } = await owner.submit('/admin/vouchers/create', {
    name: 'x',
    credits: '0',
    codes: '1001',
    usesMax: '1',
    personUsesMax: '1',
    from: '2027-02-01',
    to: '2027-01-01',
  })
  expect(status).toBe(422)
  expect(text).toContain('create-credits-problem')
  expect(text).toContain('create-codes-problem')
})

test('the pages begin at their address with a slash too', async () => {
  const answer = await owner.get('/admin/')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin'])
})

test('the picture in the preview of the brand is one that the web app has', async () => {
  const { text } = await owner.get('/admin/brand')
  const pictures = [...text.matchAll(/<img\s+src="(\/examples\/[^"]+)"/g)].map(
    ([, src]) => src ?? '',
  )
  expect(pictures).toHaveLength(2)
  const folder = join(import.meta.dirname, '../../../../web/public')
  for (const picture of pictures) expect(existsSync(join(folder, picture)), picture).toBe(true)
})

test('a draft is previewed, published, and an earlier version comes back', async () => {
  const before = ''
  const texts = {
    before,
    en: `## Ours ${xss}\n\n[x](javascript:alert(1)) {{operator}}`,
    es: 'e',
    zh: 'z',
  }
  await owner.submit('/admin/legal/details', { operator: 'Ada & Co', address: '1 Road\nTown' })
  await owner.submit('/admin/legal/terms/save', texts)
  const preview = await owner.get('/admin/legal/terms/preview')
  expect(preview.text).toContain('Ada &amp; Co')
  expect(withoutOurs(preview.text)).not.toContain('<script')
  expect(preview.text).not.toContain('javascript:')
  const read = async () => JSON.stringify((await app.call('/api/legal/terms')).body)
  expect(await read()).not.toContain('Ours')
  const first = await owner.submit('/admin/legal/terms/publish', { asksAgain: 'on' })
  expect(first.flash).toContain('is published')
  expect(await read()).toContain('Ours')

  await owner.submit('/admin/legal/terms/save', { ...texts, en: 'Later' })
  await owner.submit('/admin/legal/terms/publish')
  expect(await read()).toContain('Later')
  const { text } = await owner.get('/admin/legal/terms')
  const versions = [...text.matchAll(/name="version" value="([^"]+)"/g)].map(([, v]) => v ?? '')
  expect(versions).toHaveLength(2)
  await owner.submit('/admin/legal/terms/restore', { version: versions[1] ?? '' })
  await owner.submit('/admin/legal/terms/publish')
  expect(await read()).toContain('Ours')
  expect((await owner.get('/admin/legal/nothing')).status).toBe(404)
})

test('a draft that a colleague has saved meanwhile is told of before it is lost', async () => {
  const texts = { en: 'Mine', es: 'e', zh: 'z' }
  const path = '/admin/legal/imprint/save'
  await owner.submit(path, { before: '', ...texts, en: 'Theirs' })
  const late = await owner.submit(path, { before: '', ...texts })
  expect([late.status, late.text.includes('A colleague has changed the draft.')]).toEqual([
    422,
    true,
  ])
  expect(late.text).toContain('Mine')
  expect((await owner.get('/admin/legal/imprint')).text).toContain('Theirs')
  const before = /name="before" value="([^"]+)"/.exec(late.text)?.[1] ?? ''
  expect((await owner.submit(path, { before, ...texts })).flash).toContain('The draft is saved.')
  await owner.submit('/admin/legal/imprint/discard')
})

test('a draft that is discarded is gone, and what was published stays', async () => {
  const published = (await app.call('/api/legal/privacy')).body
  await owner.submit('/admin/legal/privacy/save', {
    before: '',
    en: 'Never mind',
    es: 'e',
    zh: 'z',
  })
  const { text } = await owner.get('/admin/legal/privacy')
  expect(text).toContain('Discard the draft')
  expect(text).toContain('Never mind')
  await owner.submit('/admin/legal/privacy/discard')
  expect((await owner.get('/admin/legal/privacy')).text).not.toContain('Never mind')
  expect((await app.call('/api/legal/privacy')).body).toEqual(published)
})

test.for(['support', 'moderator'] as const)('%s publishes no terms', async (role) => {
  const browser = await openOperator(app, role)
  const before = (await app.call('/api/legal/terms')).body
  for (const path of ['save', 'publish', 'restore', 'discard']) {
    const { status } = await browser.submit(`/admin/legal/terms/${path}`, {
      en: 'Mine',
      es: 'Mine',
    })
    expect(status).toBe(403)
  }
  expect((await app.call('/api/legal/terms')).body).toEqual(before)
})
