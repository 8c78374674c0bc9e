import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openFolderStore } from '../platform/storage/folder-store.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { checkInputs, inputAgeMaxMs, summariseInputChecks } from './check-inputs.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-inputs-'))
  await db.pool.query('delete from input_checks')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const dayMs = 24 * 60 * 60_000
const start = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)

/** The check over a store with photos of these ages. */
async function checkAt(now: Date, agesMs: readonly number[] = [], prefix = 'inputs') {
  const store = openFolderStore(folder)
  const keys = agesMs.map((_age, index) => `${prefix}/${index}/user-600x800.jpg`)
  for (const [index, key] of keys.entries()) {
    await store.put(key, Buffer.from('a photo'), 'image/jpeg')
    const at = new Date(now.getTime() - (agesMs[index] ?? 0))
    await utimes(join(folder, key), at, at)
  }
  const logged: string[] = []
  const note = (level: string) => () => void logged.push(level)
  const log = { debug() {}, info: note('info'), warn: note('warn'), error: note('error') }
  const check = await checkInputs({
    config: { layersMinutes: 30 },
    database: db.database,
    store,
    clock: () => now,
    log,
  })
  const left: string[] = []
  for await (const { key } of store.list(prefix)) left.push(key)
  return { check, keys, left, logged }
}

async function writtenDown() {
  const { rows } = await db.pool.query(
    'select checked_at, inputs, oldest_age_seconds, overdue from input_checks order by checked_at',
  )
  return rows
}

test('an empty store passes and is written down', async () => {
  const { check, logged } = await checkAt(start)
  expect(check).toEqual({ inputs: 0, layers: 0, oldestAgeSeconds: undefined, overdue: [] })
  expect(logged).toEqual(['info'])
  expect(await writtenDown()).toEqual([
    { checked_at: start, inputs: 0, oldest_age_seconds: null, overdue: 0 },
  ])
})

test('a photo older than a day is found, deleted and written down', async () => {
  const { check, keys, left, logged } = await checkAt(start, [
    dayMs - 1_000,
    dayMs,
    dayMs + 1_000,
    -5_000,
  ])
  expect(inputAgeMaxMs).toBe(dayMs)
  expect(check).toEqual({
    inputs: 4,
    layers: 0,
    oldestAgeSeconds: 24 * 60 * 60 + 1,
    overdue: [keys[2]],
  })
  expect(left).toEqual([keys[0], keys[1], keys[3]])
  expect(logged).toEqual(['error'])
  expect(await writtenDown()).toEqual([
    { checked_at: start, inputs: 4, oldest_age_seconds: 24 * 60 * 60 + 1, overdue: 1 },
  ])
})

test('layers are found an hour past their time', async () => {
  const lastMs = (30 + 60) * 60_000
  const { check, keys, left } = await checkAt(start, [lastMs, lastMs + 1_000], 'layers')
  expect([check.overdue, left]).toEqual([[keys[1]], [keys[0]]])
  expect(check).toMatchObject({ inputs: 0, layers: 2 })
})

test('a photo whose file is dated in the future counts as new', async () => {
  expect((await checkAt(start, [-60_000])).check).toMatchObject({ oldestAgeSeconds: 0 })
})

test('the next check passes again', async () => {
  await checkAt(start, [dayMs + 1_000])
  const { check } = await checkAt(later(60_000))
  expect(check).toEqual({ inputs: 0, layers: 0, oldestAgeSeconds: undefined, overdue: [] })
})

test('two nodes that check at the same moment write it down once', async () => {
  await checkAt(start, [0])
  await checkAt(start)
  expect(await writtenDown()).toMatchObject([{ checked_at: start, inputs: 1 }])
})

test('what was written down is kept for ninety days', async () => {
  await checkAt(start)
  await checkAt(later(90 * dayMs))
  expect(await writtenDown()).toHaveLength(2)
  await checkAt(later(90 * dayMs + 1))
  expect((await writtenDown()).map((row) => row.checked_at)).toEqual([
    later(90 * dayMs),
    later(90 * dayMs + 1),
  ])
})

test('the summary counts the checks of thirty days, and those that found something', async () => {
  await checkAt(start, [2 * dayMs])
  await checkAt(later(1), [2 * dayMs])
  await checkAt(later(2), [0])
  const summarise = (ms: number) => summariseInputChecks({ database: db.database }, later(ms))
  expect(await summarise(30 * dayMs - 1)).toEqual({ checks: 3, failed: 2 })
  expect(await summarise(30 * dayMs)).toEqual({ checks: 2, failed: 1 })
})
