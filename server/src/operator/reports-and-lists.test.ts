import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { makeOrder } from '../testing/make-order.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'

let app: TestApp
let owner: OperatorBrowser
let moderator: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  owner = await openOperator(app)
  moderator = await openOperator(app, 'moderator')
})
afterAll(() => app[Symbol.asyncDispose]())

const hourMs = 60 * 60_000

async function report(generationId: string | null, outcome: 'kept' | null = null) {
  const now = app.context.clock()
  return app.context.database
    .insertInto('reports')
    .values({
      generation_id: generationId,
      link: 'https://elsewhere.example/',
      reason: 'depicts_me',
      details: '',
      contact: 'me@example.test',
      good_faith: true,
      created_at: now,
      due_at: new Date(now.getTime() + 48 * hourMs),
      resolved_at: outcome === null ? null : now,
      outcome,
      note: outcome === null ? null : 'it is harmless',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

const readReport = (id: string) =>
  app.context.database
    .selectFrom('reports')
    .select(['outcome', 'note'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const readPicture = (generationId: string) =>
  app.context.database
    .selectFrom('generations')
    .select(['deleted_at', 'clean_key'])
    .where('id', '=', generationId)
    .executeTakeFirstOrThrow()

describe('a moderator', () => {
  test('removes a reported picture, which decides its open reports, and it is logged', async () => {
    const { generationId } = await makeDoneGeneration(app.context.database)
    const before = await report(generationId, 'kept')
    const open = [await report(generationId), await report(generationId)]
    const { status, flash } = await moderator.submit('/admin/reports/resolve', {
      id: open[0]!.id,
      outcome: 'removed',
      reason: 'their face',
    })
    expect([status, flash]).toEqual([303, expect.stringContaining('Removed.')])
    expect(await readPicture(generationId)).toMatchObject({
      deleted_at: expect.any(Date),
      clean_key: null,
    })
    for (const { id } of open) {
      expect(await readReport(id)).toEqual({ outcome: 'removed', note: 'their face' })
    }
    // What was decided before stays decided so.
    expect(await readReport(before.id)).toEqual({ outcome: 'kept', note: 'it is harmless' })
    const { text } = await owner.get('/admin/log')
    expect(text).toContain('reports resolve')
    expect(text).toContain(generationId)
  })

  test('removes identical copies, what looks nearly the same when asked to, and is told of it otherwise', async () => {
    const made = (picture_hash: string) =>
      makeDoneGeneration(app.context.database, { row: { picture_hash } })
    const [first, identical, copy] = [
      await made('81985529216486895'),
      await made('81985529216486895'),
      await made('81985529216486894'),
    ]
    const { id } = await report(first.generationId)
    const sent = { id, outcome: 'removed', reason: 'a face' }
    const told = await moderator.submit('/admin/reports/resolve', sent)
    expect(told.flash).toContain(copy.generationId)
    expect((await readPicture(identical.generationId)).deleted_at).not.toBeNull()
    expect((await readPicture(copy.generationId)).deleted_at).toBeNull()
    const other = await report(first.generationId)
    await moderator.submit('/admin/reports/resolve', {
      ...sent,
      id: other.id,
      copies: 'on',
    })
    expect((await readPicture(copy.generationId)).deleted_at).not.toBeNull()
  })

  test('can’t remove by a report that was decided, nor what nobody knows; that is not found', async () => {
    const { generationId } = await makeDoneGeneration(app.context.database)
    const decided = await report(generationId, 'kept')
    const unknown = await report(null)
    for (const { id } of [decided, unknown]) {
      const sent = { id, outcome: 'removed', reason: 'a face' }
      expect((await moderator.submit('/admin/reports/resolve', sent)).status).toBe(422)
    }
    expect((await readPicture(generationId)).deleted_at).toBeNull()
    const sent = { id: unknown.id, outcome: 'not_found', reason: 'no such link' }
    expect((await moderator.submit('/admin/reports/resolve', sent)).status).toBe(303)
    expect(await readReport(unknown.id)).toEqual({ outcome: 'not_found', note: 'no such link' })
  })
})

test('a report is late by the program’s clock', async () => {
  const { id } = await report(null)
  const isLate = async () => {
    const [overview, reports] = [
      await moderator.get('/admin'),
      await moderator.get('/admin/reports'),
    ]
    return [
      /<li class="bad">\s*<a [^>]*><strong>\d+<\/strong> Open report</.test(overview.text),
      reports.text.includes(`<span class="bad"`),
    ]
  }
  await app.context.database
    .deleteFrom('reports')
    .where('resolved_at', 'is', null)
    .where('id', '<>', id)
    .execute()
  expect(await isLate()).toEqual([false, false])
  app.passTime(49 * hourMs)
  moderator = await openOperator(app, 'moderator')
  owner = await openOperator(app)
  expect(await isLate()).toEqual([true, true])
})

test('a flag of a payment whose order nobody knows has no link', async () => {
  await app.context.database
    .insertInto('order_flags')
    .values({
      order_id: null,
      payment_id: '7000001',
      provider: 'nowpayments',
      kind: 'unknown_order',
      note: 'no such order',
      created_at: app.context.clock(),
    })
    .execute()
  const { text } = await owner.get('/admin/orders')
  expect(text).toContain('7000001')
  expect(text).not.toMatch(/href="\/admin\/orders\/(?:null)?"/)
})

test('orders beyond the first hundred are on the next page', async () => {
  const first = await makeOrder(app.context.database, { now: new Date(0) })
  for (let n = 0; n < 100; n += 1) await makeOrder(app.context.database)
  const page = await owner.get('/admin/orders')
  expect(page.text).not.toContain(first.id)
  const next = /<a href="([^"]*from=100[^"]*)">Next<\/a>/.exec(page.text)?.[1]
  const second = await owner.get(next!.replaceAll('&amp;', '&'))
  expect(second.text).toContain(first.id)
  expect(second.text).not.toContain('>Next</a>')
  expect(second.text).toContain('>Before</a>')
})
