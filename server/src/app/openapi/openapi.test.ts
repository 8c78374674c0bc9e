import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { createApp } from '../app.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

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

test('an operation says who may call it, with what, and what several actions do', () => {
  const about = (method: string, path: string) => {
    const { operationId, security, parameters, ...rest } = document.paths[path][method]
    const told = parameters.map(
      ({ in: place, name, required }: any) => `${place} ${name}${required ? '' : '?'}`,
    )
    return [operationId, security, told, Object.keys(rest.responses)[0]]
  }
  const [user, guest] = [{ bearer: [] }, { guest: [] }]
  expect(about('get', '/api/health/live')).toEqual(['getHealthLive', [{}], [], '200'])
  expect(about('post', '/api/auth')).toEqual(['postAuth', [{}, user], ['query action'], '200'])
  expect(about('get', '/api/orders/status')).toEqual([
    'getOrdersStatus',
    [user],
    ['query order_id', 'query user_id?'],
    '200',
  ])
  expect(about('post', '/api/ai')).toEqual([
    'postAi',
    [{}, user, guest],
    ['query action', 'query holdId?', 'header Idempotency-Key?'],
    '200',
  ])
  const { summary, description, parameters } = document.paths['/api/user'].get
  const profile = routes.find(({ method, action }) => method === 'GET' && action === 'profile')
  expect([summary, parameters[0].schema.type]).toEqual([undefined, 'string'])
  expect(description.split('\n')).toContain(`- \`profile\`: ${profile?.summary}`)
  const { post } = document.paths['/api/orders']
  expect([post.summary, post.description]).toEqual([
    'Opens an order and gives the address to pay at.',
    undefined,
  ])
  expect(post.parameters).toEqual([
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 8, maxLength: 100 },
    },
  ])
  expect(document.info.title).toBe('Starside')
  expect(document.servers).toEqual([{ url: 'https://selfie.example' }])
})

test('the page shows each call as one types it', async () => {
  const page = await app.call('/api/docs')
  const section = (heading: string) =>
    page.body
      .toString()
      .split('<h3>')
      .find((text: string) => text.includes(`</b> ${heading}</h3>`))
      ?.replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const call = (heading: string) => /<pre>(curl[^<]*)<\/pre>/.exec(section(heading) ?? '')?.[1]
  const url = 'https://selfie.example/api'
  expect(call('/ai?action=presets') ?? call('/api/ai?action=presets')).toBe(
    `curl '${url}/ai?action=presets&q=…&category=…&cursor=…'`,
  )
  expect(call('/api/orders/status')).toBe(
    `curl '${url}/orders/status?order_id=…&user_id=…' \\\n  -H "Authorization: Bearer $TOKEN"`,
  )
  expect(call('/api/orders/cancel')?.split(' \\\n  ')).toEqual([
    `curl -X POST '${url}/orders/cancel'`,
    '-H "Authorization: Bearer $TOKEN"',
    '-H "Content-Type: application/json"',
    `-d '{"orderId":"…"}'`,
  ])
  const generate = call('/api/ai?action=generate')?.split(' \\\n  ')
  expect(generate).toEqual(
    expect.arrayContaining([
      `curl -X POST '${url}/ai?action=generate&holdId=…'`,
      '-H "Idempotency-Key: $(uuidgen)"',
      '-F userPhoto=@photo.jpg',
      '-F presetId=…',
    ]),
  )
  const told = section('/api/ai?action=generate') ?? ''
  expect(told).toMatch(/Needs a bearer token\.\s+Takes an Idempotency-Key\./)
  expect(told).toContain('Answer 202. It is still being made.')
  expect(told).toMatch(/<td>402<\/td>\s*<td><code>insufficient_credits<\/code><\/td>/)
  expect(section('/api/health/live')).not.toMatch(/bearer token|Idempotency-Key/)
  expect([page.headers.get('cache-control'), page.headers.get('content-type')]).toEqual([
    'public, max-age=300',
    'text/html; charset=utf-8',
  ])
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

test('all of the page for people stands in its main landmark', async () => {
  const page = await (await fetch(`${app.url}/api/docs`)).text()
  expect(page).toMatch(/<body>\s*<main>\s*<h1>/)
  expect(page).toMatch(/<\/main>\s*<\/body>/)
})
