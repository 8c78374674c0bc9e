import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import { voucherCodeLengthMax } from '@starside/contract/limits.ts'
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

it('is unfolded from the start where a link brought a code', async () => {
  sessionStorage.setItem(storageKeys.voucherCode, 'LINK')
  await show(<VoucherForm />)
  const field = await screen.findByLabelText<HTMLInputElement>('Voucher code')
  expect([field.value, field.maxLength]).toEqual(['LINK', voucherCodeLengthMax])
  const form = document.getElementById(fold().getAttribute('aria-controls') ?? '')
  expect(form?.hidden).toBe(false)
  fireEvent.click(fold())
  expect([form?.hidden, fold().getAttribute('aria-expanded')]).toEqual([true, 'false'])
})

it('tells that a code is being redeemed, and marks the field of one that was refused', async () => {
  sessionStorage.setItem(storageKeys.voucherCode, 'LINK')
  await show(<VoucherForm />)
  const field = await screen.findByLabelText('Voucher code')
  await act(async () => void fireEvent.submit(field))
  const button = screen.getByRole('button', { name: 'Redeeming...' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await questions[0]?.answer({ success: false, error: 'Unknown.', code: 'voucher_unknown' }, 404)
  expect(screen.getByText('Unknown.')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  fireEvent.change(field, { target: { value: 'B' } })
  expect(screen.queryByText('Unknown.')).toBeNull()
  expect(field.getAttribute('aria-invalid')).toBe('false')
})
