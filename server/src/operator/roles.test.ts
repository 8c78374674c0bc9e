import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { operatorPages } from './operator-pages.ts'
import { mayDo, operatorRights, operatorRoles } from './roles.ts'
import type { OperatorRight, OperatorRole } from './roles.ts'

let app: TestApp
const browsers = new Map<OperatorRole, OperatorBrowser>()
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  for (const role of operatorRoles) browsers.set(role, await openOperator(app, role))
})
afterAll(() => app[Symbol.asyncDispose]())

/** Paths with an id in them, about nobody. */
const fill = (path: string) => path.replaceAll(/:\w+/g, crypto.randomUUID())

/** Every page, form and download, with the act that it asks for. */
const endpoints = operatorPages.flatMap((page) => [
  { method: 'GET', path: page.path, act: page.right },
  ...Object.entries(page.forms ?? {}).map(([name, { right }]) => ({
    method: 'POST',
    path: `${page.path}/${name}`,
    act: right,
  })),
  ...Object.entries(page.downloads ?? {}).map(([name, { right }]) => ({
    method: 'GET',
    path: `${page.path}/${name}`,
    act: right,
  })),
])

test.each(endpoints)('$method $path lets in who may $act, and nobody else', async (door) => {
  for (const role of operatorRoles) {
    const browser = browsers.get(role)!
    const path = fill(door.path)
    // A form without its token does nothing, and is refused only after the role let it in.
    const { status, text } =
      door.method === 'GET'
        ? await browser.get(path)
        : await browser.submit(path, { csrf: 'a wrong token' })
    const isRefused = status === 403 && text.includes('Your role')
    expect([role, !isRefused]).toEqual([role, mayDo(role, door.act)])
  }
})

test('every right is an owner’s, and given to roles that there are', () => {
  for (const [right, roles] of Object.entries(operatorRights)) {
    expect(roles, right).toContain('owner')
    expect(operatorRoles, right).toEqual(expect.arrayContaining([...roles]))
  }
})

test('only owners touch money rules, settings and operators', () => {
  const ownersOnly: OperatorRight[] = [
    'change brand',
    'change packages',
    'manage operators',
    'refund orders',
    'correct credits',
    'delete users',
    'see the log',
  ]
  for (const right of ownersOnly) {
    expect([right, operatorRights[right]]).toEqual([right, ['owner']])
  }
})

test('a navigation shows what its role may open, and every link of the home page opens', async () => {
  for (const role of operatorRoles) {
    const browser = browsers.get(role)!
    const { text } = await browser.get('/admin')
    const linksIn = (part: string) =>
      [...part.matchAll(/<a href="(\/admin[^"]*)"/g)].map(([, to]) => to!)
    const links = [...new Set(linksIn(text.slice(0, text.indexOf('<h1>'))))]
    const allowed = operatorPages.filter(
      ({ right, group }) => group !== undefined && mayDo(role, right),
    )
    expect(links.toSorted()).toEqual(allowed.map(({ path }) => path).toSorted())
    for (const link of linksIn(text)) {
      expect([link, (await browser.get(link)).status]).toEqual([link, 200])
    }
  }
})
