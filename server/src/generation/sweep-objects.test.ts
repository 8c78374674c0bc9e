import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolderStore } from '../storage/folder-store.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { sweepObjects } from './sweep-objects.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
beforeEach(async () => {
  db = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'starside-sweep-'))
})
afterEach(async () => {
  await db[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const twoHoursMs = 2 * 60 * 60_000

/** A store that holds `keys`, swept as it will be `aheadMs` from now. */
async function openSweep(keys: readonly string[], aheadMs = twoHoursMs) {
  const store = openFolderStore(folder)
  for (const key of keys) await store.put(key, Buffer.from(key), 'image/jpeg')
  const parts = {
    database: db.database,
    store,
    clock: () => new Date(Date.now() + aheadMs),
  }
  return {
    sweep: (objectsMax = 1_000) =>
      sweepObjects(parts, 'pictures', { signal: new AbortController().signal, objectsMax }),
    async left() {
      const left: string[] = []
      for await (const { key } of store.list('pictures')) left.push(key)
      return left
    },
  }
}

/** A finished generation whose clean picture is `pictures/<id>/1-clean.jpg`. */
async function makeGeneration(): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `with person as (
       insert into users (email, username, password_hash, referral_code)
       values (gen_random_uuid() || '@example.test', 'Person', '', gen_random_uuid()::text)
       returning id
     ),
     account as (
       insert into credit_accounts (kind, user_id, balance) select 'user', id, 1 from person
       returning id, user_id
     ),
     hold as (
       insert into credit_holds (account_id, amount, reference, description, created_at, expires_at)
       select id, 1, 'test', 'test', now(), now() + interval '1 day' from account
       returning id
     ),
     named as (select gen_random_uuid() as id)
     insert into generations (id, user_id, hold_id, request_digest, celebrity, aspect, resolution,
       clean_key, created_at)
     select named.id, account.user_id, hold.id, '', 'Elena Vassandri', 'portrait', 'standard',
       'pictures/' || named.id || '/1-clean.jpg', now()
     from named, account, hold
     returning id`,
  )
  return rows[0]?.id ?? ''
}

test('what a row names stays, and everything else goes, whatever its name', async () => {
  const id = await makeGeneration()
  await db.pool.query(
    `insert into generation_attempts (generation_id, user_id, chain_position, provider, model,
       prompt_version, output_key, created_at, next_look_at, deadline_at)
     select id, user_id, 0, 'fal', 'model', '1', 'pictures/' || id || '/output.jpg', now(), now(),
       now() from generations where id = $1`,
    [id],
  )
  const kept = [`pictures/${id}/1-clean.jpg`, `pictures/${id}/output.jpg`]
  const { sweep, left } = await openSweep([
    ...kept,
    `pictures/${id}/2-clean.jpg`,
    `pictures/${crypto.randomUUID()}/1-clean.jpg`,
    'pictures/no-id-at-all/1-clean.jpg',
    `pictures/${'0'.repeat(36)}/1-clean.jpg`,
    `pictures/${id}-1/1-clean.jpg`,
    'pictures/stray.jpg',
  ])
  await sweep()
  expect(await left()).toEqual(kept)
})

test('an object of the last hour stays: its row may not be written yet', async () => {
  const key = `pictures/${crypto.randomUUID()}/1-clean.jpg`
  const { sweep, left } = await openSweep([key], 59 * 60_000)
  await sweep()
  expect(await left()).toEqual([key])
})

test('a sweep looks at so many objects, and the next one goes on behind them', async () => {
  const ids = [1, 2, 3, 4, 5].map((n) => `0000000${n}-0000-4000-8000-000000000000`)
  const { sweep, left } = await openSweep(ids.map((id) => `pictures/${id}/1-clean.jpg`))
  const remaining = async () => (await left()).map((key) => key.slice(9, 17))
  await sweep(2)
  expect(await remaining()).toEqual(['00000003', '00000004', '00000005'])
  await sweep(2)
  expect(await remaining()).toEqual(['00000005'])
  await sweep(2)
  expect(await remaining()).toEqual([])
})

test('after the last object a sweep begins anew, and finds what came in front', async () => {
  const late = openSweep([`pictures/${'f'.repeat(8)}-0000-4000-8000-000000000000/1-clean.jpg`])
  await (await late).sweep()
  const early = await openSweep([
    `pictures/${'0'.repeat(8)}-0000-4000-8000-000000000000/1-clean.jpg`,
  ])
  await early.sweep()
  expect(await early.left()).toEqual([])
})

test('a page of objects is asked for by the ids of their generations, not one by one', async () => {
  await makeGeneration()
  const keys = Array.from({ length: 40 }, () => `pictures/${crypto.randomUUID()}/1-clean.jpg`)
  const { sweep, left } = await openSweep(keys)
  const statements: string[] = []
  db.pool.on('acquire', () => statements.push('statement'))
  await sweep()
  expect(await left()).toEqual([])
  // Where it goes on, and one page.
  expect(statements).toHaveLength(2)
})
