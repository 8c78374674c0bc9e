import { storageKeys } from '@starside/contract/api.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { placeAt, Router } from '../ui/router.tsx'
import { AuthContext, type AuthContextValue } from './auth-context.ts'
import { ChangePasswordForm } from './account-page.tsx'
import { AuthPage, RegisterForm } from './auth-page.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { testAuth, testProfile } from './testing/test-auth.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(form: ReactNode, auth: Partial<AuthContextValue> = {}) {
  render(
    <LanguageProvider initial="en">
      <Router initial={placeAt('/auth')}>
        <AuthContext value={{ ...testAuth, ...auth }}>{form}</AuthContext>
      </Router>
    </LanguageProvider>,
  )
  return userEvent.setup()
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

/** Types what a registration needs at least. */
async function fillRegistration(user: ReturnType<typeof open>): Promise<void> {
  await user.type(field('Username'), 'ada')
  await user.type(field('Email'), 'ada@example.test')
  await user.type(field('Password'), 'a secret')
  await user.type(field('Confirm password'), 'a secret')
}

test('registering sends what was typed, with the code of the link, whose field comes when it is refused', async () => {
  const register = vi.fn(async () => 'referral_unknown')
  sessionStorage.setItem(storageKeys.referralCode, 'FRIEND')
  const user = open(<RegisterForm urlCode="FRIEND" />, { register })
  expect(screen.queryByLabelText('Referral code (optional)')).toBeNull()
  await fillRegistration(user)
  await user.keyboard('{Enter}')
  const typed = { username: 'ada', email: 'ada@example.test', password: 'a secret' }
  expect(register).toHaveBeenLastCalledWith({ ...typed, referralCode: 'FRIEND' })
  const code = field('Referral code (optional)')
  expect(code.value).toBe('FRIEND')
  expect(
    sessionStorage.getItem(storageKeys.referralCode),
    'what is refused waits no more',
  ).toBeNull()
  await user.clear(code)
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(register).toHaveBeenLastCalledWith({ ...typed, referralCode: null })
})

test('a code that was typed goes along without the blanks around it', async () => {
  const register = vi.fn(async () => null)
  const user = open(<RegisterForm urlCode={null} />, { register })
  await fillRegistration(user)
  await user.type(field('Referral code (optional)'), ' FRIEND ')
  await user.keyboard('{Enter}')
  expect(register).toHaveBeenCalledWith(expect.objectContaining({ referralCode: 'FRIEND' }))
})

test('a code that is refused is marked, and no more once somebody types', async () => {
  const register = vi.fn(async () => 'referral_unknown')
  const clearError = vi.fn()
  const user = open(<RegisterForm urlCode={null} />, { register, clearError })
  await fillRegistration(user)
  await user.type(field('Referral code (optional)'), 'NOBODY')
  await user.keyboard('{Enter}')
  expect(markedFields()).toEqual(['referralCode'])
  clearError.mockClear()
  await user.type(field('Referral code (optional)'), 'X')
  expect(markedFields()).toEqual([])
  expect(clearError).toHaveBeenCalled()
})

test.each([
  ['/auth', 'Welcome back'],
  ['/auth?mode=register', 'Create your account'],
  ['/auth?mode=forgot', undefined],
  ['/auth?mode=reset#token=abc', undefined],
])('%s has one heading that its tab is named by', (address, name) => {
  history.replaceState(null, '', address)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LanguageProvider initial="en">
        <Router initial={placeAt(address)}>
          <AuthContext value={testAuth}>
            <AuthPage />
          </AuthContext>
        </Router>
      </LanguageProvider>
    </QueryClientProvider>,
  )
  const [heading, ...more] = document.querySelectorAll('[data-page-heading]')
  expect([heading?.matches('h1, h2'), more]).toEqual([true, []])
  expect(heading?.textContent).not.toBe('')
  if (name !== undefined) expect(heading?.textContent).toBe(name)
  history.replaceState(null, '', '/')
})

test('what is wrong with a registration is told, and no more once somebody types', async () => {
  const user = open(<RegisterForm urlCode={null} />)
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(screen.getByRole('alert').textContent).toBe('All fields are required')
  expect(markedFields()).toEqual(['username', 'email', 'password', 'confirmPassword'])
  expect(document.activeElement, 'the first of them').toBe(field('Username'))
  expect(field('Username').getAttribute('aria-describedby')).toBe('form-error username-hint')
  await user.type(field('Username'), 'a')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(markedFields()).toEqual([])
})

const markedFields = () =>
  [...document.querySelectorAll('[aria-invalid="true"]')].map(({ id }) => id)

test.each([
  ['a short name', 'ad', 'a secret', undefined, ['username']],
  ['two passwords', 'ada', 'another', undefined, ['confirmPassword']],
  ['a taken address', 'ada', 'a secret', 'email_taken', ['email']],
  ['a common password', 'ada', 'a secret', 'password_common', ['password']],
  ['what no field is to blame for', 'ada', 'a secret', 'rate_limited', []],
])('of %s the field is marked', async (_what, username, repeated, code, marked) => {
  const register = async () => code ?? null
  const user = open(<RegisterForm urlCode={null} />, { register })
  await user.type(field('Username'), username)
  await user.type(field('Email'), 'ada@example.test')
  await user.type(field('Password'), 'a secret')
  await user.type(field('Confirm password'), repeated)
  await user.keyboard('{Enter}')
  expect(markedFields()).toEqual(marked)
  // What the server refuses leaves whoever reads it where they are.
  if (code === undefined) expect(document.activeElement?.id).toBe(marked[0])
})

test('the fields of a changed password are empty again, and keep what was refused', async () => {
  const user = open(<ChangePasswordForm />)
  await user.type(field('Current password'), 'old secret')
  await user.type(field('New password'), 'new secret')
  await user.type(field('Confirm the new password'), 'new secret')
  await user.keyboard('{Enter}')
  await questions[0]?.answer({ success: false, error: 'No.', code: 'password_wrong' }, 400)
  expect(field('Current password').value).toBe('old secret')
  await user.click(screen.getByRole('button', { name: 'Save the new password' }))
  expect(questions[1]?.body).toEqual({ currentPassword: 'old secret', newPassword: 'new secret' })
  await questions[1]?.answer({ success: true, token: 'next', user: testProfile })
  expect(['Current password', 'New password'].map((name) => field(name).value)).toEqual(['', ''])
})

test('a report says what was chosen and typed', async () => {
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true
  }
  const user = open(<ReportDialog reported="a link" onClose={() => undefined} />)
  await user.selectOptions(field('Why are you reporting it?'), 'It shows a minor')
  await user.type(field('Details (optional)'), 'Mine.')
  await user.type(field('How can we reach you? (email, telephone or address)'), 'me@example.test')
  await user.type(field('Your full name, as your signature'), 'Ada Vale')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Send the report' }))
  expect(questions[0]?.body).toEqual({
    link: 'a link',
    reason: 'minor',
    details: 'Mine.',
    contact: 'me@example.test',
    behalf: 'myself',
    signature: 'Ada Vale',
    goodFaith: true,
  })
})

test('a registration that is under way is not sent once more', async () => {
  const register = vi.fn(async () => null)
  const user = open(<RegisterForm urlCode={null} />, { register, isLoading: true })
  await fillRegistration(user)
  await user.keyboard('{Enter}')
  expect(register).not.toHaveBeenCalled()
})

test.each([
  [false, 'If this email has an account, we have sent a link. It works for one hour.'],
  [
    true,
    "This site can't send emails yet. If this email has an account, whoever runs the site sees its link in the terminal.",
  ],
])('who forgot a password reads where its link is (printed: %s)', async (mailsInTerminal, told) => {
  const settings = { ...testSettings, mailsInTerminal }
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(settings)
  const user = open(<ForgotPasswordForm />)
  await user.type(field('Email'), 'ada@example.test')
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  await questions[0]?.answer({ success: true })
  expect((await screen.findByText(/account/)).textContent).toBe(told)
})
