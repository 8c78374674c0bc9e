import fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { deleteExpiredLimits } from '../../accounts/auth/jobs.ts'
import { createKeyedDigest } from '../secrets/keyed-digest.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { AppError } from '../errors/app-error.ts'
import { installErrorAnswers } from './error-answers.ts'
import { collectRoutes } from './known-routes.ts'
import { createRateLimits } from './rate-limits.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())

const limits = {
  few: { perAccount: 5, perAddress: 1_000, windowSeconds: 60 },
  anybody: { perAccount: undefined, perAddress: 7, windowSeconds: 60 },
  shared: { perAccount: 2, perAddress: 3, windowSeconds: 60 },
  many: { perAccount: 1_000, perAddress: 1_000_000, windowSeconds: 60 },
}
const digest = createKeyedDigest(Buffer.alloc(32, 1))
const openNode = () => createRateLimits(db.pool, limits, digest)
const isTaken = (taken: Promise<void>) =>
  taken.then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'too_many_requests') return false
      throw error
    },
  )

async function countTaken(takes: Promise<void>[]): Promise<number> {
  const answers = await Promise.all(takes.map(isTaken))
  return answers.filter(Boolean).length
}

test('an account may call as often as its limit says, counted over all nodes', async () => {
  const nodes = [openNode(), openNode(), openNode()]
  const caller = { address: '192.0.2.1', account: crypto.randomUUID() }
  const takes = nodes.flatMap((node) => Array.from({ length: 4 }, () => node.take('few', caller)))
  expect(await countTaken(takes)).toBe(5)
  const other = { ...caller, account: crypto.randomUUID() }
  expect(await countTaken([openNode().take('few', other)])).toBe(1)
})

test('a refusal says after how many seconds a new try makes sense', async () => {
  const node = openNode()
  const caller = { address: '192.0.2.2', account: crypto.randomUUID() }
  const noon = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(noon)
  onTestFinished(() => clock.mockRestore())
  await Promise.all(Array.from({ length: 5 }, () => node.take('few', caller)))
  clock.mockReturnValue(noon + 9_000)
  const refusal = await node.take('few', caller).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'too_many_requests', status: 429, retryAfterSeconds: 51 })
})

test.for([
  ['one IPv4 address, written either way', ['198.51.100.7', '::ffff:198.51.100.7'], 7],
  ['two IPv4 neighbours', ['198.51.100.8', '198.51.100.9'], 14],
  ['two addresses of one /64', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'], 7],
  ['the same /64 in short and in full', ['2001:db8::1', '2001:0db8:0:0:5::1'], 7],
  ['two networks', ['2001:db8:1:3::1', '2001:db8:1:4::1'], 14],
] as const)('%s', async ([, addresses, expected]) => {
  const node = openNode()
  const takes = Array.from({ length: 20 }, (_, index) =>
    node.take('anybody', { address: addresses[index % 2] ?? '' }),
  )
  expect(await countTaken(takes)).toBe(expected)
})

test('a kiosk is counted by itself, wherever its guests’ calls come from', async () => {
  const node = openNode()
  const address = '192.0.2.44'
  const at = (kioskId: string | null) =>
    Array.from({ length: 9 }, () => node.take('anybody', { address, kioskId }))
  expect(await countTaken(at('one'))).toBe(7)
  expect(await countTaken(at('two'))).toBe(7)
  expect(await countTaken(at(null))).toBe(7)
})

test('an account that is refused by its own limit uses up nothing of its network’s', async () => {
  const node = openNode()
  const address = '192.0.2.45'
  const calls = Array.from({ length: 20 }, () => node.take('shared', { address, account: 'one' }))
  expect(await countTaken(calls)).toBe(2)
  expect(await countTaken([node.take('shared', { address, account: 'other' })])).toBe(1)
})

test('one limit counts nothing towards another', async () => {
  const node = openNode()
  const caller = { address: '192.0.2.45', account: crypto.randomUUID() }
  await countTaken(Array.from({ length: 6 }, () => node.take('few', caller)))
  expect(await countTaken([node.take('many', caller)])).toBe(1)
})

test('a high limit is exact over several nodes', async () => {
  const nodes = [openNode(), openNode(), openNode()]
  const caller = { address: '192.0.2.4', account: crypto.randomUUID() }
  const takes = Array.from({ length: 1_100 }, (_, index) => nodes[index % 3]?.take('many', caller))
  expect(await countTaken(takes.map((take) => take ?? Promise.resolve()))).toBe(1_000)
})

test('switched off, nothing is counted', async () => {
  const off = createRateLimits<'few'>(db.pool, undefined, digest)
  const caller = { address: '192.0.2.5', account: crypto.randomUUID() }
  const takes = Array.from({ length: 50 }, () => off.take('few', caller))
  expect(await countTaken(takes)).toBe(50)
})

test.each([
  [0.2, '1'],
  [1.2, '2'],
  [60, '60'],
])('a wait of %d seconds is rounded up to whole ones', async (seconds, told) => {
  const app = fastify()
  installErrorAnswers(app, collectRoutes(app))
  app.get('/', () => {
    throw new AppError('too_many_requests', { retryAfterSeconds: seconds })
  })
  expect((await app.inject('/')).headers['retry-after']).toBe(told)
})

test('the table of limits holds no address', async () => {
  await openNode().take('anybody', { address: '203.0.113.77' })
  const { rows } = await db.pool.query<{ key: string }>('select key from rate_limits')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ key }) => key).join()).not.toContain('203.0.113.77')
})

test('a counter whose time is over is deleted, and one that still counts is not', async () => {
  const node = openNode()
  const caller = { address: '192.0.2.9', account: crypto.randomUUID() }
  await Promise.all(Array.from({ length: 5 }, () => node.take('few', caller)))
  await deleteExpiredLimits(db.database, new Date())
  expect(await isTaken(node.take('few', caller))).toBe(false)
  await deleteExpiredLimits(db.database, new Date(Date.now() + 61_000))
  expect(await isTaken(node.take('few', caller))).toBe(true)
})
