import { expect, test } from 'vitest'
import { nextReadAt, nextSearchAt, retryReadAt } from './reading-times.ts'

const seen = new Date('2026-11-20T12:00:00Z')
const hour = 60 * 60_000
const after = (ms: number) => new Date(seen.getTime() + ms)

/** All the times at which something is done, when each one leads to the next. */
function walk(next: (count: number, now: Date) => Date | null): Date[] {
  const times: Date[] = []
  for (let now: Date | null = seen; now !== null && times.length < 1_000;) {
    now = next(times.length + 1, now)
    if (now !== null) times.push(now)
  }
  return times
}

test('a payment under way is read at growing intervals, and for nine days', () => {
  const times = walk((readCount, now) =>
    retryReadAt({ read_count: readCount, first_seen_at: seen }, now),
  )
  expect(times[0]).toEqual(after(15_000))
  const gaps = times.slice(1).map((time, index) => time.getTime() - (times[index]?.getTime() ?? 0))
  expect(gaps).toEqual(gaps.toSorted((left, right) => left - right))
  expect(Math.max(...gaps)).toBe(6 * hour)
  expect(times.at(-1)?.getTime()).toBeGreaterThan(seen.getTime() + 9 * 24 * hour)
  expect(times.length).toBeLessThan(60)
})

test('a paid, failed or disputed one is looked at daily for a month, a refunded one never again', () => {
  const payment = { read_count: 3, first_seen_at: seen }
  for (const state of ['finished', 'failed', 'disputed'] as const) {
    expect(nextReadAt(payment, state, seen)).toEqual(after(24 * hour))
    expect(nextReadAt(payment, state, after(31 * 24 * hour))).toBeNull()
  }
  expect(nextReadAt(payment, 'refunded', seen)).toBeNull()
})

test('payments of an order are searched for at growing intervals, and for nine days', () => {
  const times = walk((count, now) =>
    nextSearchAt({ search_count: count - 1, created_at: seen }, now),
  )
  expect(times[0]).toEqual(after(60_000))
  expect(times.filter((time) => time < after(30 * 60_000)).length).toBeGreaterThan(5)
  expect(times.length).toBeLessThan(25)
  expect(times.at(-1)?.getTime()).toBeGreaterThan(seen.getTime() + 8 * 24 * hour)
})

test('an expired one is looked at four times a day for nine days', () => {
  const payment = { read_count: 1, first_seen_at: seen }
  expect(nextReadAt(payment, 'expired', seen)).toEqual(after(6 * hour))
  const last = after(9 * 24 * hour)
  expect(nextReadAt(payment, 'expired', last)).toEqual(new Date(last.getTime() + 6 * hour))
  expect(nextReadAt(payment, 'expired', new Date(last.getTime() + 1))).toBeNull()
})

test('one under way, or in a state that is not known, is read like one that could not be read', () => {
  for (const state of ['waiting', 'processing', 'partial', 'unknown'] as const) {
    const payment = { read_count: 2, first_seen_at: seen }
    expect(nextReadAt(payment, state, seen)).toEqual(after(30_000))
  }
})

test('times are those of the tables', () => {
  const minutes = (times: (Date | null)[]) =>
    times.map((time) => ((time?.getTime() ?? 0) - seen.getTime()) / 60_000)
  const reads = Array.from({ length: 11 }, (_, readCount) =>
    retryReadAt({ read_count: readCount, first_seen_at: seen }, seen),
  )
  expect(minutes(reads)).toEqual([0.25, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 360])
  const searches = Array.from({ length: 11 }, (_, searchCount) =>
    nextSearchAt({ search_count: searchCount, created_at: seen }, seen),
  )
  expect(minutes(searches)).toEqual([1, 1, 2, 3, 5, 5, 15, 60, 180, 720, 1440])
})
