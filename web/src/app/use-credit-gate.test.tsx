import type { ProfileUser } from '@starside/contract/auth.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { useAuth } from '../auth/auth-context.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import type { GenerationRequest } from '../generation/start-generation.ts'
import { useGenerator } from '../generation/use-generator.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { useCreditGate } from './use-credit-gate.ts'

afterEach(() => {
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const photo = new File(['photo'], 'me.jpg', { type: 'image/jpeg' })
const selfie: GenerationRequest = {
  userPhoto: photo,
  celebrityPhoto: photo,
  presetId: 'olmira',
  prompt: '',
  scene: 'own',
  background: null,
  secondPresetId: null,
  secondPhoto: null,
  secondFaceIndex: null,
  aspect: '4:5',
  userFaces: [],
  starFaceIndex: null,
  consent: false,
}

const profile: ProfileUser = {
  userId: 'u1',
  email: 'ada@example.test',
  username: 'Ada',
  referralCode: 'ADA12345',
  creditsBalance: 3,
  creditsOwed: 0,
  totalCreditsEverBought: 0,
  friendsReferred: 0,
  selfiesCreated: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  termsToAccept: null,
}

function Studio() {
  const { user } = useAuth()
  const gate = useCreditGate()
  const generator = useGenerator(gate)
  return (
    <button type="button" onClick={() => void generator.generate('Olmira', async () => selfie)}>
      {user === null ? 'Nobody' : 'Generate'}
    </button>
  )
}

/** Presses Generate in a page whose server answers consume-credits with `holdId`. */
async function generateWith(holdId: string): Promise<URL[]> {
  const asked: URL[] = []
  localStorage.setItem('auth_token', 't1')
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'https://selfie.example')
    asked.push(url)
    const action = url.searchParams.get('action')
    if (action === 'profile') {
      return Response.json({ success: true, user: profile })
    }
    if (action === 'consume-credits') {
      return Response.json({ success: true, remainingCredits: 2, holdId })
    }
    if (action === 'generate') return Response.json({ success: false, error: 'No.' })
    return Response.json({ success: true, items: [], nextCursor: null })
  })
  await loadCatalogue('dashboard', 'en')
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={new QueryClient()}>
          <AuthProvider>
            <Studio />
          </AuthProvider>
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  await userEvent.setup().click(await screen.findByText('Generate'))
  const generated = () => asked.filter((url) => url.searchParams.get('action') === 'generate')
  await expect.poll(() => generated().length).toBe(1)
  return generated()
}

it.each(['8b6e1b0a-5d0e-4b57-9a52-93f1b0f4a001', '8b6e1b0a-5d0e-4b57-9a52-93f1b0f4a002'])(
  'a selfie is asked for with the hold %s that consume-credits answered',
  async (holdId) => {
    const [generate] = await generateWith(holdId)
    expect(generate?.searchParams.get('holdId')).toBe(holdId)
  },
)
