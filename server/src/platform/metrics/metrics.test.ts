import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createScriptedEngine, makeTestSelfie } from '../../testing/scripted-engine.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { createTestJpeg } from '../../testing/test-photo.ts'
import { createMetrics } from './metrics.ts'
import { observeEngine } from './observe-engine.ts'
import { observeRequests } from './observe-requests.ts'
import { raiseFlag, resolveOwedFlags } from '../../payments/order-records.ts'
import { makeOrder } from '../../testing/make-order.ts'
import { readDatabaseFigures, serveMetrics } from '../../shop/figures/serve-metrics.ts'
import type { MetricsServer } from '../../shop/figures/serve-metrics.ts'

let app: TestApp
let server: MetricsServer
beforeAll(async () => {
  app = await openTestApp()
  server = await serveMetrics({ ...app.context, port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  await app[Symbol.asyncDispose]()
})

const read = async () => (await fetch(server.url)).text()

test('requests are counted by route and status, without ids or made-up actions', async () => {
  const { token } = await app.register()
  await app.call('/api/user?action=profile', { token })
  await app.call('/api/user?action=made-up-by-me', { token })
  await app.call(`/api/generations/${crypto.randomUUID()}`, { token })
  await app.call('/nowhere/at/all')
  const text = await read()
  const count = (route: string, status: string) =>
    new RegExp(
      `^starside_http_request_duration_seconds_count\\{method="GET",route="${route}",status="${status}"\\} (\\d+)$`,
      'm',
    ).exec(text)?.[1]
  expect(count(String.raw`/api/user\?action=profile`, '200')).toBe('1')
  expect(count('/api/user', '400')).toBe('1')
  expect(count('/api/generations/:generationId', '404')).toBe('1')
  expect(count('other', '404')).toBe('1')
  expect(text).not.toContain('made-up-by-me')
})

test('credits, queues and the pool are reported as the database has them', async () => {
  const { token } = await app.register()
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  expect(made.status).toBe(200)
  const parts = { ...app.context, metrics: createMetrics() }
  const fresh = await serveMetrics({ ...parts, port: 0, host: '127.0.0.1' })
  const text = await (await fetch(fresh.url)).text()
  await fresh.close()
  expect(text).toMatch(/^starside_credits_total\{reason="signup"\} 2$/m)
  expect(text).toMatch(/^starside_credits_total\{reason="usage"\} 1$/m)
  expect(text).toMatch(/^starside_holds_total\{state="captured"\} 1$/m)
  expect(text).toMatch(/^starside_users\{status="active"\} 2$/m)
  expect(text).toMatch(/^starside_database_pool_connections\{state="waiting"\} 0$/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).not.toMatch(/^starside_figure_failures_total\{/m)
  // The answer goes out before the job that made the picture ends.
  await expect
    .poll(read)
    .toMatch(/^starside_job_duration_seconds_count\{queue="generation",outcome="done"\} 1$/m)
})

test('what probes ask is not logged but where it fails, and the length of a stream is no time', async () => {
  const lines: unknown[] = []
  const write = (line: string) => {
    const { level, route, status, msg } = JSON.parse(line)
    lines.push([level, route, status, msg])
  }
  const metrics = createMetrics()
  const some = fastify({ logger: { stream: { write } }, disableRequestLogging: true })
  observeRequests(some, metrics)
  const paths = ['/api/health/live', '/api/health/ready', '/api/generations/:id/events', '/a/*']
  for (const path of paths) {
    some.get(path, (_request, reply) => reply.code(path.endsWith('ready') ? 503 : 200).send())
  }
  for (const path of paths) await some.inject(path)
  await some.close()
  const text = await metrics.registry.metrics()
  const routes = [...text.matchAll(/_http_request_duration_seconds_count\{.*?route="(.*?)"/g)]
  expect(routes.map(([, route]) => route)).toEqual([
    '/api/health/live',
    '/api/health/ready',
    'other',
  ])
  const [info, warning] = [30, 40]
  expect(lines).toEqual([
    [warning, '/api/health/ready', 503, 'request failed'],
    [info, '/api/generations/:id/events', 200, 'request'],
    [info, 'other', 200, 'request'],
  ])
})

test('a picture is counted by provider, stage and outcome', async () => {
  const engine = createScriptedEngine()
  const metrics = createMetrics()
  let ms = 0
  const observed = observeEngine(engine, metrics, () => ms)
  const request = {} as Parameters<typeof observed.makeSelfie>[0]
  engine.next.push(async ({ onStage }) => {
    ms = 1_000
    onStage?.('blend')
    ms = 3_000
    return makeTestSelfie()
  })
  engine.next.push(() => Promise.reject(new PhotoError('face_missing', 'user')))
  engine.next.push(() => Promise.reject(new Error('broken')))
  await observed.makeSelfie(request)
  await expect(observed.makeSelfie(request)).rejects.toThrow('face_missing')
  await expect(observed.makeSelfie(request)).rejects.toThrow('broken')
  engine.next.push(({ signal }) => Promise.reject(signal?.reason as Error))
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(observed.makeSelfie(request, { signal })).rejects.toThrow('given up')
  const text = await metrics.registry.metrics()
  const sum = (labels: string) =>
    new RegExp(`_duration_seconds_sum\\{${labels}\\} (\\S+)$`, 'm').exec(text)?.[1]
  expect(sum('provider="scripted",outcome="done"')).toBe('3')
  expect(sum('stage="faces",provider="scripted"')).toBe('1')
  expect(sum('stage="blend",provider="scripted"')).toBe('2')
  expect(sum('provider="unknown",outcome="refused"')).toBe('0')
  expect(sum('provider="unknown",outcome="failed"')).toBe('0')
  expect(text).toMatch(
    /_generation_duration_seconds_count\{provider="unknown",outcome="failed"\} 1$/m,
  )
  expect(text).toMatch(
    /_generation_duration_seconds_count\{provider="unknown",outcome="stopped"\} 1$/m,
  )
})

test('readings of photos are counted, and what a hosted model has made is none', async () => {
  const engine = createScriptedEngine()
  const metrics = createMetrics()
  const observed = observeEngine(engine, metrics, () => 0)
  const photo = await createTestJpeg({ red: 200, green: 120, blue: 90, widthPx: 600 })
  engine.nextFault = 'faces_missing'
  const made = { bytes: photo } as unknown as Parameters<typeof observed.finishProviderPicture>[0]
  await expect(observed.finishProviderPicture(made)).rejects.toThrow()
  await observed.normalise(photo)
  await observed.admit({ bytes: photo })
  const admit: typeof engine.admit = async (...asked) => ({
    ...(await engine.admit(...asked)),
    wasKept: true,
  })
  await observeEngine({ ...engine, admit }, metrics, () => 0).admit({ bytes: photo })
  const text = await metrics.registry.metrics()
  const acts = [...text.matchAll(/_photo_reading_duration_seconds_count\{act="(\w+)"/g)]
  expect(new Set(acts.map(([, act]) => act))).toEqual(new Set(['admit', 'normalise']))
  expect(text).toMatch(/^starside_kept_readings_total\{act="admit",result="read"\} 1$/m)
  expect(text).toMatch(/^starside_kept_readings_total\{act="admit",result="kept"\} 1$/m)
})

test('nothing but the metrics is at their address', async () => {
  expect((await fetch(new URL('/api/config', server.url))).status).toBe(404)
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404)
})

test('a scraper that still waits for its answer is cut off when the server closes', async () => {
  const metrics = createMetrics()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  vi.spyOn(metrics.registry, 'metrics').mockImplementation(() => {
    asked.resolve()
    return answer.promise
  })
  const fresh = await serveMetrics({ ...app.context, metrics, port: 0, host: '127.0.0.1' })
  const scraped = fetch(fresh.url).then(
    ({ status }) => status,
    () => 'cut off',
  )
  await asked.promise
  const closed = fresh.close()
  answer.resolve('too late')
  expect(await scraped).toBe('cut off')
  await closed
})

test('connections are counted as busy, idle and waited for', async () => {
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 3 })
  const [free, ...busy] = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  free.release()
  const parts = { ...app.context, metrics: createMetrics(), pool }
  const fresh = await serveMetrics({ ...parts, port: 0, host: '127.0.0.1' })
  const text = await (await fetch(fresh.url)).text()
  await fresh.close()
  for (const client of busy) client.release()
  await pool.end()
  const count = (state: string) =>
    new RegExp(`^starside_database_pool_connections\\{state="${state}"\\} (\\d+)$`, 'm').exec(
      text,
    )?.[1]
  expect(['busy', 'idle', 'waiting'].map(count)).toEqual(['2', '1', '0'])
})

test('the figures of the database are read once in half a minute, however often they are asked for', async () => {
  const { registry } = createMetrics()
  // A handle of its own, as the app reads beside.
  const database = app.context.database.withoutPlugins()
  const connection = vi.spyOn(database, 'connection')
  let nowMs = 0
  const refresh = readDatabaseFigures(registry, database, () => nowMs)
  await Promise.all([refresh(), refresh()])
  for (nowMs of [29_999, 30_000, 59_999]) await refresh()
  expect(connection).toHaveBeenCalledTimes(2)
})

test('a figure tells what is no more no longer; one that can’t be read keeps its value and is counted', async () => {
  const { registry } = createMetrics()
  const { database } = app.context
  const order = await makeOrder(database)
  const about = { provider: 'nowpayments', paymentId: order.paymentId, orderId: order.id } as const
  const now = app.context.clock()
  await raiseFlag(database, { ...about, kind: 'credits_owed', note: 'a test', now })
  let nowMs = 0
  const refresh = readDatabaseFigures(registry, database, () => nowMs)
  const told = async (pattern: RegExp) => {
    await refresh()
    nowMs += 30_000
    return pattern.exec(await registry.metrics())?.[1]
  }
  const flags = /^starside_order_flags_open\{kind="credits_owed"\} (\d+)$/m
  const failures = /^starside_figure_failures_total\{figure="starside_order_flags_open"\} (\d+)$/m
  expect(await told(flags)).toBe('1')
  await sql`alter table order_flags rename to flags_away`.execute(database)
  expect([await told(failures), await told(failures), await told(flags)]).toEqual(['1', '2', '1'])
  await sql`alter table flags_away rename to order_flags`.execute(database)
  expect(await told(flags)).toBe('1')
  await resolveOwedFlags(database, { now })
  expect(await told(flags)).toBeUndefined()
})
