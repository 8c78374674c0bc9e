import { registrationNotices } from '@starside/contract/auth.ts'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { useAuth } from '../auth/auth-context.ts'
import { AlertProvider } from '../ui/alerts.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { useRegistrationNotices } from './dashboard-page.tsx'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

function Page() {
  const { register, user } = useAuth()
  useRegistrationNotices()
  const person = { email: 'ada@example.test', password: 'correct horse', username: 'Ada' }
  return (
    <button type="button" onClick={() => void register(person)}>
      {user === null ? 'Register' : user.username}
    </button>
  )
}

async function registerAndRead(language: 'en' | 'es' | 'zh', notices: readonly string[]) {
  vi.stubGlobal('fetch', async () =>
    Response.json({
      success: true,
      token: 't1',
      user: { userId: 'u1', email: 'ada@example.test', username: 'Ada' },
      notices,
    }),
  )
  const m = await loadCatalogue('dashboard', language)
  await loadCatalogue('shell', language)
  await act(async () =>
    render(
      <LanguageProvider initial={language}>
        <AuthProvider>
          <AlertProvider>
            <Page />
          </AlertProvider>
        </AuthProvider>
      </LanguageProvider>,
    ),
  )
  const person = userEvent.setup()
  await person.click(screen.getByText('Register'))
  await screen.findByText('Ada')
  if (notices.length > 0) await screen.findByRole('alertdialog')
  const read: string[] = []
  for (;;) {
    const dialog = screen.queryByRole('alertdialog')
    const text = dialog?.querySelector('p')?.textContent
    if (!dialog || !text) return { m, read }
    read.push(text)
    await act(async () => (dialog as HTMLDialogElement).close())
  }
}

it.each(['en', 'es', 'zh'] as const)(
  'whoever registers in %s is reported once what the new account does not get',
  async (language) => {
    const { m, read } = await registerAndRead(language, registrationNotices)
    expect(read).toEqual(registrationNotices.map((notice) => m.registrationNotices[notice]))
  },
)

it('whoever gets everything is told nothing', async () => {
  expect((await registerAndRead('en', [])).read).toEqual([])
})
