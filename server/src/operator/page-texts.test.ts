import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { operatorPages } from './operator-pages.ts'
import { operatorRoles } from './roles.ts'
import type { OperatorRole } from './roles.ts'
import { filledAt, fillShop } from '../testing/fill-shop.ts'
import type { FilledShop } from '../testing/fill-shop.ts'
import { outlinePage } from './testing/outline-page.ts'

let app: TestApp
let shop: FilledShop
let browsers: Record<OperatorRole, OperatorBrowser>
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  shop = await fillShop(app)
  browsers = await openBrowsers(app)
  await setUpSecondFactor('the-moderator')
})
afterAll(() => app[Symbol.asyncDispose]())

/** Somebody signed in for each role, under a name that is the same in every test. */
async function openBrowsers(of: TestApp) {
  const opened: [OperatorRole, OperatorBrowser][] = []
  for (const role of operatorRoles) {
    opened.push([role, await openOperator(of, role)])
    await of.context.database
      .updateTable('operators')
      .set({ name: `the-${role}`, created_at: filledAt })
      .where('name', 'like', `${role}-%`)
      .execute()
  }
  return Object.fromEntries(opened) as Record<OperatorRole, OperatorBrowser>
}

async function setUpSecondFactor(name: string) {
  const { id } = await app.context.database
    .updateTable('operators')
    .set({ totp_confirmed_at: filledAt, totp_secret: Buffer.alloc(20) })
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.context.database
    .insertInto('operator_recovery_codes')
    .values([1, 2, 3].map((code) => ({ operator_id: id, code_hash: Buffer.alloc(32, code) })))
    .execute()
}

async function outline(path: string, role: OperatorRole): Promise<string[]> {
  const { status, text } = await browsers[role].get(path)
  const lines = shop
    .name(outlinePage(text))
    .replaceAll(/does not lead here: [^.]*/g, 'does not lead here: CODE')
    .replaceAll(app.context.config.dataFolder, 'DATA FOLDER')
    .replaceAll(app.context.config.settingsFile, 'SETTINGS FILE')
    .split('\n')
  return status === 200 ? lines : [`answers ${status}: ${lines.join(' ')}`]
}

/** What the owner reads, and by which lines it differs for the others. */
async function readForAll(path: string): Promise<string> {
  const seen = await outline(path, 'owner')
  const others = await Promise.all(
    operatorRoles
      .filter((role) => role !== 'owner')
      .map(async (role) => {
        const lines = await outline(path, role)
        if (lines[0]?.startsWith('answers ') === true) return `=== ${role} === ${lines[0]}`
        const missing = seen.filter((line) => !lines.includes(line))
        const added = lines.filter((line) => !seen.includes(line))
        const differences = [
          ...missing.map((line) => `- ${line}`),
          ...added.map((line) => `+ ${line}`),
        ]
        return [`=== ${role} ===`, ...differences].join('\n')
      }),
  )
  return [...seen, '', ...others, ''].join('\n')
}

/** The addresses at which a declared page is looked at: with its parameters, searches and further pages. */
const addresses: Record<string, string[]> = {
  '/admin/packages/:id': ['/admin/packages/basic', '/admin/packages/new', '/admin/packages/none'],
  '/admin/presets': ['/admin/presets?q=star', '/admin/presets?q=ELENA', '/admin/presets?q=nobody'],
  '/admin/presets/:id': ['cutting', 'failed', 'draft', 'published', 'retired', 'no'].map(
    (state) => `/admin/presets/${state}-star`,
  ),
  '/admin/legal/:page': ['/admin/legal/imprint', '/admin/legal/none'],
  '/admin/legal/:page/preview': ['/admin/legal/imprint/preview'],
  '/admin/users': [
    '/admin/users',
    '/admin/users?q=BUYER-',
    '/admin/users?q=nobody',
    '/admin/users?from=9',
    '/admin/users?q=ORDER%20PAID',
    '/admin/users?q=SELFIE%20FAILED',
    `/admin/users?q=https://selfie.example/?selfie=${'S'.repeat(22)}`,
    '/admin/users?q=11111111-1111-4111-8111-111111111111',
    '/admin/users?q=22222222-2222-4222-8222-222222222222',
  ],
  '/admin/users/:id': ['ada', 'bob', 'cyd'].map(
    (name) => `/admin/users/USER ${name.toUpperCase()}`,
  ),
  '/admin/selfies/:id': ['done', 'shared', 'failed', 'running', 'deleted'].map(
    (name) => `/admin/selfies/SELFIE ${name.toUpperCase()}`,
  ),
  '/admin/orders': ['/admin/orders', '/admin/orders?from=7'],
  '/admin/orders/:id': [
    'paid',
    'underpaid',
    'second',
    'waiting',
    'expired',
    'cancelled',
    'late',
    'orphan',
    'decided',
  ].map((name) => `/admin/orders/ORDER ${name.toUpperCase()}`),
  '/admin/log': [
    '/admin/log',
    '/admin/log?q=user+picture',
    '/admin/log?q=zoe',
    '/admin/log?q=S',
    '/admin/log?q=nothing',
  ],
  '/admin/figures': ['/admin/figures?days=7'],
}

/** An address with the ids that this test has for the names in it. */
const idsIn = (address: string) =>
  Object.entries(shop.ids).reduce(
    (path, [name, id]) =>
      path.replace(name.toUpperCase(), id).replace(encodeURIComponent(name.toUpperCase()), id),
    address,
  )

test.each(operatorPages.map(({ path }) => path))(
  '%s says and offers to each role what a filled shop has',
  async (path) => {
    const texts: string[] = []
    for (const address of addresses[path] ?? [path]) {
      texts.push(`>>> ${address}\n${await readForAll(idsIn(address))}`)
    }
    const file = path.slice(1).replaceAll('/', '.').replaceAll(':', '')
    await expect(texts.join('\n')).toMatchFileSnapshot(`testing/page-texts/${file}.txt`)
  },
)

test('the navigation has for each role what they may open', async () => {
  const texts = await Promise.all(
    operatorRoles.map(async (role) => {
      const { text } = await browsers[role].get('/admin/account')
      const from = text.indexOf('<header>')
      return `=== ${role} ===\n${outlinePage(`<h1>${text.slice(from, text.indexOf('<main'))}</main>`)}\n`
    }),
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/page-texts/navigation.txt')
})

test('whoever is not signed in is asked who they are, on every page', async () => {
  const read = async (path: string) => {
    const response = await fetch(app.url + path, { redirect: 'manual' })
    return { status: response.status, text: outlinePage(await response.text()) }
  }
  const asked = await read('/admin')
  await expect(`answers ${asked.status}\n${asked.text}\n`).toMatchFileSnapshot(
    'testing/page-texts/sign-in.txt',
  )
  for (const { path } of operatorPages) expect([path, await read(path)]).toEqual([path, asked])
})
