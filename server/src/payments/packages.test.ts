import type { CreditPackage } from '@starside/contract/packages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPublicSettings } from '../app/service/public-routes.ts'
import { brandPage } from '../platform/site/brand-page.ts'
import { operatorScript } from '../operator/frame.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openShopper } from '../testing/open-shopper.ts'
import type { Shopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'

let app: TestApp
let owner: OperatorBrowser
let shopper: Shopper
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  owner = await openOperator(app)
  shopper = openShopper(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const saved = async (id: string, changes: Record<string, string | undefined>) => {
  const known = app.context.site.values().packages.find((each) => each.id === id)
  const fields: Record<string, string | undefined> = {
    version: app.context.site.version(),
    id,
    price: known === undefined ? '5' : (known.priceCents / 100).toFixed(2),
    credits: String(known?.credits ?? 40),
    onSale: known?.isOnSale === false ? undefined : 'on',
    popular: known?.isPopular === true ? 'on' : undefined,
    title_en: known?.title.en ?? 'Small',
    title_es: known?.title.es ?? '',
    title_zh: known?.title.zh ?? '',
    description_en: known?.description.en ?? '',
    description_es: known?.description.es ?? '',
    description_zh: known?.description.zh ?? '',
    features_en: known?.features.en.join('\r\n') ?? 'One thing\r\n* Another thing',
    features_es: known?.features.es.join('\r\n') ?? '',
    features_zh: known?.features.zh.join('\r\n') ?? '',
    ...changes,
  }
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== undefined,
  )
  return owner.submit(
    `/admin/packages/${known === undefined ? 'new' : id}/save`,
    Object.fromEntries(given),
  )
}

const offered = async () => {
  const { body } = await app.call('/api/config')
  return (body as { packages: CreditPackage[] }).packages
}

test('the number of generations on a card is the package’s own, whatever an operator makes of it', async () => {
  const linesOf = async (type: string) => {
    const one = (await offered()).find((each) => each.type === type)
    return one?.features.en.map(({ text }) => text)
  }
  expect(await linesOf('basic')).toContain('100 generations')
  await saved('basic', { credits: '40' })
  expect(await linesOf('basic')).toContain('40 generations')
  await saved('basic', { credits: '100' })
})

test('the specification’s packages are what is offered at first', async () => {
  expect(await offered()).toMatchObject([
    { type: 'basic', priceCents: 1000, credits: 100, isPopular: false },
    { type: 'premium', priceCents: 1990, credits: 200, isPopular: true },
  ])
})

test('a package of the operator’s own is offered, bought and credited', async () => {
  expect((await saved('small', { popular: 'on' })).status).toBe(303)
  expect(await offered()).toMatchObject([
    { type: 'basic' },
    { type: 'premium', isPopular: false },
    {
      type: 'small',
      priceCents: 500,
      credits: 40,
      isPopular: true,
      title: { en: 'Small', es: 'Small', zh: 'Small' },
      features: {
        es: [
          { text: 'One thing', isDistinct: false },
          { text: 'Another thing', isDistinct: true },
        ],
      },
    },
  ])
  const purchase = await shopper.order('small')
  expect(await purchase.status()).toMatchObject({ packageType: 'small', amount: 5, credits: 40 })
  await purchase.act('pay')
  expect(await purchase.credits()).toEqual({ balance: 41, bought: 40 })
})

test('a price change touches no open order', async () => {
  const purchase = await shopper.order('small')
  expect((await saved('small', { price: '7,50', credits: '10' })).status).toBe(303)
  expect(await purchase.status()).toMatchObject({ amount: 5, credits: 40 })
  await purchase.act('pay')
  expect((await purchase.status()).status).toBe('completed')
  expect((await purchase.credits()).bought).toBe(40)
  expect(await shopper.order('small').then((next) => next.status())).toMatchObject({
    amount: 7.5,
    credits: 10,
  })
})

test('what is off sale or removed can’t be ordered; its orders stay', async () => {
  const purchase = await shopper.order('small')
  expect((await saved('small', { onSale: undefined })).status).toBe(303)
  const { token } = await app.register()
  const refused = await app.call('/api/orders', { token, json: { packageType: 'small' } })
  expect([refused.status, refused.body.error]).toEqual([400, 'Invalid package type: small'])
  const { status } = await owner.submit('/admin/packages/remove', {
    id: 'small',
    version: app.context.site.version(),
  })
  expect(status).toBe(303)
  expect((await offered()).map(({ type }) => type)).toEqual(['basic', 'premium'])
  expect((await purchase.status()).packageType).toBe('small')
})

test('a repeated order is answered though its package is gone', async () => {
  await saved('gone', {})
  const { token } = await app.register()
  const order = () =>
    app.call('/api/orders', {
      token,
      json: { packageType: 'gone' },
      headers: { 'idempotency-key': 'again-and-again' },
    })
  const first = await order()
  await owner.submit('/admin/packages/remove', { id: 'gone', version: app.context.site.version() })
  const second = await order()
  expect(second.body.data.orderId).toBe(first.body.data.orderId)
})

test.each([
  ['price', '0.49', 'At least $0.50'],
  ['price', '-1', 'A price such as'],
  ['price', '1e3', 'A price such as'],
  ['price', '10000.01', 'At most $10,000'],
  ['credits', '0', 'At least one'],
  ['credits', '1.5', 'Please enter a whole number.'],
  ['credits', '1e2', 'Please enter a whole number.'],
  ['credits', '100001', 'At most 100,000'],
  ['id', 'Bad Id', 'lower-case'],
  ['title_en', '', 'A title is needed'],
])('%s %j is refused beside its field', async (field, value, told) => {
  const before = await offered()
  const { status, text } = await saved('basic', { [field]: value })
  expect([status, text.includes(told)]).toEqual([422, true])
  expect(await offered()).toEqual(before)
})

test('the last package on sale stays, and there are six at most', async () => {
  const remove = (id: string) =>
    owner.submit('/admin/packages/remove', { id, version: app.context.site.version() })
  expect((await remove('basic')).status).toBe(303)
  expect((await remove('premium')).text).toContain('At least one package')
  for (const id of ['p2', 'p3', 'p4', 'p5', 'p6']) expect((await saved(id, {})).status).toBe(303)
  expect((await saved('p7', {})).text).toContain('At most 6 packages')
  expect(
    await owner
      .submit('/admin/packages/move', {
        id: 'p6',
        position: '5',
        version: app.context.site.version(),
      })
      .then(() => offered()),
  ).toHaveLength(6)
  expect((await offered()).at(-2)?.type).toBe('p6')
})

test('no order holds a price or credits that no package may have', async () => {
  const insert = (priceCents: number, credits: number, type: string) =>
    app.context.pool.query(
      `insert into orders (id, package_type, price_cents, credits, provider, created_at, updated_at)
       values ('order_1_' || substr(md5(random()::text), 1, 6), $3, $1, $2, 'sandbox', now(), now())`,
      [priceCents, credits, type],
    )
  await expect(insert(49, 1, 'x1')).rejects.toMatchObject({ constraint: 'orders_price_bounded' })
  await expect(insert(50, 100_001, 'x1')).rejects.toMatchObject({
    constraint: 'orders_credits_bounded',
  })
  await expect(insert(50, 1, 'X 1')).rejects.toMatchObject({
    constraint: 'orders_package_type_form',
  })
})

test('what is written of a package is text on every page, whatever it holds', async () => {
  const markup = '"><img src=x onerror=a()>'
  const close = '</script><script>a()</script>'
  const { status } = await saved('p6', {
    title_en: markup,
    description_en: `${markup} ${close}`,
    features_en: `${markup}\r\n* ${close}`,
  })
  expect(status).toBe(303)
  for (const path of ['/admin/packages', '/admin/packages/p6', '/admin/log']) {
    const { text } = await owner.get(path)
    // The log shows the beginning of what changed.
    if (path !== '/admin/log') expect(text).toContain('&quot;&gt;&lt;img src=x')
    expect(text.replace(`<script>${operatorScript}`, '')).not.toMatch(/<img src=x|<script/)
  }
  const page = brandPage('<html lang="en"><head></head><body></body></html>', {
    values: app.context.site.values(),
    settings: readPublicSettings(app.context),
  })
  expect(page.match(/<script/g)).toHaveLength(1)
  const [, data = ''] = /id="settings">(.*?)<\/script>/s.exec(page) ?? []
  const { packages } = JSON.parse(data)
  expect(packages.map(({ title }: { title: { en: string } }) => title.en)).toContain(markup)
})
