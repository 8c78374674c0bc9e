import { languages } from '@starside/contract/languages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { correctBalance } from '../ledger/credits/correct.ts'
import { placeHold } from '../ledger/credits/hold.ts'
import { makeUser } from '../testing/make-user.ts'
import { receiptQueue } from '../payments/payments.ts'
import { inTransaction } from '../platform/db/database.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { operatorSessionMs } from './operator-sessions.ts'
import { beginSecondFactor, readWaitingSecret } from './second-factor.ts'
import { timeText } from './tables.ts'
import { readPage } from './testing/read-page.ts'

let app: TestApp
let owner: OperatorBrowser
let now: Date
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  app.stopTime()
  now = app.context.clock()
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const read = async (path: string) => readPage((await owner.get(path)).text)

test('the figures are those of thirty days, or of as many as are asked for', async () => {
  const { text } = await owner.get('/admin/figures')
  expect(text).toMatch(/<a\s+href="\/admin\/figures\?days=30"\s+aria-current="page"/)
  expect(text, 'of nothing there is no more and no less').not.toMatch(/% (?:more|less) now/)
  const { headers, text: csv } = await owner.get('/admin/figures/csv?days=7')
  expect(headers.get('content-disposition')).toContain('figures-7.csv')
  expect(csv.split('\n').filter((line) => /^\d{4}-/.test(line))).toHaveLength(7)
})

test('the books sum to zero, and say how many entries there are and what came and went', async () => {
  const userId = await makeUser(app.context.database, 8)
  const taken = { userId, amount: -5, description: 'taken', reference: 'test:taken', now }
  await correctBalance(app.context.database, taken)
  await app.context.pool.query(
    `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
     select 'hold:none', 'usage', own.id, system.id, 2
     from credit_accounts as own, credit_accounts as system
     where own.user_id = $1 and system.name = 'usage'`,
    [userId],
  )
  const hold = { userId, amount: 3, description: 'held', reference: 'test:held', now }
  await placeHold(app.context.database, hold)
  const { facts, tables } = await read('/admin/books')
  const { rows } = await app.context.pool.query<{ count: string }>(
    'select count(*) as count from ledger_entries',
  )
  expect(facts).toMatchObject({
    Entries: rows[0]?.count,
    'Credits held for unfinished selfies': '3',
    'Sum of all accounts (must be 0)': '0',
  })
  const correction = { Reason: 'Correction', Entries: '2', Credits: '+3' }
  const usage = { Reason: 'Selfie made', Entries: '1', Credits: '−2' }
  expect(Object.values(tables)[0]).toEqual([correction, usage])
})

test.each([
  ['', '', true],
  ['Ada Ltd', '', true],
  ['', '1 Analytical Road', true],
  ['Ada Ltd', '1 Analytical Road', false],
])('legal pages of %j at %j still show placeholders: %s', async (operator, address, isMissing) => {
  const sent = await owner.submit('/admin/legal/details', { operator, address })
  expect(sent.status).toBe(303)
  const { text } = await owner.get('/admin/legal')
  expect(text.includes('Until you fill in both')).toBe(isMissing)
})

test('the navigation marks the page, or the list that it is reached from, and home alone at home', async () => {
  const marked = async (path: string) => {
    const { text } = await owner.get(path)
    const links = text.matchAll(/<a href="([^"?]+)" aria-current="page"/g)
    return [...new Set([...links].map(([, href]) => href))]
  }
  const id = await makeUser(app.context.database)
  expect(await marked('/admin')).toEqual(['/admin'])
  expect(await marked('/admin/users')).toEqual(['/admin/users'])
  expect(await marked(`/admin/users/${id}`)).toEqual(['/admin/users'])
})

test('of the packages one is the most popular: the last that was said to be', async () => {
  const { site } = app.context
  const save = (id: string) => {
    const known = site.values().packages.find((one) => one.id === id)
    const texts = languages.flatMap((language) => [
      [`title_${language}`, known?.title[language] ?? ''],
      [`description_${language}`, known?.description[language] ?? ''],
      [`features_${language}`, known?.features[language].join('\n') ?? ''],
    ])
    return owner.submit(`/admin/packages/${id}/save`, {
      ...Object.fromEntries(texts),
      id,
      price: '12.34',
      credits: '50',
      popular: 'on',
      onSale: 'on',
      version: site.version(),
    })
  }
  for (const id of ['basic', 'premium']) {
    expect(await save(id)).toMatchObject({ status: 303, location: '/admin/packages' })
    const popular = site.values().packages.filter(({ isPopular }) => isPopular)
    expect(popular.map((one) => one.id)).toEqual([id])
  }
  const rows = Object.values((await read('/admin/packages')).tables)[0]
  expect(rows?.find(({ Package }) => Package === 'premium')).toMatchObject({
    Title: expect.stringContaining('most popular'),
    Price: '$12.34',
    Credits: '50',
    'A credit': '$0.247',
    'On sale': 'yes',
  })
})

test('one’s own sessions are listed while they hold, the one that asks without a way to end it', async () => {
  const someone = await openOperator(app)
  const { cookie } = someone
  const { database } = app.context
  const { name } = await database
    .selectFrom('operators')
    .select('name')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(cookie).toContain('starside_operator=')
  await app.context.pool.query(
    `insert into operator_keys (token_hash, kind, name, operator_id, created_at, expires_at)
     select sha256('old'), 'session', name, id, $2, $3 from operators where name = $1`,
    [name, new Date(now.getTime() - 2_000), new Date(now.getTime() - 1_000)],
  )
  const { tables } = readPage((await someone.get('/admin/account')).text)
  expect(tables['Sessions']).toEqual([
    {
      Since: timeText(now),
      Until: timeText(new Date(now.getTime() + operatorSessionMs)),
      Address: '',
      Browser: '',
      Actions: 'this one',
    },
  ])
})

test('a second factor in use is not replaced by whoever begins another', async () => {
  const { database } = app.context
  const { id: operatorId, password_hash: currentHash } = await database
    .insertInto('operators')
    .values({ name: 'amy', role: 'support', password_hash: 'a hash' })
    .returning(['id', 'password_hash'])
    .executeTakeFirstOrThrow()
  const proved = { operatorId, currentHash }
  const secret = await beginSecondFactor(app.context, proved)
  expect((await readWaitingSecret(app.context, operatorId))?.secret).toEqual(secret)
  await database
    .updateTable('operators')
    .set({ totp_confirmed_at: now })
    .where('id', '=', operatorId)
    .execute()
  const readRow = () =>
    database
      .selectFrom('operators')
      .select(['totp_secret', 'totp_confirmed_at'])
      .where('id', '=', operatorId)
      .executeTakeFirstOrThrow()
  const before = await readRow()
  await beginSecondFactor(app.context, proved)
  expect(await readRow()).toEqual(before)
  const other = { ...proved, currentHash: 'another hash' }
  await beginSecondFactor(app.context, other)
  expect(await readRow()).toEqual(before)
})

test('jobs are told of once some have waited for five minutes, whatever came since', async () => {
  const { database, jobs, pool } = app.context
  const order = () =>
    inTransaction(database, (transaction) =>
      jobs.enqueue(transaction, receiptQueue.name, { orderId: 'order_waiting_000000' }),
    )
  const isLate = async () =>
    /<li class="bad">\s*<strong>\d+<\/strong> Jobs? ha(?:s|ve) waited/.test(
      (await owner.get('/admin')).text,
    )
  await order()
  expect(await isLate()).toBe(false)
  await pool.query("update pgboss.job set start_after = now() - interval '6 minutes'")
  await order()
  expect(await isLate()).toBe(true)
})

test('only a draft of the terms can ask everybody again', async () => {
  const asks = async (page: string) => {
    const before = (await owner.get(`/admin/legal/${page}`)).text
    expect(before).not.toContain('Publish the draft')
    const texts = { before: '', en: '# One', es: '# Uno', zh: '# 一' }
    expect((await owner.submit(`/admin/legal/${page}/save`, texts)).status).toBe(303)
    const { text } = await owner.get(`/admin/legal/${page}`)
    expect(text).toContain('Publish the draft')
    await owner.submit(`/admin/legal/${page}/discard`)
    return text.includes('name="asksAgain"')
  }
  expect([await asks('terms'), await asks('privacy')]).toEqual([true, false])
})

test('there are no data and no page of somebody or an event that is not there', async () => {
  const nobody = '/admin/users/11111111-1111-4111-8111-111111111111'
  for (const path of [
    nobody,
    `${nobody}/data.json`,
    '/admin/users/x',
    '/admin/users/x/data.json',
    '/admin/events/x',
    '/admin/events/x/csv',
  ]) {
    expect([path, (await owner.get(path)).status]).toEqual([path, 404])
  }
})

test('a star is added by what is needed; the rest is folded, and open where it is wrong', async () => {
  const partsOf = (text: string) => {
    const add = /action="\/admin\/presets\/add"[^]*?<\/form>/.exec(text)?.[0] ?? ''
    const [shown = '', open, folded = ''] = add.split(/<details class="entry"( ?open)?/)
    const namesIn = (part: string) => [...part.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)
    return { shown: namesIn(shown), isOpen: open !== undefined, folded: namesIn(folded) }
  }
  const { text } = await owner.get('/admin/presets')
  const needed = ['picture', 'name', 'category', 'licence', 'attribution', 'source', 'consent_note']
  const rest = ['line_en', 'line_zh', 'line_es', 'licence_from', 'licence_until', 'licence_uses']
  expect(partsOf(text)).toEqual({
    shown: ['csrf', ...needed, 'ai_generated'],
    isOpen: false,
    folded: rest,
  })
  const unnamed = await owner.submit('/admin/presets/add', { name: '' })
  expect(partsOf(unnamed.text)).toMatchObject({ isOpen: false })
  const untilNever = await owner.submit('/admin/presets/add', { licence_until: 'never' })
  expect(partsOf(untilNever.text)).toMatchObject({ isOpen: true })
})

test('each number of the home page leads to what it counts, for those who may see it', async () => {
  const tilesOf = async (browser: OperatorBrowser) => {
    const { text } = await browser.get('/admin')
    const list = /<ul class="figures">[^]*?<\/ul>/.exec(text)?.[0] ?? ''
    return [...list.matchAll(/<li[^>]*>\s*(?:<a href="([^"]*)">)?<strong>\d+<\/strong>/g)].map(
      ([, to]) => to,
    )
  }
  const all = [
    '/admin/users',
    '/admin/orders',
    '/admin/selfies?q=done',
    '/admin/selfies?q=failed',
    '/admin/selfies?q=running',
    '/admin/orders',
    '/admin/reports',
  ]
  expect((await tilesOf(owner)).slice(0, all.length)).toEqual(all)
  const seen = await tilesOf(await openOperator(app, 'moderator'))
  expect(seen.slice(0, all.length)).toEqual(
    all.map((to) => (to === '/admin/orders' ? undefined : to)),
  )
})
