import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { newPerson } from '../../testing/open-test-app.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { runProgram } from '../../testing/run-program.ts'
import { readSmallPhoto } from '../../testing/test-photo.ts'

interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** What a collector is to the program: OTLP over HTTP in JSON. */
function openCollector(): Server & { spans: ReceivedSpan[]; received: string[]; keys: unknown[] } {
  const spans: ReceivedSpan[] = []
  const received: string[] = []
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      received.push(text)
      keys.push(request.headers['x-key'])
      const { resourceSpans } = JSON.parse(text)
      for (const { scopeSpans } of resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
  })
  return Object.assign(server, { spans, received, keys })
}

let db: Awaited<ReturnType<typeof openTestDatabase>>
let dataFolder: string
const collector = openCollector()
beforeAll(async () => {
  db = await openTestDatabase(2)
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-tracing-'))
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  collector.close()
  await db[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

const attribute = (span: ReceivedSpan, key: string) =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]

test('a selfie of two uploads is one trace with three trips into the engine’s process, and says nothing private', async () => {
  const { port } = collector.address() as AddressInfo
  const program = await runProgram({
    DATABASE_URL: db.url,
    DATA_DIR: dataFolder,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collector%20key',
  })
  const person = newPerson()
  const registered = await fetch(`${program.url}/api/auth?action=register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  const { token } = (await registered.json()) as { token: string }
  const made = await fetch(`${program.url}/api/ai?action=generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
    },
    body: await generateForm({
      presetId: undefined,
      celebrityPhoto: await readSmallPhoto(),
      consent: 'true',
    }),
  })
  expect(made.status).toBe(200)
  expect(await program.stop()).toBe(0)

  const request = collector.spans.find(
    ({ name, attributes }) =>
      name === 'POST /api/ai' && attributes.some(({ key }) => key === 'http.response.status_code'),
  )
  expect(request).toBeDefined()
  const { traceId, spanId } = request!
  const ofTrace = collector.spans.filter((span) => span.traceId === traceId)
  const child = (name: string) => ofTrace.find((span) => span.name === name)
  expect(attribute(request!, 'http.route')).toBe('/api/ai')
  expect(child('process generation')?.parentSpanId).toBeDefined()
  // Each is a trip into the engine's process, where the photos go along.
  const trips = ofTrace.filter(({ name }) => name.startsWith('engine ')).map(({ name }) => name)
  expect(trips.toSorted()).toEqual(['engine admit', 'engine admit', 'engine make-sheet'])
  expect(child('engine make-sheet')?.parentSpanId).toBe(child('process generation')?.spanId)
  expect(child('stage blend')?.parentSpanId).toBe(child('engine make-sheet')?.spanId)
  expect(child('INSERT')?.traceId).toBe(traceId)
  expect(ofTrace.some((span) => span.parentSpanId === spanId)).toBe(true)
  // A stranger's trace id is not taken over.
  expect(traceId).not.toBe('ab'.repeat(16))
  expect(program.output()).toContain(`"traceId":"${traceId}"`)
  expect(new Set(collector.keys)).toEqual(new Set(['collector key']))

  const everything = collector.received.join('\n')
  for (const secret of [token, person.email, person.password, person.username]) {
    expect(everything).not.toContain(secret)
  }
})

test('a collector that is away costs no request and no stop', async () => {
  const program = await runProgram({
    DATABASE_URL: db.url,
    DATA_DIR: dataFolder,
    // Port 9 (discard) is nobody's.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  expect((await fetch(`${program.url}/api/config`)).status).toBe(200)
  expect(await program.stop()).toBe(0)
})

test('a wrong address or headers of the collector are reported at the start, without the key', () => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' })).toThrow(
    "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address such as http://localhost:4318; it is 'localhost:4318'",
  )
  const read = () =>
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'only-a-secret',
    })
  expect(read).toThrow('OTEL_EXPORTER_OTLP_HEADERS must read name=value,name=value')
  expect(read).not.toThrow('only-a-secret')
  expect(readConfig({}).tracing).toBeUndefined()
})
