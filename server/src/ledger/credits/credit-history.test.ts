import { generationReason, joinCelebrities } from '@starside/contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { auditBooks } from './audit.ts'
import { captureHold, releaseHold } from './close-hold.ts'
import { correctBalance } from './correct.ts'
import { placeHold } from './hold.ts'
import type { HoldRequest } from './hold.ts'
import { isHistoryId } from './queries.ts'

const pageSize = 50
const pagesMax = 10

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Somebody whose history has so many lines, the signup credit among them. */
async function openHistory(lines: number): Promise<string> {
  const { token, userId } = await app.register()
  const at = app.context.clock().getTime()
  for (let line = 2; line <= lines; line += 1) {
    await correctBalance(app.context.database, {
      userId,
      amount: line,
      description: `line ${line}`,
      reference: `test:${userId}:${line}`,
      // Three lines of each moment: their order is that of their ids.
      now: new Date(at + Math.floor(line / 3)),
    })
  }
  return token
}

interface Line {
  id: string
  amount: number
  reason: string
  celebrity: string | null
  celebrities: string[]
}

async function readPages(token: string): Promise<Line[][]> {
  const pages = []
  let cursor: string | null = ''
  while (cursor !== null && pages.length < pagesMax) {
    const { body } = await app.call(`/api/user?action=credit-history&cursor=${cursor}`, { token })
    pages.push(body.items)
    cursor = body.nextCursor
  }
  return pages
}

test.for([
  [1, [1]],
  [pageSize, [pageSize]],
  [pageSize + 1, [pageSize, 1]],
  [2 * pageSize, [pageSize, pageSize]],
] as const)(
  'a history of %i lines comes in pages of 50, each line once',
  async ([lines, sizes]) => {
    const pages = await readPages(await openHistory(lines))
    expect(pages.map((page) => page.length)).toEqual(sizes)
    const amounts = pages.flat().map(({ amount }) => amount)
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(lines)
    expect(amounts.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: lines }, (_, i) => i + 1),
    )
    expect(amounts.at(-1)).toBe(1)
  },
)

test('a purchase, a gift and a correction have no celebrity, whatever they are called', async () => {
  const { token, userId } = await app.register()
  await correctBalance(app.context.database, {
    userId,
    amount: 1,
    description: 'Photo generation with Nobody',
    reference: `test:${userId}`,
    now: app.context.clock(),
  })
  const [items] = await readPages(token)
  expect(items).toMatchObject([{ celebrity: null }, { celebrity: null }])
})

test('pages that end with a hold go on behind it', async () => {
  const { token, userId } = await app.register()
  const { database } = app.context
  const now = app.context.clock()
  await grant(userId, 2 * pageSize)
  for (let line = 0; line < pageSize + 2; line += 1) await place(userId, { now })
  const pages = await readPages(token)
  expect(pages.map((page) => page.length)).toEqual([pageSize, 4])
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(pageSize + 4)
  expect((await auditBooks(database)).findings).toEqual([])
})

test('a hold of before celebrities were kept has the one of its description', async () => {
  const { token, userId } = await app.register()
  const holdId = await place(userId, { description: generationReason('Elena Vassandri') })
  const celebrities = async () => (await readPages(token))[0]?.map(({ celebrity }) => celebrity)
  expect(await celebrities()).toEqual(['Elena Vassandri', null])
  await captureHold(app.context.database, { holdId, now: app.context.clock() })
  expect(await celebrities()).toEqual(['Elena Vassandri', null])
})

test('a hold that came back keeps its celebrity', async () => {
  const { token, userId } = await app.register()
  const holdId = await place(userId, { celebrity: 'Tomas Reyl', description: 'A gift' })
  await releaseHold(app.context.database, { holdId, now: app.context.clock() })
  const [items] = await readPages(token)
  expect(items?.[0]).toMatchObject({ reason: 'refunded', amount: 0, celebrity: 'Tomas Reyl' })
})

test('two stars are named one by one, whatever their names are like', async () => {
  const { token, userId } = await app.register()
  const { database } = app.context
  const names = ['Salt and Pepper', 'Elena Vassandri']
  const { holdId } = await makeDoneGeneration(database, {
    userId,
    row: { celebrity: joinCelebrities(names), star_names: names },
  })
  const read = async () => (await readPages(token))[0]?.map(({ celebrities }) => celebrities)
  expect(await read()).toEqual([names, []])
  await captureHold(database, { holdId, now: app.context.clock() })
  expect(await read()).toEqual([names, []])
})

test.for([
  ['e1', true],
  ['e1234567890123456789', true],
  ['h01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['e', false],
  ['e12345678901234567890', false],
  ['ee1', false],
  ['1e1', false],
  ['e1e', false],
  ['h', false],
  ['h1', false],
  ['01890a5d-ac96-774b-bcce-b302099a8057', false],
  ['x01890a5d-ac96-774b-bcce-b302099a8057', false],
  ['x1h', false],
] as const)('%s is an id of a line: %s', ([text, isId]) => {
  expect(isHistoryId(text)).toBe(isId)
})

test('a cursor that no page gave out is refused', async () => {
  const { token } = await app.register()
  for (const cursor of ['x', Buffer.from('1 x1').toString('base64url')]) {
    const path = `/api/user?action=credit-history&cursor=${cursor}`
    expect((await app.call(path, { token })).body.code).toBe('invalid_request')
  }
})

async function grant(userId: string, amount: number): Promise<void> {
  await correctBalance(app.context.database, {
    userId,
    amount,
    description: 'given by a test',
    reference: `test:${crypto.randomUUID()}`,
    now: app.context.clock(),
  })
}

async function place(userId: string, request: Partial<HoldRequest>): Promise<string> {
  const placed = await placeHold(app.context.database, {
    userId,
    amount: 1,
    description: 'set aside',
    reference: crypto.randomUUID(),
    now: app.context.clock(),
    ...request,
  })
  if (placed.outcome !== 'held') throw new Error(placed.outcome)
  return placed.holdId
}
