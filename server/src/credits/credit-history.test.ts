import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { correctBalance } from './correct.ts'

const pageSize = 50

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

async function readPages(token: string): Promise<{ id: string; amount: number }[][]> {
  const pages = []
  let cursor: string | null = ''
  while (cursor !== null) {
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
