import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAccountMemory } from './account-memory.ts'

const ann = { account: 'ann' }
const ben = { account: 'ben' }

function memory() {
  const clock = { ms: 0 }
  const bounds = { keptMs: 1_000, bytesMax: 50_000, bytesPerOwnerMax: 30_000 }
  return { clock, kept: createAccountMemory<Uint8Array>({ ...bounds, now: () => clock.ms }) }
}

const bytes = (length: number): Promise<Uint8Array> => Promise.resolve(new Uint8Array(length))

describe('what is kept for an account', () => {
  test('is found by that account alone', async () => {
    const { kept } = memory()
    kept.keep(ann, 'photo', bytes(100))
    expect(await kept.find(ann, 'photo')).toHaveLength(100)
    expect(await kept.find(ben, 'photo')).toBeUndefined()
    expect(await kept.find({ account: 'everybody' }, 'photo')).toBeUndefined()
    expect(await kept.find('everybody', 'photo')).toBeUndefined()
    expect(await kept.find(ann, 'other photo')).toBeUndefined()
  })

  test('is waited for while it is being made', async () => {
    const { kept } = memory()
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    kept.keep(ann, 'photo', promise)
    const found = kept.find(ann, 'photo')
    resolve(new Uint8Array(7))
    expect(await found).toHaveLength(7)
  })

  test('is gone when its time is over, also when it was used', async () => {
    const { kept, clock } = memory()
    kept.keep(ann, 'photo', bytes(100))
    clock.ms = 999
    expect(await kept.find(ann, 'photo')).toBeDefined()
    clock.ms = 1_000
    expect(await kept.find(ann, 'photo')).toBeUndefined()
  })

  test('is not kept where its making fails or finds nothing', async () => {
    const { kept } = memory()
    kept.keep(ann, 'failed', Promise.reject(new Error('aborted')))
    kept.keep(ann, 'nothing', Promise.resolve(undefined))
    expect(await kept.find(ann, 'failed')).toBeUndefined()
    expect(await kept.find(ann, 'nothing')).toBeUndefined()
  })

  test('is dropped on request, also while it is being made', async () => {
    const { kept } = memory()
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    kept.keep(ann, 'photo', promise)
    kept.keep(ben, 'photo', bytes(5))
    kept.forget('ann')
    resolve(new Uint8Array(7))
    await promise
    expect(await kept.find(ann, 'photo')).toBeUndefined()
    expect(await kept.find(ben, 'photo')).toHaveLength(5)
  })
})

describe('the memory', () => {
  test('bounds what one account has: the oldest goes first', async () => {
    const { kept } = memory()
    await keepAll(kept, ann, ['first', 'second', 'third'], 12_000)
    expect(await kept.find(ann, 'first')).toBeUndefined()
    expect(await kept.find(ann, 'second')).toBeDefined()
    expect(await kept.find(ann, 'third')).toBeDefined()
  })

  test('counts what was used last as the newest', async () => {
    const { kept } = memory()
    await keepAll(kept, ann, ['first', 'second'], 12_000)
    await kept.find(ann, 'first')
    await keepAll(kept, ann, ['third'], 12_000)
    expect(await kept.find(ann, 'second')).toBeUndefined()
    expect(await kept.find(ann, 'first')).toBeDefined()
  })

  test('bounds what all have together', async () => {
    const { kept } = memory()
    await keepAll(kept, ann, ['first', 'second'], 12_000)
    await keepAll(kept, ben, ['first', 'second'], 12_000)
    expect(await kept.find(ann, 'first')).toBeUndefined()
    expect(await kept.find(ben, 'second')).toBeDefined()
  })

  test('keeps nothing that is larger than an account may have', async () => {
    const { kept } = memory()
    await keepAll(kept, ann, ['small'], 1_000)
    await keepAll(kept, ann, ['large'], 40_000)
    expect(await kept.find(ann, 'large')).toBeUndefined()
    expect(await kept.find(ann, 'small')).toBeDefined()
  })

  test('counts arrays that lie deep, once each', async () => {
    const kept = createAccountMemory<{ one: { data: Uint8Array }; two: unknown[] }>({
      keptMs: 1_000,
      bytesMax: 50_000,
      bytesPerOwnerMax: 30_000,
      now: () => 0,
    })
    const data = new Uint8Array(20_000)
    kept.keep(ann, 'photo', Promise.resolve({ one: { data }, two: [data] }))
    await Promise.resolve()
    expect(await kept.find(ann, 'photo')).toBeDefined()
  })
})

async function keepAll(
  kept: ReturnType<typeof memory>['kept'],
  owner: typeof ann,
  keys: readonly string[],
  length: number,
): Promise<void> {
  for (const key of keys) {
    kept.keep(owner, key, bytes(length))
    await kept.find(owner, key)
  }
}

describe('what is not kept any more', () => {
  test('is handed back once, whyever it goes', async () => {
    const clock = { ms: 0 }
    const dropped: number[] = []
    const bounds = { keptMs: 1_000, bytesMax: 50_000, bytesPerOwnerMax: 30_000 }
    const kept = createAccountMemory<Uint8Array>({
      ...bounds,
      now: () => clock.ms,
      onDropped: ({ byteLength }) => dropped.push(byteLength),
    })
    const keep = async (owner: typeof ann, key: string, length: number): Promise<void> => {
      kept.keep(owner, key, bytes(length))
      await kept.find(owner, key)
    }
    await keep(ann, 'replaced', 101)
    await keep(ann, 'replaced', 102)
    await keep(ann, 'too large', 30_001)
    await keep(ann, 'makes room', 28_500)
    await keep(ben, 'forgotten', 103)
    kept.forget('ben')
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    kept.keep(ben, 'forgotten while it is made', promise)
    kept.forget('ben')
    resolve(new Uint8Array(104))
    await promise
    clock.ms = 1_000
    await kept.find(ann, 'nothing')
    const sorted = dropped.toSorted((one, other) => one - other)
    expect(sorted).toEqual([101, 102, 103, 104, 28_500, 30_001])
  })

  test('is handed back in its time, also when nobody asks again', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const dropped: number[] = []
    const kept = createAccountMemory<Uint8Array>({
      keptMs: 1_000,
      bytesMax: 50_000,
      bytesPerOwnerMax: 30_000,
      onDropped: ({ byteLength }) => dropped.push(byteLength),
    })
    kept.keep(ann, 'photo', bytes(100))
    await vi.advanceTimersByTimeAsync(999)
    expect(dropped).toEqual([])
    await vi.advanceTimersByTimeAsync(10)
    expect(dropped).toEqual([100])
  })
})
