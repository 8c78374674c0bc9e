import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAccount } from '../ledger/credits/account.ts'
import { exportForOperator } from '../trust/user/export-my-data.ts'
import { makeUser } from '../testing/make-user.ts'
import { openOperator, operatorPassword } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { logOpening } from './operator-log.ts'
import { fillShop } from '../testing/fill-shop.ts'
import type { FilledShop } from '../testing/fill-shop.ts'
import { outlinePage } from './testing/outline-page.ts'
import { saveSite } from './save-site.ts'

let app: TestApp
let shop: FilledShop
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  shop = await fillShop(app)
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Forms that are no acts, one after the other, with what is sent. */
const calls: readonly (readonly [path: string, fields: Record<string, string>])[] = [
  ['/admin/legal/details', { operator: 'y'.repeat(121), address: '' }],
  ['/admin/legal/details', { operator: 'y'.repeat(120), address: 'a street' }],
  ['/admin/legal/imprint/publish', {}],
  ['/admin/legal/imprint/discard', {}],
  ['/admin/legal/imprint/save', { before: '', en: '', es: 'x', zh: 'x' }],
  ['/admin/legal/imprint/save', { before: '', en: '# One', es: '# Uno', zh: '# 一' }],
  ['/admin/legal/imprint/discard', {}],
  ['/admin/legal/imprint/save', { before: '', en: '# Two', es: '# Dos', zh: '# 二' }],
  ['/admin/legal/imprint/publish', {}],
  ['/admin/legal/imprint/restore', { version: 'none' }],
  ['/admin/legal/none/save', { before: '', en: 'x', es: 'x', zh: 'x' }],
  ['/admin/first-steps/test-mail', { to: 'nobody' }],
  ['/admin/first-steps/test-mail', { to: 'me@example.test' }],
  ['/admin/first-steps/try-images', {}],
  ['/admin/packages/move', { id: 'premium', position: '1', version: '0' }],
  ['/admin/packages/move', { id: 'premium', position: '0', version: '99' }],
  ['/admin/packages/move', { id: 'premium', position: '1', version: '99' }],
  ['/admin/packages/move', { id: 'premium', position: '2', version: '99' }],
  ['/admin/packages/remove', { id: 'basic', version: '99' }],
  ['/admin/packages/none/save', { id: 'none', price: '1', credits: '1', version: '99' }],
  ['/admin/packages/new/save', { id: 'new', price: '0.499', credits: 'x', version: '99' }],
  ['/admin/account/end-session', { sessionId: '11111111-1111-4111-8111-111111111111' }],
  ['/admin/account/password', { current: 'wrong', next: 'y'.repeat(11) }],
]

test('who reloads a refused form gets its page, whatever its address names', async () => {
  const page = '/admin/legal/a%3Fb%2F..%2F%23c'
  const { status, headers } = await owner.get(`${page}/save`)
  expect([status, headers.get('location')]).toEqual([303, page])
})

test('a form acts on whom the address of its page names, whatever it sends', async () => {
  const { database } = app.context
  const [named, sent] = [await makeUser(database), await makeUser(database)]
  const fields = { id: sent, credits: '3', reason: 'a gift', once: crypto.randomUUID() }
  await owner.submit(`/admin/users/${named}/grant`, fields)
  const balances = [await readAccount(database, named), await readAccount(database, sent)]
  expect(balances).toMatchObject([{ balance: 3 }, { balance: 0 }])
})

test('forms of the pages say what they did, and why they did nothing', async () => {
  const texts: string[] = []
  for (const [path, fields] of calls) {
    const { status, text, location, flash } = await owner.submit(path, fields)
    const problems = outlinePage(text)
      .split('\n')
      .filter((line) => /^!(?:bad|told)/.test(line))
    const told = [flash ?? '', location ?? '', ...problems].filter((line) => line !== '')
    texts.push(`${path} ${JSON.stringify(fields)}`, `  ${status} ${told.join(' | ')}`)
  }
  const { packages } = app.context.site.values()
  const mails = app.mails.map(({ to, subject, text }) => `${to}: ${subject}: ${text}`)
  const all = [...texts, ...packages.map(({ id }) => id), ...mails, ''].join('\n')
  const shown = shop.name(all).replaceAll(/y{20,}/g, ({ length }) => `y×${length}`)
  await expect(shown).toMatchFileSnapshot('testing/page-forms.txt')
})

test('a logo is removed by its own tick, and the icon by its own', async () => {
  const { site } = app.context
  const picture = { file: `${'a'.repeat(32)}.png`, widthPx: 10, heightPx: 10 }
  const context = app.context
  const operator = { id: undefined, name: 'kim', role: 'owner' as const, sessionId: '' }
  const put = () =>
    saveSite(
      { context, operator },
      { 'brand.logo': picture, 'brand.icon': picture },
      { seenVersion: site.version() },
    )
  expect(await put()).toMatchObject({ done: 'Saved. You can undo it under Log.' })
  expect(await put()).toMatchObject({ done: 'Nothing was different.' })
  const late = await saveSite({ context, operator }, { 'brand.logo': '' }, { seenVersion: '0' })
  expect(late).toEqual({
    refused: 'Somebody else has changed this meanwhile. Open the page again.',
  })
  const has = async (tick: string) => {
    await put()
    const values = site.values()
    const { name, ...brand } = {
      name: values['brand.name'],
      accentLight: values['brand.accentLight'],
      accentDark: values['brand.accentDark'],
      contactEmail: values['brand.contactEmail'],
      socialUrl: values['brand.socialUrl'],
      communityUrl: values['brand.communityUrl'],
      markText: values['brand.markText'],
      mailFrom: values['brand.mailFrom'],
      shareTags: ' #one,  two ',
    }
    const fields = { name, ...brand, version: site.version(), [tick]: 'on' }
    const texts = Object.fromEntries(
      ['en', 'es', 'zh'].flatMap((language) => [
        [`line_${language}`, ''],
        [`shareText_${language}`, ''],
      ]),
    )
    expect(await owner.submit('/admin/brand/save', { ...fields, ...texts })).toMatchObject({
      flash: 'done Saved. You can undo it under Log.',
    })
    const after = site.values()
    expect(after['brand.shareTags']).toEqual(['one', 'two'])
    return [after['brand.logo'] !== '', after['brand.icon'] !== '']
  }
  expect(await has('removeLogo')).toEqual([false, true])
  expect(await has('removeIcon')).toEqual([true, false])
})

test('a wrong code puts no second factor into use, and a wrong password nothing at all', async () => {
  const own = await openOperator(app)
  const submit = async (form: string, fields: Record<string, string>) => {
    const { text } = await own.submit(`/admin/account/${form}`, fields)
    return outlinePage(text)
  }
  const current = operatorPassword
  await submit('begin-second-factor', { current })
  const wrongCode = await submit('confirm-second-factor', { current, code: '000000x' })
  expect(wrongCode).toContain('The second factor is not in use yet.')
  expect(wrongCode).toContain('This is not the code that the app shows now.')
  for (const form of ['begin-second-factor', 'password']) {
    const refused = await submit(form, { current: 'wrong', next: 'y'.repeat(20) })
    expect(refused).toContain('Nothing was changed.')
    expect(refused).toContain('The password is wrong.')
  }
})

test('what is opened is logged again a day later and not before, and for each operator', async () => {
  const count = async () => {
    const rows = await app.context.database
      .selectFrom('operator_log')
      .select('id')
      .where('subject', '=', 'a picture')
      .execute()
    return rows.length
  }
  const now = app.context.clock()
  const dayMs = 24 * 60 * 60_000
  const open = async (afterMs: number, name = 'kim') => {
    const clock = () => new Date(now.getTime() + afterMs)
    const context = { database: app.context.database, clock }
    await logOpening({ context, operator: { id: undefined, name } }, 'user picture', 'a picture')
    return count()
  }
  expect([await open(0), await open(dayMs - 1), await open(dayMs)]).toEqual([1, 1, 2])
  expect([await open(dayMs, 'lee'), await open(dayMs, 'lee')]).toEqual([3, 3])
})

test('a buyer’s data tell what was asked, what came and what was credited', async () => {
  const { payments } = await exportForOperator(app.context, {
    userId: shop.ids['buyer underpaid'] ?? '',
    sessionId: '',
  })
  expect(payments).toEqual([
    {
      orderId: shop.ids['order underpaid'],
      status: expect.any(String),
      currency: 'btc',
      paidAmount: '4',
      askedAmount: '10',
      wasCredited: false,
      creditedAt: null,
    },
  ])
})

test('a star that is tried again is told to have failed no more', async () => {
  await owner.submit('/admin/presets/failed-star/retry')
  const star = await app.context.database
    .selectFrom('stars')
    .select(['state', 'failure'])
    .where('id', '=', 'failed-star')
    .executeTakeFirstOrThrow()
  expect(star).toEqual({ state: 'cutting', failure: null })
})

test('the page of a star comes again by itself while the star is being cut out, and no longer', async () => {
  const comesAgain = async (state: string) =>
    (await owner.get(`/admin/presets/${state}-star`)).text.includes('http-equiv="refresh"')
  expect([await comesAgain('cutting'), await comesAgain('draft')]).toEqual([true, false])
})
