import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { refreshAfterFailureMs } from '@starside/contract/limits.ts'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AuthContext, useAuth, type AuthContextValue } from '../auth/auth-context.ts'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { forgetOpenHold } from '../credits/open-hold.ts'
import type { GenerationRequest } from '../generation/start-generation.ts'
import { galleryKey } from '../generation/use-gallery.ts'
import { useGenerator } from '../generation/use-generator.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { useCreditGate } from './use-credit-gate.ts'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const photo = new File(['photo'], 'me.jpg', { type: 'image/jpeg' })
const selfie: GenerationRequest = {
  userPhoto: photo,
  stars: [{ presetId: 'olmira', photo, faceIndex: null }],
  prompt: '',
  scene: 'own',
  background: null,
  aspect: '4:5',
  look: 'natural',
  userFaces: [],
  photoDigests: new Map(),
  consent: false,
}

/** What the page's server is asked, and how it answers. */
let server: {
  balance: number
  asked: { action: string | null; url: URL; key: string | null }[]
  consume: () => Promise<Response>
  generate: () => Promise<Response>
}

beforeEach(async () => {
  localStorage.setItem('auth_token', 't1')
  givenBack = []
  server = {
    balance: 3,
    asked: [],
    consume: async () => Response.json({ success: true, remainingCredits: 2, holdId: 'h1' }),
    generate: async () => Response.json({ success: false, error: 'No.' }),
  }
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const url = new URL(address, 'https://selfie.example')
    const action = url.searchParams.get('action')
    server.asked.push({ action, url, key: new Headers(init?.headers).get('idempotency-key') })
    if (action === 'consume-credits') return await server.consume()
    if (action === 'generate') return await server.generate()
    if (action === 'release-hold') givenBack.push(JSON.parse(init?.body as string).holdId)
    if (action === 'profile') {
      return Response.json({
        success: true,
        user: { ...testProfile, creditsBalance: server.balance },
      })
    }
    return Response.json({ success: true, items: [], nextCursor: null })
  })
})

/** The holds that were given back. */
let givenBack: string[] = []

const questions = (action: string) => server.asked.filter((one) => one.action === action)

function Studio() {
  const { user } = useAuth()
  const gate = useCreditGate()
  const generator = useGenerator(gate)
  return (
    <button type="button" onClick={() => void generator.generate('Olmira', async () => selfie)}>
      {user === null ? 'Nobody' : (generator.problem?.kind ?? 'Generate')}
    </button>
  )
}

let gate: ReturnType<typeof useCreditGate> | undefined

/** Shows the balance, and hands out the gate as it was drawn last. */
function Gate() {
  const { user } = useAuth()
  const current = useCreditGate()
  useEffect(() => {
    gate = current
  })
  return <p>{user?.creditsBalance}</p>
}

const show = async (view: ReactNode, queryClient = new QueryClient()): Promise<void> => {
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={queryClient}>
          <AuthProvider>{view}</AuthProvider>
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
}

it.each(['8b6e1b0a-5d0e-4b57-9a52-93f1b0f4a001', '8b6e1b0a-5d0e-4b57-9a52-93f1b0f4a002'])(
  'a selfie is asked for with the hold %s that consume-credits answered',
  async (holdId) => {
    server.consume = async () => Response.json({ success: true, remainingCredits: 2, holdId })
    await show(<Studio />)
    await userEvent.setup().click(await screen.findByText('Generate'))
    await expect.poll(() => questions('generate').length).toBe(1)
    expect(questions('generate')[0]?.url.searchParams.get('holdId')).toBe(holdId)
  },
)

it.each(['the page within the app', 'the whole page'])(
  'who leaves %s while a credit is held for them has it back, and is told when they return',
  async (left) => {
    const answer = Promise.withResolvers<Response>()
    const held = server.consume
    server.consume = () => answer.promise
    await show(<Studio />)
    await userEvent.setup().click(await screen.findByText('Generate'))
    await expect.poll(() => questions('consume-credits').length).toBe(1)
    if (left === 'the whole page') {
      // What a page that has ended would have heard is never heard.
      dispatchEvent(new Event('pagehide'))
      cleanup()
      server.consume = held
    } else {
      cleanup()
      answer.resolve(await held())
      await expect.poll(() => questions('release-hold').length).toBe(1)
    }
    await show(<Studio />)
    expect(await screen.findByText('interruption')).toBeTruthy()
    expect(questions('release-hold')).toHaveLength(1)
    expect(givenBack).toEqual(['h1'])
    expect(new Set(questions('consume-credits').map(({ key }) => key)).size).toBe(1)
    expect(questions('generate')).toEqual([])
  },
)

async function openGate(queryClient?: QueryClient): Promise<void> {
  await show(<Gate />, queryClient)
  await screen.findByText('3')
}

const ask = async (celebrity: string) => await act(async () => await gate?.verifyCredits(celebrity))

it('credits that come while the picture is made are shown when it is there', async () => {
  await openGate()
  await ask('Olmira')
  server.balance = 102
  await act(async () => gate?.onComplete(true))
  expect(await screen.findByText('102')).toBeTruthy()
})

it('the balance is read anew a second after a failure, and not before', async () => {
  await openGate()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const before = questions('profile').length
  await act(async () => gate?.onComplete(false))
  await act(() => vi.advanceTimersByTimeAsync(refreshAfterFailureMs - 1))
  expect(questions('profile')).toHaveLength(before)
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(questions('profile')).toHaveLength(before + 1)
})

it('a credit that is held for another star is given back before one is held for this star', async () => {
  await openGate()
  expect(await ask('Olmira')).toBe(true)
  expect(await ask('Olmira'), 'it is held still').toBe(true)
  expect([questions('consume-credits').length, questions('release-hold').length]).toEqual([1, 0])
  expect(await ask('Bo West')).toBe(true)
  const asked = server.asked.map(({ action }) => action)
  expect(asked.indexOf('release-hold')).toBeLessThan(asked.lastIndexOf('consume-credits'))
  expect([questions('consume-credits').length, questions('release-hold').length]).toEqual([2, 1])
})

it('a hold that nothing answered is asked for again by the same key', async () => {
  await openGate()
  const placed = server.consume
  server.consume = async () => await Promise.reject(new TypeError('Failed to fetch'))
  expect(await ask('Olmira')).toBe(false)
  server.consume = placed
  expect(await ask('Olmira')).toBe(true)
  const [lost, again] = questions('consume-credits')
  expect(again?.key).toBe(lost?.key)
  expect(lost?.key).toBeTruthy()
})

it('what failed for want of a connection is put away when it is back, a refusal is not', async () => {
  await openGate()
  const back = async () => await act(async () => dispatchEvent(new Event('online')))
  server.consume = async () => await Promise.reject(new TypeError('Failed to fetch'))
  await ask('Olmira')
  expect(gate?.creditProblem).toMatchObject({ isOffline: true, isOut: false })
  await back()
  expect(gate?.creditProblem).toBeNull()
  server.consume = async () => Response.json({ success: false, error: 'No.' }, { status: 409 })
  await ask('Olmira')
  await back()
  expect(gate?.creditProblem).toMatchObject({ sentence: 'No.', isOffline: false })
})

it('a hold for another star, or after an answer, has a key of its own', async () => {
  await openGate()
  const placed = server.consume
  server.consume = async () => await Promise.reject(new TypeError('Failed to fetch'))
  await ask('Olmira')
  server.consume = async () => Response.json({ success: false, error: 'No.' }, { status: 409 })
  await ask('Zuvia')
  server.consume = placed
  await ask('Zuvia')
  expect(new Set(questions('consume-credits').map(({ key }) => key)).size).toBe(3)
})

it('the hold for the next selfie with the same star has a key of its own', async () => {
  await openGate()
  await ask('Olmira')
  forgetOpenHold()
  await ask('Olmira')
  const [first, next] = questions('consume-credits')
  expect([first?.key, next?.key]).toEqual([expect.any(String), expect.any(String)])
  expect(next?.key).not.toBe(first?.key)
})

it.each([true, false])(
  'gallery and history are old after a selfie, made or not: %s',
  async (isMade) => {
    const queryClient = new QueryClient()
    await openGate(queryClient)
    const keys = [galleryKey, ['credit-history']]
    for (const key of keys) queryClient.setQueryData(key, 'as it was')
    await act(async () => gate?.onComplete(isMade))
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true])
  },
)

it('a hold that only a proxy answered is asked for again by the same key', async () => {
  await openGate()
  const placed = server.consume
  server.consume = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  expect(await ask('Olmira')).toBe(false)
  server.consume = placed
  expect(await ask('Olmira')).toBe(true)
  const [lost, again] = questions('consume-credits')
  expect(again?.key).toBe(lost?.key)
})

it('the credit that an earlier try set aside serves when no other is left', async () => {
  await openGate()
  await ask('Olmira')
  server.balance = 0
  await act(async () => gate?.onComplete(true))
  await screen.findByText('0')
  expect(await ask('Olmira')).toBe(true)
  expect(questions('consume-credits')).toHaveLength(1)
  forgetOpenHold()
  expect(await ask('Olmira')).toBe(false)
  expect(gate?.creditProblem?.isOut).toBe(true)
})

it('a success right after a failure reads the balance once', async () => {
  await openGate()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const before = questions('profile').length
  await act(async () => gate?.onComplete(false))
  await act(async () => gate?.onComplete(true))
  await act(() => vi.advanceTimersByTimeAsync(2 * refreshAfterFailureMs))
  expect(questions('profile')).toHaveLength(before + 1)
})

it('why no credit could be held is forgotten with the next try, and only an empty balance leads to packages', async () => {
  await openGate()
  const placed = server.consume
  server.consume = async () =>
    Response.json({ success: false, error: 'Not now.', code: 'too_many_requests' }, { status: 429 })
  await ask('Olmira')
  expect(gate?.creditProblem).toMatchObject({ sentence: 'Not now.', isOut: false })
  server.consume = async () =>
    Response.json({ success: false, error: 'None.', code: 'insufficient_credits' }, { status: 402 })
  await ask('Olmira')
  expect(gate?.creditProblem).toMatchObject({ isOut: true })
  server.consume = placed
  await ask('Olmira')
  expect(gate?.creditProblem).toBeNull()
})

it('no credit is held before the one for another star is back', async () => {
  await openGate()
  await ask('Olmira')
  const released = Promise.withResolvers<void>()
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('release-hold')) await released.promise
    return await answer(address, init)
  })
  const asked = act(async () => await gate?.verifyCredits('Bo West'))
  await new Promise((done) => void setImmediate(done))
  expect(questions('consume-credits')).toHaveLength(1)
  released.resolve()
  await asked
  expect(questions('consume-credits')).toHaveLength(2)
})

it('the last credit makes a selfie too', async () => {
  server.balance = 1
  await show(<Gate />)
  await screen.findByText('1')
  expect(await ask('Olmira')).toBe(true)
})

it('a broken line has words of its own, and is put away by a press', async () => {
  await openGate()
  server.consume = async () => await Promise.reject(new TypeError('Failed to fetch'))
  await ask('Olmira')
  expect(gate?.creditProblem).toEqual({
    sentence: 'Failed to process credit deduction. Please try again.',
    isOut: false,
    isOffline: true,
  })
  server.consume = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  await ask('Olmira')
  expect(gate?.creditProblem?.sentence).not.toContain('deduction')
  act(() => gate?.onDismissCreditProblem())
  expect(gate?.creditProblem).toBeNull()
})

/** The gate of somebody, whoever they are said to be. */
const showGateOf = async (change: Partial<AuthContextValue>) => {
  const refreshUser = vi.fn(async () => undefined)
  const auth = { ...testAuth, user: testProfile, isAuthenticated: true, refreshUser, ...change }
  const shown = await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={new QueryClient()}>
          <AuthContext value={auth}>
            <Gate />
          </AuthContext>
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  return { ...shown, refreshUser }
}

it('nobody holds a credit who is not signed in', async () => {
  await showGateOf({ user: null })
  expect(await gate?.verifyCredits('Olmira')).toBe(false)
  expect(questions('consume-credits')).toEqual([])
})

it('a balance that is not known yet is read before a credit is held', async () => {
  const { userId, email, username } = testProfile
  const order: string[] = []
  server.consume = async () => {
    order.push('hold')
    return Response.json({ success: true, remainingCredits: 2, holdId: 'h1' })
  }
  await showGateOf({
    user: { userId, email, username },
    refreshUser: async () => void order.push('read'),
  })
  await act(async () => void (await gate?.verifyCredits('Olmira')))
  expect(order).toEqual(['read', 'hold'])
})

it('a credit is held for a selfie with somebody by name', async () => {
  const bodies: unknown[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (address.includes('consume-credits')) bodies.push(JSON.parse(init?.body as string))
    return answer(address, init)
  })
  await showGateOf({})
  await act(async () => void (await gate?.verifyCredits('Olmira')))
  expect(bodies).toEqual([{ amount: 1, description: 'Photo generation with Olmira' }])
})

it('after a success the balance is read at once, and of a page that was left never', async () => {
  vi.useFakeTimers()
  const { refreshUser, unmount } = await showGateOf({})
  act(() => gate?.onComplete(true))
  expect(refreshUser).toHaveBeenCalledTimes(1)
  act(() => gate?.onComplete(false))
  unmount()
  await vi.advanceTimersByTimeAsync(10 * refreshAfterFailureMs)
  expect(refreshUser).toHaveBeenCalledTimes(1)
})
