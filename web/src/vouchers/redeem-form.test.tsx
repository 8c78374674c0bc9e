import { storageKeys } from '@starside/contract/api.ts'
import { act, fireEvent, render, within } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth } from '../auth/testing/test-auth.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { RedeemForm } from './redeem-form.tsx'

const redeemed = { success: true, credits: 1, creditsBalance: 4 }
let questions: HeldQuestion[]
let updates: unknown[]

beforeEach(async () => {
  questions = holdQuestions()
  updates = []
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

const queryClient = new QueryClient()
const wrapper = ({ children }: { children: ReactNode }) => (
  <LanguageProvider initial="en">
    <QueryClientProvider client={queryClient}>
      <AuthContext value={{ ...testAuth, updateUser: (changes) => updates.push(changes) }}>
        {children}
      </AuthContext>
    </QueryClientProvider>
  </LanguageProvider>
)
/** What stands in the form, and what is done in it. */
function open() {
  const form = within(render(<RedeemForm />, { wrapper }).container)
  const field = () => form.getByLabelText<HTMLInputElement>('Voucher code')
  return {
    get current() {
      return {
        code: field().value,
        error: form.getByRole('alert').textContent || null,
        done: form.getByRole('status').textContent || null,
        type: (code: string) => void fireEvent.change(field(), { target: { value: code } }),
        redeem: () => fireEvent.submit(field()),
      }
    },
  }
}

async function press(form: ReturnType<typeof open>, code: string): Promise<void> {
  act(() => form.current.type(code))
  await act(async () => void form.current.redeem())
}

it('a voucher that nothing answered is redeemed again by the same key, another by its own', async () => {
  const form = open()
  await press(form, 'AAAA')
  await questions[0]?.fail()
  expect(form.current.error).not.toBeNull()
  await press(form, 'AAAA')
  await questions[1]?.fail()
  await press(form, 'BBBB')
  const keys = questions.map(({ idempotencyKey }) => idempotencyKey)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  await questions[2]?.answer(redeemed)
  expect(form.current).toMatchObject({
    code: '',
    done: '1 credit added.',
  })
  expect(updates).toEqual([{ creditsBalance: 4 }])
  act(() => form.current.type('C'))
  expect(form.current.done, 'that is over with the next code').toBeNull()
})

it('of two presses while the first is unanswered one counts', async () => {
  const form = open()
  await press(form, 'AAAA')
  await act(async () => void form.current.redeem())
  expect(questions).toHaveLength(1)
})

it('a code that is refused is asked for anew, by another key', async () => {
  const form = open()
  await press(form, 'AAAA')
  await questions[0]?.answer({ success: false, error: 'Unknown.', code: 'voucher_unknown' }, 404)
  expect(form.current).toMatchObject({ code: 'AAAA', done: null, error: 'Unknown.' })
  await press(form, 'AAAA')
  expect(questions[1]?.idempotencyKey).not.toBe(questions[0]?.idempotencyKey)
})

it('a code of a link is redeemed by a press alone, and waits for the next visit if nothing answers', async () => {
  sessionStorage.setItem(storageKeys.voucherCode, 'LINK')
  const form = open()
  expect(form.current.code).toBe('LINK')
  expect(questions).toEqual([])
  await act(async () => void form.current.redeem())
  expect(questions.map(({ body }) => body)).toEqual([{ code: 'LINK' }])
  await questions[0]?.fail()
  expect(sessionStorage.getItem(storageKeys.voucherCode)).toBe('LINK')
  const later = open()
  await act(async () => void later.current.redeem())
  await questions[1]?.answer(redeemed)
  expect(sessionStorage.getItem(storageKeys.voucherCode)).toBeNull()
  expect(later.current.done).toBe('1 credit added.')
})

it('the same code after one that was redeemed is a new request', async () => {
  const form = open()
  await press(form, 'AAAA')
  await questions[0]?.answer(redeemed)
  await press(form, 'AAAA')
  expect(questions[1]?.idempotencyKey).not.toBe(questions[0]?.idempotencyKey)
})

it('blanks around a code are none of it, and blanks alone are no code', async () => {
  const form = open()
  await press(form, ' AAAA ')
  expect(questions.map(({ body }) => body)).toEqual([{ code: 'AAAA' }])
  await questions[0]?.answer(redeemed)
  expect(form.current.done).toBe('1 credit added.')
  await act(async () => void form.current.redeem())
  expect(form.current).toMatchObject({ error: 'Enter a voucher code.', done: null })
  await press(form, '  ')
  expect(questions).toHaveLength(1)
})
