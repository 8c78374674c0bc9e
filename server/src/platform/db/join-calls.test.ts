import { expect, test } from 'vitest'
import { joinCalls } from './join-calls.ts'

/** A joiner that notes its batches and answers each call with its double. */
function openJoiner(options: { sizeMax?: number; inFlightMax?: number; keyed?: boolean } = {}) {
  const batches: number[][] = []
  const underWay: (() => void)[] = []
  const call = joinCalls<number, number>({
    sizeMax: options.sizeMax ?? 10,
    inFlightMax: options.inFlightMax ?? 1,
    ...(options.keyed === true ? { keyOf: (n) => String(n % 10) } : {}),
    async run(calls) {
      batches.push([...calls])
      await new Promise<void>((resolve) => underWay.push(resolve))
      return calls.map((n) => (n < 0 ? Promise.reject(new Error(`no ${n}`)) : 2 * n))
    },
  })
  /** Lets each batch end as soon as it has begun. */
  const letRun = () => {
    const timer = setInterval(() => underWay.splice(0).forEach((finish) => finish()), 1)
    return { stop: () => clearInterval(timer) }
  }
  return { batches, underWay, call, letRun }
}

test('calls of one turn go together, and each gets its own result', async () => {
  const { batches, call, letRun } = openJoiner()
  const running = letRun()
  expect(await Promise.all([call(1), call(2), call(3)])).toEqual([2, 4, 6])
  expect(batches).toEqual([[1, 2, 3]])
  running.stop()
})

test.each([
  ['calls', false],
  ['calls with keys', true],
])('%s that come while one is under way wait for the next, no more than fit', async (_, keyed) => {
  const { batches, call, letRun } = openJoiner({ sizeMax: 2, keyed })
  const first = call(1)
  await new Promise(setImmediate)
  const others = [call(2), call(3), call(4)]
  const running = letRun()
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8])
  expect(batches).toEqual([[1], [2, 3], [4]])
  running.stop()
})

test.each([1, 2])('no more than %d batches are under way at once', async (inFlightMax) => {
  const { underWay, call, letRun } = openJoiner({ sizeMax: 1, inFlightMax })
  const calls = [1, 2, 3, 4].map((n) => call(n))
  await new Promise(setImmediate)
  expect(underWay).toHaveLength(inFlightMax)
  const running = letRun()
  expect(await Promise.all(calls)).toEqual([2, 4, 6, 8])
  running.stop()
})

test('calls with the same key follow one another', async () => {
  const { batches, call, letRun } = openJoiner({ keyed: true })
  const running = letRun()
  expect(await Promise.all([call(1), call(11), call(2)])).toEqual([2, 22, 4])
  expect(batches).toEqual([[1, 2], [11]])
  running.stop()
})

test('one failure is not another caller’s', async () => {
  const { call, letRun } = openJoiner()
  const running = letRun()
  const [bad, good] = await Promise.allSettled([call(-1), call(4)])
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'no -1' } })
  expect(good).toEqual({ status: 'fulfilled', value: 8 })
  running.stop()
})

test('a failed act fails all its calls, and the next one is tried', async () => {
  let tries = 0
  const call = joinCalls<number, number>({
    sizeMax: 10,
    inFlightMax: 1,
    async run(calls) {
      tries += 1
      if (tries === 1) throw new Error('the database is gone')
      return calls
    },
  })
  const [one, two] = await Promise.allSettled([call(1), call(2)])
  expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
  expect(await call(3)).toBe(3)
})
