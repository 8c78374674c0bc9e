import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  forgetOpenHold,
  giveBackOpenHold,
  readOpenHold,
  readOpenHoldId,
  releaseOpenHold,
  storeOpenHold,
} from './open-hold.ts'

const hold = {
  holdId: 'h1',
  key: 'k1',
  userId: 'u1',
  description: 'Photo generation with Zuvia',
  placedAtMs: 1_000,
}
const minuteMs = 60_000
let requests: { address: string; init: RequestInit }[] = []

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    requests.push({ address, init })
    return Response.json({ success: true, released: true })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

it('is there for its user until a minute before it ends by itself', () => {
  storeOpenHold(hold)
  expect(readOpenHold('u1', 1_000 + 14 * minuteMs - 1)).toEqual(hold)
  expect(readOpenHold('u1', 1_000 + 14 * minuteMs)).toBeNull()
  expect(readOpenHold('u2', 1_000)).toBeNull()
  forgetOpenHold()
  expect(readOpenHold('u1', 1_000)).toBeNull()
})

it('is given back once, by a request that outlives the page', async () => {
  storeOpenHold(hold)
  expect([await releaseOpenHold(), await releaseOpenHold()]).toEqual([true, false])
  expect(requests).toHaveLength(1)
  expect(requests[0]?.address).toBe('/api/user?action=release-hold')
  expect(requests[0]?.init).toMatchObject({
    method: 'POST',
    body: '{"holdId":"h1"}',
    keepalive: true,
  })
})

it('one that nothing answered is asked for once more by its key and then given back, else is kept', async () => {
  storeOpenHold({ ...hold, holdId: null })
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await releaseOpenHold()).toBe(false)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    await answer(address, init)
    return Response.json({ success: true, holdId: 'h2', remainingCredits: 1, released: true })
  })
  expect([await releaseOpenHold(), await releaseOpenHold()]).toEqual([true, false])
  const [asked, back] = requests
  expect(asked?.address).toBe('/api/user?action=consume-credits')
  expect(new Headers(asked?.init.headers).get('idempotency-key')).toBe('k1')
  expect(asked?.init.body).toBe('{"amount":1,"description":"Photo generation with Zuvia"}')
  expect(back?.init.body).toBe('{"holdId":"h2"}')
})

it('one that the server refused is forgotten', async () => {
  storeOpenHold({ ...hold, holdId: null })
  const refusal = { success: false, error: 'None.', code: 'insufficient_credits' }
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 402 }))
  expect(await releaseOpenHold()).toBe(false)
  expect(readOpenHold('u1', 1_000)).toBeNull()
})

it.each(['', '{', 'null', '{"holdId":1}'])('what is stored as %j is no hold', async (text) => {
  sessionStorage.setItem('open_hold', text)
  expect(readOpenHold('u1', 1_000)).toBeNull()
  expect(await releaseOpenHold()).toBe(false)
})

it.each([true, false])(
  'after an upload broke off, the server says whether it is back: %s',
  async (released) => {
    vi.stubGlobal('fetch', async () => Response.json({ success: true, released }))
    storeOpenHold(hold)
    expect(await giveBackOpenHold()).toBe(released)
    expect(readOpenHoldId()).toBeNull()
    expect(await giveBackOpenHold(), 'there is none any more').toBeNull()
  },
)

it('without an answer it stays open for the next try', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  storeOpenHold(hold)
  expect(await giveBackOpenHold()).toBeNull()
  expect(readOpenHoldId()).toBe('h1')
})

it('is given up by a page whose line is broken, and is waited for no longer than some seconds', async () => {
  const signals: unknown[] = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    signals.push(init.signal)
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  storeOpenHold(hold)
  await giveBackOpenHold()
  expect(await releaseOpenHold()).toBe(true)
  expect(signals).toEqual([expect.any(AbortSignal), null])
  expect(readOpenHoldId()).toBeNull()
})

it('an answer to giving it back that takes longer than seconds is waited for no more, and it stays open', async () => {
  const limits: number[] = []
  const end = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    return end.signal
  })
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('over', 'TimeoutError')))
    })
  })
  storeOpenHold(hold)
  const given = giveBackOpenHold()
  end.abort()
  expect(await given).toBeNull()
  expect(readOpenHoldId()).toBe('h1')
  expect(Math.min(...limits)).toBeLessThanOrEqual(5_000)
  timeout.mockRestore()
})
