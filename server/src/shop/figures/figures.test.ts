import { errorTable } from '@starside/contract/errors.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../../ledger/credits/grant.ts'
import { purchaseReference } from '../../payments/credit-order.ts'
import { makeUser } from '../../testing/make-user.ts'
import { operatorScript } from '../../operator/frame.ts'
import { dayText } from '../../operator/tables.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { generateForm } from '../../testing/generate-form.ts'
import dailyFigures from './daily-figures.json' with { type: 'json' }
import {
  compactDailyFigures,
  readDailyFigures,
  daysUntil,
  reportFigures,
  selfieTimeQuantile,
} from './figure-report.ts'
import type { DailyFigure } from './figure-report.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The day on which the tests begin: what comes after midnight is read too. */
const today = new Date().toISOString().slice(0, 10)
const amountOf = (figures: readonly DailyFigure[], figure: string, label?: string) =>
  figures
    .filter((row) => row.figure === figure && (label === undefined || row.label === label))
    .reduce((sum, { amount }) => sum + amount, 0)
const read = () => readDailyFigures(app.context.database, today)

test('selfies, failures, people and first purchases of a day are kept', async () => {
  const { database } = app.context
  const before = await read()
  const { token, userId } = await app.register()
  const grant = (reference: string) =>
    grantCredits(database, {
      userId,
      amount: 10,
      reason: 'purchase',
      description: 'bought',
      reference,
      now: new Date(),
    })
  await grant('one')
  await grant('two')
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  expect(made.status).toBe(200)
  const after = await read()
  const grown = (figure: string) => amountOf(after, figure) - amountOf(before, figure)
  expect([grown('people'), grown('first_purchases'), grown('selfies')]).toEqual([1, 1, 1])
})

test('revenue, its coin and refunds are kept, whichever row is written first', async () => {
  const { database } = app.context
  const userId = await makeUser(database)
  const order = 'order_figures_aaaaaa'
  const before = await read()
  await database.transaction().execute(async (transaction) => {
    await sql`
      insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
        created_at, updated_at)
      values (${order}, ${userId}, 'premium', 1990, 200, 'pending', 'nowpayments', now(), now())
    `.execute(transaction)
    await sql`
      insert into payments (provider, payment_id, order_id, state, pay_currency, credited, first_seen_at)
      values ('nowpayments', '77', ${order}, 'finished', 'BTC', true, now())
    `.execute(transaction)
    await sql`
      update orders set status = 'completed', credited_at = now() where id = ${order}
    `.execute(transaction)
  })
  // Payments are read again and again.
  await sql`update payments set credited = true where payment_id = '77'`.execute(database)
  await sql`update orders set reversed_at = now() where id = ${order}`.execute(database)
  const after = await read()
  const grown = (figure: string, label?: string) =>
    amountOf(after, figure, label) - amountOf(before, figure, label)
  expect([
    grown('purchases'),
    grown('revenue_cents'),
    grown('coin_cents', 'btc'),
    grown('refunds'),
    grown('refunded_cents'),
  ]).toEqual([1, 1990, 1990, 1, 1990])
})

test('of an order that a part came for, what came is counted, before and after a recount', async () => {
  const { database } = app.context
  const userId = await makeUser(database)
  const order = 'order_figures_cccccc'
  const before = await read()
  await sql`
    insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
      created_at, updated_at)
    values (${order}, ${userId}, 'basic', 1000, 100, 'processing', 'nowpayments', now(), now())
  `.execute(database)
  await sql`
    insert into payments (provider, payment_id, order_id, state, pay_currency, pay_amount, paid_amount,
      settled_amount, price_minor_units, price_currency, credited, first_seen_at)
    values ('nowpayments', '79', ${order}, 'partial', 'ltc', 10, 6.25, 6.25, 1000, 'usd', false, now())
  `.execute(database)
  await database.transaction().execute(async (transaction) => {
    await sql`update payments set credited = true where payment_id = '79'`.execute(transaction)
    await sql`
      update orders set status = 'completed', credited_at = now(), credits_granted = 62 where id = ${order}
    `.execute(transaction)
  })
  await sql`update payments set state = 'refunded' where payment_id = '79'`.execute(database)
  await sql`update orders set reversed_at = now() where id = ${order}`.execute(database)
  const grown = async () => {
    const after = await read()
    return (['revenue_cents', 'coin_cents', 'refunded_cents'] as const).map(
      (figure) => amountOf(after, figure) - amountOf(before, figure),
    )
  }
  expect(await grown()).toEqual([625, 625, 625])
  await sql`select recount_daily_figures()`.execute(database)
  expect(await grown()).toEqual([625, 625, 625])
  const other = sql`update orders set received_cents = 1000 where id = ${order}`.execute(database)
  await expect(other).rejects.toMatchObject({ constraint: 'orders_credited_once' })
})

test('test money has figures of its own, and is no purchase, no first one and no revenue, before and after a recount', async () => {
  const { database } = app.context
  const userId = await makeUser(database)
  const before = await read()
  await sql`
    insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
      created_at, updated_at)
    values ('order_figures_bbbbbb', ${userId}, 'basic', 1000, 100, 'pending', 'sandbox', now(), now())
  `.execute(database)
  await sql`
    insert into payments (provider, payment_id, order_id, state, pay_currency, credited, first_seen_at)
    values ('sandbox', '78', 'order_figures_bbbbbb', 'finished', 'LTC', true, now())
  `.execute(database)
  const grant = (orderId: string) =>
    grantCredits(database, {
      userId,
      amount: 100,
      reason: 'purchase',
      description: 'bought',
      reference: purchaseReference(orderId),
      now: new Date(),
    })
  await grant('order_figures_bbbbbb')
  await sql`
    update orders set status = 'completed', credited_at = now() where id = 'order_figures_bbbbbb'
  `.execute(database)
  await sql`
    update orders set reversed_at = now() where id = 'order_figures_bbbbbb'
  `.execute(database)
  const apart = ['test_purchases', 'test_money_cents']
  const money = ['purchases', 'revenue_cents', 'coin_cents', 'refunds', 'refunded_cents']
  const grown = async () => {
    const after = await read()
    return [...apart, ...money, 'first_purchases'].map(
      (figure) => amountOf(after, figure) - amountOf(before, figure),
    )
  }
  expect(await grown()).toEqual([1, 1_000, 0, 0, 0, 0, 0, 0])
  await sql`select recount_daily_figures()`.execute(database)
  expect(await grown()).toEqual([1, 1_000, 0, 0, 0, 0, 0, 0])
  const { text } = await (await openOperator(app)).get('/admin')
  expect(wordsOf(text)).toMatch(/Purchases in test money 1 .*Test money \$10\.00 /)
  // Real money makes the first purchase, once.
  await Promise.all(['order_figures_real01', 'order_figures_real02'].map(grant))
  expect((await grown()).at(-1)).toBe(1)
  await sql`select recount_daily_figures()`.execute(database)
  expect((await grown()).at(-1)).toBe(1)
})

test('a report tells of test money only where there was any', () => {
  const day = '2026-11-22'
  const titles = (figure: DailyFigure['figure']) =>
    reportFigures([{ day, figure, label: '', amount: 100 }], [day]).lines.map(({ title }) => title)
  expect(titles('test_money_cents')).toContain('Test money')
  expect(titles('revenue_cents')).not.toContain('Test money')
})

test('what is rolled back leaves no figure, and folding beside writers loses none', async () => {
  const { database, pool } = app.context
  const before = amountOf(await read(), 'people')
  const stop = new AbortController()
  const folder = async () => {
    while (!stop.signal.aborted) await compactDailyFigures(database)
  }
  const folding = [folder(), folder()]
  let committed = 0
  await Promise.all(
    Array.from({ length: 6 }, async (_, seed) => {
      for (let n = 0; n < 15; n += 1) {
        const client = await pool.connect()
        await client.query('begin')
        await client.query(
          `insert into users (email, username, password_hash, referral_code)
           values ($1, 'figures', 'none', $1)`,
          [`figures-${seed}-${n}`],
        )
        const keeps = (seed + n) % 3 !== 0
        await client.query(keeps ? 'commit' : 'rollback')
        client.release()
        if (keeps) committed += 1
      }
    }),
  )
  stop.abort()
  await Promise.all(folding)
  expect(amountOf(await read(), 'people')).toBe(before + committed)
  await sql`select recount_daily_figures()`.execute(database)
  expect(amountOf(await read(), 'people')).toBe(before + committed)
})

test('equal amounts that are kept and that come later are added', async () => {
  const { database } = app.context
  const day = '2025-01-01'
  await sql`
    insert into daily_figures (day, figure, label, amount) values (${day}, 'people', 'x', 5)
  `.execute(database)
  await sql`
    insert into daily_changes (day, figure, label, amount)
    values (${day}, 'people', 'x', 5), (${day}, 'people', 'x', 5), (${day}, 'people', 'y', -1),
      (${day}, 'people', 'y', 1)
  `.execute(database)
  const kept = async () => (await readDailyFigures(database, day)).filter((row) => row.day === day)
  const sums = [{ day, figure: 'people', label: 'x', amount: 15 }]
  expect(await kept()).toEqual(sums)
  expect(await readDailyFigures(database, '2999-01-01')).toEqual([])
  await compactDailyFigures(database)
  expect(await kept()).toEqual(sums)
  expect(await readDailyFigures(database, '2999-01-01')).toEqual([])
})

test('a reading touches the kept sums alone, however many rows there are', async () => {
  const touched = await app.context.database.transaction().execute(async (transaction) => {
    // What this connection has read so far, by table.
    const count = async () => {
      const { rows } = await sql<{ relname: string; scans: string }>`
        select relname, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_xact_user_tables
      `.execute(transaction)
      return new Map(rows.map(({ relname, scans }) => [relname, scans]))
    }
    const before = await count()
    await readDailyFigures(transaction, '2026-01-01')
    const after = await count()
    return [...after].filter(([name, scans]) => scans !== before.get(name)).map(([name]) => name)
  })
  expect(touched.toSorted()).toEqual(['daily_changes', 'daily_figures'])
})

test('the quantiles of kept steps are at most a quarter off', () => {
  const seconds = Array.from({ length: 1_000 }, (_, n) => 1 + ((n * 7919) % 1_000) / 40)
  const counts = new Map<number, number>()
  for (const time of seconds) {
    const step = Math.ceil(Math.log(time) / Math.log(1.25))
    counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const sorted = seconds.toSorted((one, other) => one - other)
  for (const share of [0.5, 0.95]) {
    const exact = sorted[Math.floor(share * 1_000)] ?? 0
    const ratio = (selfieTimeQuantile(counts, share) ?? 0) / exact
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.25)
  }
  expect(selfieTimeQuantile(new Map(), 0.5)).toBeUndefined()
})

test('a report tells the usual and the slow time of a selfie, of each day and of all', () => {
  const days = ['2026-11-21', '2026-11-22', '2026-11-23']
  const made = (day: string, step: number, amount: number) =>
    ({ day, figure: 'selfies', label: String(step), amount }) as const
  const other = { day: '2026-11-23', figure: 'failures', label: '20', amount: 500 } as const
  const figures = [made('2026-11-21', 10, 100), made('2026-11-22', 4, 90), other]
  const { lines } = reportFigures([...figures, made('2026-11-22', 20, 10)], days)
  const at = (step: number) => expect.closeTo(1.25 ** step, 6) as number
  const told = (title: string) => lines.find((line) => line.title === title)
  expect(lines.slice(2, 4)).toEqual([
    told('Usual time of a selfie'),
    told('Time of the slowest 5 %'),
  ])
  expect(told('Usual time of a selfie')).toMatchObject({
    unit: 's',
    values: [at(9.5), at(3 + 50 / 90), undefined],
    total: at(9.1),
  })
  expect(told('Time of the slowest 5 %')).toMatchObject({
    unit: 's',
    values: [at(9.95), at(19.5), undefined],
    total: at(10),
  })
})

test('a report has a value for every day, and sums by label', () => {
  const days = daysUntil(new Date('2026-03-01T12:00:00Z'), 3)
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  const report = reportFigures(
    [
      { day: '2026-02-26', figure: 'people', label: '', amount: 99 },
      { day: '2026-02-28', figure: 'people', label: '', amount: 2 },
      { day: '2026-02-28', figure: 'coin_cents', label: 'btc', amount: 1000 },
      { day: '2026-03-01', figure: 'coin_cents', label: 'btc', amount: 990 },
    ],
    days,
  )
  expect(report.lines.find(({ title }) => title === 'New users')).toMatchObject({
    values: [0, 2, 0],
    total: 2,
  })
  expect(report.splits[0]?.rows).toEqual([{ label: 'Bitcoin', amount: 19.9 }])
})

test('a report says of each hosted model what it cost and how often it failed', () => {
  const day = '2026-03-01'
  const figure = (name: DailyFigure['figure'], label: string, amount: number) => ({
    day,
    figure: name,
    label,
    amount,
  })
  const { models } = reportFigures(
    [
      figure('model_spend_micro_usd', 'fal:a/b', 120_000),
      figure('model_requests', 'fal:a/b', 4),
      figure('model_failures', 'fal:a/b', 1),
      figure('model_requests', 'comfyui:own', 2),
    ],
    [day],
  )
  expect(models).toEqual([
    { model: 'fal:a/b', requests: 4, failures: 1, spentUsd: 0.12 },
    { model: 'comfyui:own', requests: 2, failures: 0, spentUsd: 0 },
  ])
})

test('the page tells its charts in words, and its sheet holds no formula', async () => {
  const { database } = app.context
  await sql`
    insert into daily_figures (day, figure, label, amount)
    values (${today}, 'failures', '=cmd|x', 1), (${today}, 'coin_cents', '<script>x', 100)
  `.execute(database)
  const [yesterday = ''] = daysUntil(new Date(Date.parse(today)), 2)
  await sql`
    insert into daily_figures (day, figure, label, amount)
    select day, figure, '1', 2 from unnest(array[${yesterday}, ${today}]::date[]) as day,
      unnest(${keysOf(dailyFigures.names)}::text[]) as figure
    on conflict on constraint daily_figures_pkey do nothing
  `.execute(database)
  const owner = await openOperator(app)
  const { status, text } = await owner.get('/admin/figures?days=90')
  expect(status).toBe(200)
  expect(text.match(/<svg/g)?.length).toBeGreaterThan(7)
  expect(text).toContain('aria-label="Selfies a day, at most ')
  expect(text.replace(`<script>${operatorScript}`, '')).not.toContain('<script')
  const csv = await owner.get('/admin/figures/csv?days=90')
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect(csv.text.split('\r\n').filter((line) => /^\d{4}-/.test(line))).toHaveLength(90)
  expect(csv.text).toContain(`'=cmd|x`)
})

test('each figure stands beside that of as many days before', async () => {
  const { database, clock } = app.context
  app.stopTime()
  const days = daysUntil(clock(), 14)
  await sql`delete from daily_figures`.execute(database)
  await sql`delete from daily_changes`.execute(database)
  await sql`
    insert into daily_figures (day, figure, label, amount)
    values (${days[13]}, 'purchases', '', 3), (${days[7]}, 'purchases', '', 3),
      (${days[6]}, 'purchases', '', 1), (${days[0]}, 'purchases', '', 3)
  `.execute(database)
  const owner = await openOperator(app)
  for (const page of ['/admin', '/admin/figures?days=7']) {
    const { text } = await owner.get(page)
    expect(wordsOf(text)).toContain('Purchases 6 7 days before: 4, 50 % more now')
  }
  const support = await openOperator(app, 'support')
  expect(wordsOf((await support.get('/admin')).text)).not.toContain('Purchases 6')
})

/** Keeps these figures alone. */
async function keepOnly(rows: readonly (readonly [day: string, figure: string, amount: number])[]) {
  const { pool } = app.context
  await pool.query('delete from daily_figures')
  await pool.query('delete from daily_changes')
  for (const [day, figure, amount] of rows) {
    await pool.query("insert into daily_figures values ($1, $2, '', $3)", [day, figure, amount])
  }
}

/** What is read of a page or a part of it. */
const wordsOf = (markup: string) => markup.replaceAll(/(?:<[^>]*>|\s)+/g, ' ').trim()

/** The sections of the page's figures by their headings, without markup around these. */
async function readSections(path: string) {
  const { text } = await (await openOperator(app)).get(path)
  const sections = text.split('<section>').slice(1)
  const told = sections.map((section) => {
    const heading = /<h2>([^]*?)<\/h2>/.exec(section)?.[1] ?? ''
    return [wordsOf(heading), section] as const
  })
  return { text, sections: new Map(told) }
}

test('the chosen days are said and are those of every chart, however young the installation is', async () => {
  app.stopTime()
  const days = daysUntil(app.context.clock(), 60)
  const day = (at: number) => dayText(new Date(days[at] ?? ''))
  const people = (at: number) => [days[at] ?? '', 'people', 3] as const
  await keepOnly([people(50), people(59)])
  const young = await readSections('/admin/figures?days=30')
  expect(young.text.replaceAll(/\s+/g, ' ')).toContain(
    `${day(30)} to ${day(59)}; first figures: ${day(50)}`,
  )
  const chart = young.sections.get('New users 6')
  expect(chart).toContain('viewBox="0 0 30 3"')
  expect(chart).toContain(`<small>${day(30)}</small> <small>${day(59)}</small>`)
  expect(young.text).not.toContain('days before')
  await keepOnly([people(29), people(50)])
  const old = await readSections('/admin/figures?days=30')
  expect(old.text).not.toContain('first figures')
  expect(old.sections.get('New users 3')).toContain('30 days before: 3')
})

test('a chart has values of two days or more; one day and nothing are a row without', async () => {
  app.stopTime()
  const [before = '', last = ''] = daysUntil(app.context.clock(), 2)
  await keepOnly([
    [before, 'people', 2],
    [last, 'people', 5],
    [last, 'purchases', 1],
  ])
  for (const path of ['/admin', '/admin/figures?days=7']) {
    const { sections } = await readSections(path)
    expect(sections.get('New users 7')).toContain('<small>5</small>')
    expect(sections.get('New users 7')).toContain('<svg')
    for (const heading of ['Purchases 1', 'Selfies 0']) {
      expect([heading, sections.get(heading)?.includes('<svg')]).toEqual([heading, false])
    }
  }
})

test('selfies and failed ones are drawn on one scale, whose top stands at the axis of both', async () => {
  app.stopTime()
  const [before = '', last = ''] = daysUntil(app.context.clock(), 2)
  await keepOnly([
    [before, 'selfies', 40],
    [last, 'selfies', 10],
    [before, 'failures', 2],
    [last, 'failures', 4],
    [before, 'people', 7],
    [last, 'people', 6],
  ])
  const { sections } = await readSections('/admin')
  for (const heading of ['Selfies 50', 'Failed selfies 6']) {
    expect(sections.get(heading)).toContain('viewBox="0 0 7 40"')
    expect(sections.get(heading)).toContain('<small>40</small>')
  }
  expect(sections.get('Failed selfies 6')).toContain('Failed selfies a day, at most 4"')
  expect(sections.get('New users 13')).toContain('viewBox="0 0 7 7"')
})

test('a reason of failures stands as users read it, with its code in small type', async () => {
  await app.context.pool.query(
    "insert into daily_figures values ($1, 'failures', 'pair_too_tight', 2)",
    [today],
  )
  const { text } = await (await openOperator(app)).get('/admin/figures')
  expect(text).toContain(`${errorTable.pair_too_tight.sentence} <small>pair_too_tight</small>`)
})

test('a report sums each figure in its own unit, by day and in all, and leaves other days out', () => {
  const days = ['2026-11-21', '2026-11-22']
  const row = (figure: DailyFigure['figure'], amount: number, label = '', day = '2026-11-22') => ({
    day,
    figure,
    label,
    amount,
  })
  const { lines, models, splits } = reportFigures(
    [
      row('revenue_cents', 1_990),
      row('revenue_cents', 1_000, '', '2026-11-21'),
      row('revenue_cents', 5_000, '', '2026-11-20'),
      row('refunded_cents', 250),
      row('model_cost_micro_usd', 39_000, 'fal'),
      row('purchases', 2),
      row('refunds', 1),
      row('failures', 3, 'no_face'),
      row('failures', 4, 'generation_failed'),
      row('coin_cents', 1_990, 'usdcmatic'),
      row('model_spend_micro_usd', 2_000_000, 'fal:a'),
      row('model_requests', 8, 'fal:a'),
      row('model_failures', 2, 'fal:a'),
    ],
    days,
  )
  const line = (title: string) => lines.find((each) => each.title === title)
  expect(line('Revenue')).toMatchObject({ unit: 'USD', values: [10, 19.9], total: 29.9 })
  expect(line('Money refunded')).toMatchObject({ unit: 'USD', values: [0, 2.5], total: 2.5 })
  expect(line('Cost of hosted models')).toMatchObject({ unit: 'USD', total: 0.039 })
  expect(line('Purchases')).toMatchObject({ unit: '', values: [0, 2] })
  expect(line('Refunds')).toMatchObject({ unit: '', total: 1 })
  expect(line('Failed selfies')).toMatchObject({ total: 7 })
  expect(models).toEqual([{ model: 'fal:a', requests: 8, failures: 2, spentUsd: 2 }])
  expect(splits).toEqual([
    { title: 'Revenue by coin', unit: 'USD', rows: [{ label: 'USDC (Polygon)', amount: 19.9 }] },
    {
      title: 'Failures by reason',
      unit: '',
      rows: [
        { label: 'generation_failed', amount: 4 },
        { label: 'no_face', amount: 3 },
      ],
    },
    { title: 'Cost by provider', unit: 'USD', rows: [{ label: 'fal', amount: 0.039 }] },
  ])
})
