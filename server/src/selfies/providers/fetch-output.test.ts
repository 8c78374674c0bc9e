import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAttempt, makeGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import { findRow } from '../../platform/db/rows.ts'
import { fetchOutput } from './fetch-output.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

/** What each download meets; without an entry it brings the address as bytes. */
let answers: (Error | undefined)[]
let downloaded: string[]
let forgotten: unknown[]
let stored: Map<string, string>
let jobs: unknown[]
let waits: unknown[]
let whileDownloading: () => Promise<void>
beforeEach(() => {
  ;[answers, downloaded, forgotten, stored, jobs, waits] = [[], [], [], new Map(), [], []]
  whileDownloading = async () => {}
})

const { signal } = new AbortController()
const now = new Date('2026-11-20T12:00:00Z')

/** An attempt whose vendor has made three pictures, of which two were asked for. */
async function make(row: object = {}) {
  const own = await makeGeneration(db.database)
  const attempt = await makeAttempt(db.database, own, {
    state: 'answered',
    model: crypto.randomUUID(),
    cost_micro_usd: 78_000,
    submitted_at: now,
    request_id: own.generationId,
    status_url: 's',
    response_url: 'r',
    output_url: 'one',
    further_output_urls: ['two', 'three'],
    ...row,
  })
  const read = async () => (await findRow(db.database, 'generation_attempts', { id: attempt.id }))!
  return { ...own, attempt, read }
}
type Made = Awaited<ReturnType<typeof make>>

function run({ attempt }: Made) {
  const provider = {
    kind: 'queued',
    takesCount: true,
    async download(url: string) {
      downloaded.push(url)
      await whileDownloading()
      const answer = answers.shift()
      if (answer !== undefined) throw answer
      return Buffer.from(url)
    },
    forget: async (...given: unknown[]) => void forgotten.push(given),
  }
  const settings = { picturesMax: 2, failsOverOn: [], circuitFailuresMax: 9, circuitOpenMs: 1 }
  const parts = {
    clock: () => now,
    database: db.database,
    images: { settings, find: () => provider },
    jobs: { enqueue: async (_transaction: unknown, ...job: unknown[]) => void jobs.push(job) },
    log: { warn() {}, info() {}, error() {} },
    notifications: { publish: async () => {} },
    randomBytes,
    store: {
      put: async (key: string, bytes: Buffer) => void stored.set(key, bytes.toString()),
      delete: async (key: string) => void stored.delete(key),
    },
  }
  return fetchOutput(parts as never, attempt, {
    provider: provider as never,
    signal,
    wait: async (ms) => void waits.push(ms),
  })
}
const lastSuccess = async ({ attempt }: Made) =>
  (
    await db.database
      .selectFrom('image_providers')
      .select('last_success_at')
      .where('name', '=', `fal:${attempt.model}`)
      .executeTakeFirst()
  )?.last_success_at
const down = new HostedError('provider_down', 'not now')

describe('pictures that a vendor has made', () => {
  test('are fetched as many as were asked for, kept, and all forgotten there', async () => {
    const one = await make()
    await run(one)
    expect(downloaded).toEqual(['one', 'two'])
    expect([...stored.values()]).toEqual(['one', 'two'])
    const [first, ...others] = stored.keys()
    expect(await one.read()).toMatchObject({
      state: 'fetched',
      output_key: first,
      further_output_keys: others,
      answered_at: now,
    })
    expect(jobs).toEqual([
      [expect.any(String), { generationId: one.generationId }, { priority: expect.any(Number) }],
    ])
    expect(forgotten).toEqual([
      [expect.objectContaining({ requestId: one.generationId }), ['one', 'two', 'three'], signal],
    ])
    // Its answer was counted when it came.
    expect(await lastSuccess(one)).toBeUndefined()
  })

  test('are tried again after half a second, one and a half and three, and given up then', async () => {
    answers = [down, new HostedError('timeout', 'too slow'), down]
    const one = await make({ further_output_urls: [] })
    await run(one)
    expect([waits, (await one.read()).state]).toEqual([[500, 1_500, 3_000], 'fetched'])
    waits = []
    answers = [down, down, down, down]
    const other = await make({ further_output_urls: [] })
    await run(other)
    expect(waits).toEqual([500, 1_500, 3_000])
    expect(await other.read()).toMatchObject({
      state: 'failed',
      error_kind: 'provider_down',
      error_detail: 'not now',
      cost_micro_usd: '78000',
    })
  })

  test('that are none are not tried again, and no fault of ours counts as theirs', async () => {
    answers = [new HostedError('unknown', 'no picture')]
    const one = await make({ further_output_urls: [] })
    await run(one)
    expect([waits, (await one.read()).error_kind]).toEqual([[], 'unknown'])
    answers = [new Error('no disk')]
    const other = await make({ further_output_urls: [] })
    await expect(run(other)).rejects.toThrow('no disk')
    expect((await other.read()).state).toBe('answered')
    await run(await make({ output_url: null, further_output_urls: [] }))
    expect(downloaded).toEqual(['one', 'one'])
  })

  test('leave nothing behind where their request has ended meanwhile', async () => {
    const one = await make()
    whileDownloading = async () => {
      await db.database
        .updateTable('generation_attempts')
        .set({ state: 'failed', error_kind: 'timeout', finished_at: now })
        .where('id', '=', one.attempt.id)
        .execute()
    }
    await run(one)
    expect([[...stored.keys()], jobs]).toEqual([[], []])
    expect((await one.read()).output_key).toBeNull()
  })
})

test('a picture that came on the same connection counts as its provider’s success', async () => {
  const one = await make({ state: 'submitting' })
  await run(one)
  expect(await one.read()).toMatchObject({ state: 'fetched' })
  expect(await lastSuccess(one)).toEqual(now)
})
