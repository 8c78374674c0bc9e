import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from './ledger/credits/audit.ts'
import { openTestApp } from './testing/open-test-app.ts'
import type { TestApp } from './testing/open-test-app.ts'
import { roundsOr } from './testing/rounds-or.ts'

/*
 * Every call of the OpenAPI document with fields of the right names and values of any kind.
 */

let app: TestApp
let token: string
beforeAll(async () => {
  app = await openTestApp({ settings: { TRUST_PROXY: '1' }, worker: false })
  ;({ token } = await app.register())
})
afterAll(() => app[Symbol.asyncDispose]())

const cursorOf = (text: string) => Buffer.from(text).toString('base64url')
const aUuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
/** Whoever reads the source can write a cursor. */
const cursors = [
  cursorOf('1 x'),
  cursorOf('999999999999999 h-'),
  cursorOf(`1 ${aUuid}`),
  cursorOf(`1 ${aUuid.toUpperCase()}`),
  cursorOf('1 e99999999999999999999'),
  cursorOf(`1 h${aUuid.slice(1)}`),
  cursorOf('1 e1'),
]

const nastyTextList = [
  '',
  '\u0000',
  "' or 1=1 --",
  '../../../../etc/passwd',
  '%2e%2e%2f',
  'null',
  '{{7*7}}',
  '\ud800',
  '𝒳'.repeat(300),
  '9'.repeat(400),
  '-0',
  '1e309',
  '2026-13-45',
  'order_0_aaaaaa',
  '00000000-0000-0000-0000-000000000000',
  aUuid,
  aUuid.toUpperCase(),
  'true',
  ...cursors,
]
const anyText = fc.oneof(
  fc.constantFrom(...nastyTextList),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const anyValue = fc.oneof(anyText, fc.jsonValue(), fc.integer(), fc.double(), fc.boolean())

/** Ending the session would leave nothing to try. */
const harmful = ['logout', 'logout-everywhere']
const calls = listRoutes().filter(({ action }) => !harmful.includes(action ?? ''))

interface Sent {
  /** For the parameters of the path and the query. */
  texts: readonly string[]
  /** For the fields of the body. */
  values: readonly unknown[]
  isSignedIn: boolean
  /** How the body is written. */
  bodyAs: 'declared' | 'json' | 'broken'
  /** Sends each parameter of the query twice. */
  repeatsQuery?: boolean
}

/** One call with those values in all its fields; fails when it answers with a fault of ours. */
async function send(route: RouteDescription, sent: Sent): Promise<number> {
  const { texts, values } = sent
  const text = (index: number) => (texts[index % texts.length] ?? '').toWellFormed()
  const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(text(0)))
  const query = new URLSearchParams(
    Object.keys(shapeOf(route.query)).map((name, index) => [name, text(index + 1)]),
  )
  if (route.action !== undefined) query.set('action', route.action)
  const search = sent.repeatsQuery === true ? `${query}&${query}` : query
  const names = Object.keys(shapeOf(route.body?.schema))
  const fields = Object.fromEntries(
    names.map((name, index) => [name, values[index % values.length]]),
  )
  const isForm = route.body?.mediaType === 'multipart/form-data' && sent.bodyAs === 'declared'
  const response = await fetch(`${app.url}${path}?${search}`, {
    method: route.method,
    headers: {
      ...headersOf(text(7)),
      ...(sent.isSignedIn ? { authorization: `Bearer ${token}` } : {}),
      ...(isForm || route.method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(route.method === 'GET'
      ? {}
      : {
          body: isForm
            ? formOf(fields)
            : sent.bodyAs === 'broken'
              ? text(6)
              : JSON.stringify(fields),
        }),
    redirect: 'manual',
  })
  const answer = await response.text()
  // The payment provider and the readiness of the database are the only faults of others.
  expect([route.path, route.action, response.status, answer.slice(0, 300)]).toEqual([
    route.path,
    route.action,
    expect.toSatisfy((status: number) => status < 500),
    expect.not.stringMatching(/node_modules|\.ts:\d|syntax error at|violates/),
  ])
  return response.status
}

/** The headers that some call reads, all with one text; a header holds visible ASCII only. */
function headersOf(text: string): Record<string, string> {
  const value = text.replaceAll(/[^\x21-\x7e]/g, '')
  if (value === '') return {}
  const names = ['idempotency-key', 'user-agent', 'x-forwarded-for', 'cookie', 'prefer', 'range']
  return Object.fromEntries(names.map((name) => [name, value]))
}

const cases = calls.map(
  (route) => [`${route.method} ${route.path} ${route.action ?? ''}`, route] as const,
)

test.each(cases)('%s takes no hostile text for granted', async (_name, route) => {
  for (const text of nastyTextList) {
    const sent = { texts: [text], values: [text], bodyAs: 'declared' } as const
    await send(route, { ...sent, isSignedIn: true })
    await send(route, { ...sent, isSignedIn: false })
  }
  await send(route, {
    texts: [aUuid],
    values: [[aUuid], { a: 1 }, null],
    bodyAs: 'json',
    isSignedIn: true,
    repeatsQuery: true,
  })
})

const anyCall = fc.record({
  route: fc.constantFrom(...calls),
  texts: fc.array(anyText, { minLength: 8, maxLength: 8 }),
  values: fc.array(anyValue, { minLength: 12, maxLength: 12 }),
  isSignedIn: fc.boolean(),
  repeatsQuery: fc.boolean(),
  bodyAs: fc.constantFrom('declared', 'declared', 'declared', 'json', 'broken'),
})

test('no call answers with a fault of ours, whatever it is sent', async () => {
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(anyCall, async ({ route, ...sent }) => {
      seen.add(await send(route, sent))
    }),
    { numRuns: roundsOr(400), seed: 20_261_121 },
  )
  // The fields are really looked at: some calls succeed and most are refused, in different ways.
  expect(seen.size).toBeGreaterThan(4)
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

/** Fields of a zod object; none for anything else. */
function shapeOf(schema: unknown): object {
  const { shape } = (schema ?? {}) as { shape?: object }
  return shape ?? {}
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')
    if (/photo|picture/i.test(name)) form.set(name, new Blob([text]), 'photo.jpg')
    else form.set(name, text)
  }
  return form
}
