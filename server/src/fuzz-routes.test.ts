import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from './credits/audit.ts'
import { routeTable } from './openapi/route-table.ts'
import { openTestApp } from './testing/open-test-app.ts'
import type { TestApp } from './testing/open-test-app.ts'

/*
 * Every call of the OpenAPI document with fields of the right names and values of any kind.
 */

const runs = 1_200
let app: TestApp
let token: string
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  ;({ token } = await app.register())
})
afterAll(() => app[Symbol.asyncDispose]())

const nastyTexts = fc.constantFrom(
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
  'true',
)
const anyText = fc.oneof(nastyTexts, fc.string({ unit: 'binary', maxLength: 200 }))
const anyValue = fc.oneof(anyText, fc.jsonValue(), fc.integer(), fc.double(), fc.boolean())

/** Deleting the account or its session would leave nothing to try. */
const harmful = ['delete-account', 'logout', 'logout-everywhere', 'end-session']
const calls = routeTable.filter(({ action }) => !harmful.includes(action ?? ''))

const request = fc.record({
  route: fc.constantFrom(...calls),
  values: fc.array(anyValue, { minLength: 12, maxLength: 12 }),
  texts: fc.array(anyText, { minLength: 8, maxLength: 8 }),
  isSignedIn: fc.boolean(),
  isRaw: fc.integer({ max: 9, min: 0 }),
})

test(
  'no call answers with a fault of ours, whatever it is sent',
  { timeout: 240_000 },
  async () => {
    const seen = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(request, async ({ route, values, texts, isSignedIn, isRaw }) => {
        const names = Object.keys(shapeOf(route.body?.schema))
        const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(safe(texts[0])))
        const query = new URLSearchParams(
          Object.keys(shapeOf(route.query)).map((name, index) => [name, safe(texts[index + 1])]),
        )
        if (route.action !== undefined) query.set('action', route.action)
        const fields = Object.fromEntries(names.map((name, index) => [name, values[index % 12]]))
        const isForm = route.body?.mediaType === 'multipart/form-data' && isRaw !== 0
        const key = safe(texts[7]).replaceAll(/[^\x21-\x7e]/g, '')
        const response = await fetch(`${app.url}${path}?${query}`, {
          method: route.method,
          headers: {
            ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}),
            ...(isForm || route.method === 'GET' ? {} : { 'content-type': 'application/json' }),
            ...(key === '' ? {} : { 'idempotency-key': key }),
          },
          ...(route.method === 'GET'
            ? {}
            : {
                body: isForm
                  ? formOf(fields)
                  : isRaw === 1
                    ? safe(texts[6])
                    : JSON.stringify(fields),
              }),
          redirect: 'manual',
        })
        const text = await response.text()
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        // The payment provider and the readiness of the database are the only faults of others.
        expect([route.path, response.status, text.slice(0, 300)]).toEqual([
          route.path,
          expect.toSatisfy((status: number) => status < 500),
          expect.not.stringMatching(/node_modules|\.ts:\d|syntax error at|violates/),
        ])
      }),
      { numRuns: runs, seed: 20_261_121 },
    )
    // The fields are really looked at: some calls succeed and most are refused, in different ways.
    expect(seen.size).toBeGreaterThan(4)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  },
)

/** Fields of a zod object; none for anything else. */
function shapeOf(schema: unknown): object {
  const { shape } = (schema ?? {}) as { shape?: object }
  return shape ?? {}
}

/** A text without lone surrogates, which no address can hold. */
function safe(text: string | undefined): string {
  return (text ?? '').toWellFormed()
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? safe(value) : (JSON.stringify(value) ?? '')
    if (/photo|picture/i.test(name)) form.set(name, new Blob([text]), 'photo.jpg')
    else form.set(name, text)
  }
  return form
}
