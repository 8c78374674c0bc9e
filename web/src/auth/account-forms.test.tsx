import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { clearToken, readToken } from '../api/token.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { readOrders, saveOrder } from '../orders/order-store.ts'
import { testOrder } from '../orders/testing/test-order.ts'
import { ChangePasswordForm, ExportData, DeleteAccount } from './account-page.tsx'
import { ForgotPasswordForm, ResetPasswordForm } from './forgot-password-form.tsx'
import { AuthPage, SignInForm } from './auth-page.tsx'
import { show } from './testing/show.tsx'
import { testProfile } from './testing/test-auth.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
  // They stand in the page.
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  history.replaceState(null, '', '/')
})

const failed = 'Something went wrong. Please try again.'
const enter = (field: Element | undefined, value: string) =>
  act(async () => void fireEvent.input(field!, { target: { value } }))
const submit = (field: Element | undefined) => act(async () => void fireEvent.submit(field!))
const type = (label: string, value: string) => enter(screen.getByLabelText(label), value)
const send = (name: string) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const shown = (text: string) => screen.queryByText(text) !== null

it('a password is changed once it was typed twice alike, and the new token is kept', async () => {
  await show(<ChangePasswordForm />)
  await send('Save the new password')
  expect(questions).toHaveLength(0)
  await type('Current password', 'the old one')
  await type('New password', 'the new one')
  await type('Confirm the new password', 'another')
  await send('Save the new password')
  expect([questions.length, screen.getByRole('alert').textContent]).toEqual([
    0,
    'Passwords do not match',
  ])
  await type('Confirm the new password', 'the new one')
  expect(screen.queryByText('Passwords do not match')).toBeNull()
  await send('Save the new password')
  expect(shown('Saving...')).toBe(true)
  expect(questions[0]?.body).toEqual({
    currentPassword: 'the old one',
    newPassword: 'the new one',
  })
  await questions[0]?.answer({ success: true, token: 'another token', user: testProfile })
  expect(readToken()).toBe('another token')
  clearToken()
  expect(shown('Your password is changed. Other devices were signed out.')).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('')
  await type('Current password', 'x')
  expect(shown('Your password is changed. Other devices were signed out.')).toBe(false)
})

it('a password that could not be changed is still typed, and says why', async () => {
  await show(<ChangePasswordForm />)
  for (const label of ['Current password', 'New password', 'Confirm the new password'])
    await type(label, 'long enough')
  await send('Save the new password')
  await questions[0]?.fail()
  expect(shown(failed)).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('long enough')
  expect(shown('Your password is changed. Other devices were signed out.')).toBe(false)
})

it('an account is deleted with the password alone, and its orders are forgotten here', async () => {
  const logout = vi.fn()
  const user = { ...testProfile, selfiesCreated: 4, creditsBalance: 7 }
  saveOrder({ ...testOrder, userId: user.userId })
  saveOrder({ ...testOrder, orderId: 'order_m1abc_other1', userId: 'somebody else' })
  await show(<DeleteAccount />, { auth: { user, logout } })
  await send('Delete my account and pictures')
  expect(screen.getByRole('dialog').textContent).toContain('Your selfies (4) and credits (7)')
  await send('Delete for good')
  expect(questions).toHaveLength(0)
  await type('Current password', 'wrong')
  await send('Delete for good')
  await questions[0]?.answer({ success: false, error: 'Wrong.', code: 'password_wrong' }, 403)
  expect([shown('Wrong.'), readOrders().length]).toEqual([true, 2])
  expect(logout).not.toHaveBeenCalled()
  await type('Current password', 'right')
  expect(shown('Wrong.')).toBe(false)
  await send('Delete for good')
  expect(questions[1]).toMatchObject({
    address: '/api/user?action=delete-account',
    body: { password: 'right' },
  })
  await questions[1]?.answer({ success: true })
  expect(readOrders().map(({ userId }) => userId)).toEqual(['somebody else'])
  expect(logout).toHaveBeenCalledOnce()
})

it('a deletion that is given up forgets the password', async () => {
  await show(<DeleteAccount />)
  await send('Delete my account and pictures')
  await type('Current password', 'wrong')
  await send('Delete for good')
  await questions[0]?.fail()
  expect(shown(failed)).toBe(true)
  await send('Cancel')
  expect(screen.queryByRole('dialog')).toBeNull()
  await send('Delete my account and pictures')
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('')
  expect(shown(failed), 'and what went wrong').toBe(false)
})

it('an export that fails says so, and can be asked for again', async () => {
  await show(<ExportData />)
  await send('Download my data')
  expect(questions[0]?.address).toBe('/api/user?action=export&format=zip')
  expect(shown('Preparing...')).toBe(true)
  await questions[0]?.fail()
  expect([shown(failed), shown('Download my data')]).toEqual([true, true])
})

it('a reset link is asked for by e-mail; the answer takes the place of the form', async () => {
  await show(<ForgotPasswordForm />)
  await submit(screen.getByRole('textbox'))
  expect(questions, 'nothing was typed').toHaveLength(0)
  await enter(screen.getByRole('textbox'), 'ada@example.test')
  await submit(screen.getByRole('textbox'))
  expect(questions[0]).toMatchObject({
    address: '/api/auth?action=forgot-password',
    body: { email: 'ada@example.test' },
  })
  await questions[0]?.fail()
  expect([shown(failed), screen.queryByRole('textbox') !== null]).toEqual([true, true])
  await submit(screen.getByRole('textbox'))
  await questions[1]?.answer({ success: true })
  expect([shown(failed), screen.queryByRole('textbox')]).toEqual([false, null])
})

it('a new password is set with the token of the link, and leads to signing in with a word of it', async () => {
  await show(<ResetPasswordForm token="mailed" />)
  const entries = history.length
  const [first, again] = [...document.querySelectorAll('input')]
  const both = async (one: string, other: string): Promise<void> => {
    await enter(first, one)
    await enter(again, other)
    await submit(first)
  }
  await both('long enough', 'another')
  expect(questions).toHaveLength(0)
  await both('long enough', 'long enough')
  expect(questions[0]?.body).toEqual({ token: 'mailed', password: 'long enough' })
  await questions[0]?.answer({ success: true })
  expect([location.pathname, history.state]).toEqual(['/auth', { notice: 'reset' }])
  expect(history.length, 'the way back leads to no used link').toBe(entries)
})

it('a link without its token says so and has no fields', async () => {
  await show(<ResetPasswordForm token={null} />)
  expect(screen.getByRole('alert').textContent).not.toBe('')
  expect(document.querySelectorAll('input')).toHaveLength(0)
})

it('signs in with both fields alone and once at a time, and shows the notice and the error', async () => {
  const login = vi.fn(async () => undefined)
  const clearError = vi.fn()
  const form = <SignInForm registerPath="/auth?mode=register" notice="It is set." />
  const auth = { login, clearError, error: 'Wrong.' }
  const { unmount } = await show(form, { auth })
  expect([shown('It is set.'), screen.getByRole('alert').textContent]).toEqual([true, 'Wrong.'])
  const [email, password] = [...document.querySelectorAll('input')]
  await enter(email, 'ada@example.test')
  expect(clearError).toHaveBeenCalled()
  await submit(email)
  expect(login).not.toHaveBeenCalled()
  await enter(password, 'secret')
  await submit(email)
  expect(login).toHaveBeenCalledExactlyOnceWith({ email: 'ada@example.test', password: 'secret' })
  expect(password?.type).toBe('password')
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show password' })))
  expect(password?.type).toBe('text')
  unmount()
  await show(form, { auth: { ...auth, isLoading: true } })
  const [busyEmail, busyPassword] = [...document.querySelectorAll('input')]
  await enter(busyEmail, 'ada@example.test')
  await enter(busyPassword, 'secret')
  await submit(busyEmail)
  expect(login).toHaveBeenCalledOnce()
})

it('an export is saved as an archive', async () => {
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  vi.stubGlobal('fetch', async () => new Response('x'))
  await show(<ExportData />)
  await send('Download my data')
  await waitFor(() => expect(saved).toEqual(['my-data.zip']))
  click.mockRestore()
})

it('an export that is refused is not saved as if it were one', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined)
  await show(<ExportData />)
  await send('Download my data')
  await questions[0]?.answer({ success: false, error: 'Ask later.', code: 'none' }, 429)
  expect([shown('Ask later.'), click.mock.calls]).toEqual([true, []])
  click.mockRestore()
})

it('a new password that is not typed is asked for; what failed is over with the next letter', async () => {
  await show(<ResetPasswordForm token="mailed" />)
  const [first, again] = [...document.querySelectorAll('input')]
  const alert = () => screen.getByRole('alert').textContent
  await submit(first)
  expect([questions.length, alert()]).toEqual([0, 'All fields are required'])
  await enter(first, 'long enough')
  expect(alert()).toBe('')
  await enter(again, 'long enough')
  await submit(first)
  await questions[0]?.fail()
  expect(alert()).toBe(failed)
  await enter(again, 'x')
  expect([alert(), location.pathname]).toEqual(['', '/'])
})

it('what failed of a reset link is over with the next letter', async () => {
  await show(<ForgotPasswordForm />)
  await enter(screen.getByRole('textbox'), 'ada@example.test')
  await submit(screen.getByRole('textbox'))
  await questions[0]?.fail()
  expect(shown(failed)).toBe(true)
  await enter(screen.getByRole('textbox'), 'ada')
  expect(shown(failed)).toBe(false)
})

it('the code of an earlier link goes along from signing in to registering', async () => {
  sessionStorage.setItem('referral_code', 'FRIEND')
  history.replaceState(null, '', '/auth')
  await show(<AuthPage />, { auth: { user: null, isAuthenticated: false } })
  const link = screen.getByRole('link', { name: 'Sign up' })
  expect(link.getAttribute('href')).toBe('/auth?mode=register&ref=FRIEND')
  sessionStorage.clear()
})

it.each([
  ['a star of the page', 'mina-asakuri', true],
  ['nobody whom the page knows', 'nobody', false],
])('a photo that waits beside %s', async (_who, star, isShown) => {
  history.replaceState({ photo: 'blob:mine', star }, '', '/auth')
  await show(<AuthPage />, { auth: { user: null, isAuthenticated: false } })
  const mine = document.querySelector<HTMLImageElement>('img[src="blob:mine"]')
  expect([mine !== null, document.body.textContent.includes('Mina Asakuri')]).toEqual([
    isShown,
    isShown,
  ])
  if (!mine) return
  const portrait = document.querySelector('img[src^="/examples/mina-asakuri/portrait"]')
  expect(portrait).not.toBeNull()
  fireEvent.error(mine)
  expect(mine.hidden, 'what the browser can’t show').toBe(true)
})
