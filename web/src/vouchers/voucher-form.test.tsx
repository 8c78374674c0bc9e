import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { VoucherForm } from './voucher-form.tsx'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})
const fold = () => screen.getByRole('button', { name: /^Redeem a voucher/ })
const isUnfolded = () => [
  fold().getAttribute('aria-expanded'),
  screen.queryByRole('textbox') !== null,
]

it('is folded until it is asked for, and keeps what was typed when it is folded again', async () => {
  await show(<VoucherForm />)
  expect(isUnfolded()).toEqual(['false', false])
  fireEvent.click(fold())
  fireEvent.change(await screen.findByLabelText('Voucher code'), { target: { value: 'AAAA' } })
  fireEvent.click(fold())
  expect(fold().getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(fold())
  expect(screen.getByLabelText<HTMLInputElement>('Voucher code').value).toBe('AAAA')
})

it('credits of a voucher are in the balance and in the history at once', async () => {
  const queryClient = new QueryClient()
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries')
  const { updates } = await show(<VoucherForm />, { queryClient })
  fireEvent.click(fold())
  fireEvent.change(await screen.findByLabelText('Voucher code'), { target: { value: 'AAAA' } })
  await act(async () => void fireEvent.submit(screen.getByLabelText('Voucher code')))
  await questions[0]?.answer({ success: true, credits: 2, creditsBalance: 5 })
  expect(updates).toEqual([{ creditsBalance: 5 }])
  expect(screen.getByText('2 credits added.')).toBeTruthy()
  expect(invalidate).toHaveBeenCalledExactlyOnceWith({ queryKey: ['credit-history'] })
})
