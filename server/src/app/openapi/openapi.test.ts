import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { createApp } from '../app.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { keepForName } from './routes.ts'

const routes = listRoutes()
let app: TestApp
let document: any
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  document = (await app.call('/api/openapi.json')).body
})
afterAll(() => app[Symbol.asyncDispose]())

/** The program's own pages and the operator's are no part of the API. */
const isApi = (pattern: string) => pattern.startsWith('/api/')

test('every route of the program is in the document, and the other way round', async () => {
  const real = await createApp(app.context)
  await real.ready()
  const registered = (real.knownRoutes?.list() ?? [])
    .filter(({ method, pattern }) => isApi(pattern) && method !== 'HEAD' && method !== 'OPTIONS')
    .map(({ method, pattern }) => `${method} ${pattern}`)
  await real.close()
  const described = routes.map(({ method, path }) => `${method} ${path}`)
  expect([...new Set(described)].toSorted()).toEqual([...new Set(registered)].toSorted())
})

test.each([
  ['POST', '/api/auth'],
  ['GET', '/api/auth'],
  ['POST', '/api/user'],
  ['GET', '/api/user'],
  ['POST', '/api/ai'],
  ['GET', '/api/ai'],
])('every action of %s %s is in the document, and the other way round', async (method, path) => {
  const { body } = await app.call(`${path}?action=none`, {
    method,
    ...(method === 'POST' && { json: {} }),
  })
  const accepted = /Accepted are: (.*)\.$/.exec(body.error)?.[1]?.split(', ')
  const described = routes.filter((route) => route.method === method && route.path === path)
  expect(new Set(described.map(({ action }) => action))).toEqual(new Set(accepted))
})

test('every reference of the document leads to a schema, and every schema is referred to', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  const names = new Set([...references].map(([, name]) => name))
  expect(names).toEqual(new Set(Object.keys(document.components.schemas)))
})

test('a refusal may be about any photo that is sent', () => {
  const { photo } = document.components.schemas.FailureAnswer.properties
  expect(photo.enum).toEqual(['user', 'star', 'background'])
})

test('each operation lists what any call of its kind may be refused for', () => {
  const refusals = (method: string, path: string) =>
    Object.values<any>(document.paths[path][method].responses)
      .flatMap(({ description }) => [...description.matchAll(/`(\w+)`/g)])
      .map(([, code]) => code)
  const always = ['too_many_requests', 'internal', 'unavailable']
  expect(new Set(refusals('get', '/api/config'))).toEqual(new Set(always))
  const withBody = ['body_too_large', 'invalid_request', 'unknown_action']
  const signedIn = ['account_suspended', 'token_invalid', 'token_missing']
  expect(refusals('post', '/api/user')).toEqual(
    expect.arrayContaining([...always, ...withBody, ...signedIn]),
  )
})

test('every operation has a name of its own, and every placeholder its parameter', () => {
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.values<any>(methods).map((operation) => ({ path, ...operation })),
  )
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, parameters } of operations) {
    const inPath = parameters.filter((parameter: any) => parameter.in === 'path')
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(inPath.map(({ name }: any) => name)).toEqual(placeholders)
  }
})

test('an upload is reported as a file', () => {
  const { properties } = document.components.schemas.GenerateForm
  expect(properties.userPhoto).toEqual({ contentMediaType: 'application/octet-stream' })
  expect(properties.presetId).toEqual({ type: 'string', maxLength: 80 })
  expect(properties.userFaceIndex).toMatchObject({ type: 'integer', minimum: 0 })
})

test('the page names every call and needs no script and nobody else', async () => {
  const page = await app.call('/api/docs')
  const text = page.body.toString()
  expect(page.status).toBe(200)
  for (const { path } of routes) expect(text).toContain(path)
  expect(text).not.toMatch(/<script|<link|<img|src=|style="/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'/)
  expect(policy).not.toContain('unsafe')
})

test('a value in a page is escaped', async () => {
  const { html } = await import('../../platform/http/html.ts')
  expect(
    html`<p title="${'"><script>'}">${['<b>', html`<i>${'&'}</i>`]}${undefined}</p>`.text,
  ).toBe('<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;<i>&amp;</i></p>')
})

test('docs/api.md walks through the flow with the calls of the document', async () => {
  const page = await readFile(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
  const named = [...page.replaceAll('$API', '/api').matchAll(/"(\/api\/[\w/-]+)/g)]
  expect(named.length).toBeGreaterThan(5)
  for (const [, path] of named) {
    const isKnown = routes.some((route) => path !== undefined && route.path.startsWith(path))
    expect([path, isKnown]).toEqual([path, true])
  }
})

test('document and page are made once, and anew for another name', () => {
  const made: string[] = []
  let name = 'Starside'
  const read = keepForName(
    () => name,
    (current) => {
      made.push(current)
      return `API of ${current}`
    },
  )
  expect([read(), read(), read()]).toEqual(Array.from({ length: 3 }, () => 'API of Starside'))
  name = 'Other'
  expect([read(), read()]).toEqual(['API of Other', 'API of Other'])
  expect(made).toEqual(['Starside', 'Other'])
})

test('all of the page for people stands in its main landmark', async () => {
  const page = await (await fetch(`${app.url}/api/docs`)).text()
  expect(page).toMatch(/<body>\s*<main>\s*<h1>/)
  expect(page).toMatch(/<\/main>\s*<\/body>/)
})
