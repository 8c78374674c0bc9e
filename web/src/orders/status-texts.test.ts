import { expect, it } from 'vitest'
import messages from '@starside/contract/texts/en/dashboard.json'
import { statusTexts } from './payment-modal.tsx'

it.each([
  ['initiated', 'Payment Initiated', 'Redirecting to payment gateway...'],
  ['pending', 'Payment Pending', 'Waiting for payment confirmation...'],
  ['processing', 'Processing Payment', 'Your payment is being processed...'],
  ['completed', 'Payment Successful!', 'Your Premium upgrade is now active!'],
  ['failed', 'Payment Failed', 'Your payment could not be processed.'],
  ['cancelled', 'Payment Cancelled', 'Payment was cancelled by user.'],
  ['expired', 'Payment Expired', 'Payment window has expired.'],
  ['on holiday', 'Unknown Status', 'Please check your payment status.'],
])('%s is reported as "%s"', (status, title, message) => {
  expect(statusTexts({ status }, messages)).toMatchObject({ title, message })
})

const underpaid = {
  paidAmount: '0.3',
  missingAmount: '0.5',
  currency: 'LTC',
  payUrl: null,
  worthCredits: 40,
}

it.each([
  ['pending', 'waiting for payment'],
  ['processing', 'being confirmed'],
  ['completed', 'paid'],
  ['on holiday', 'on holiday'],
])('of an order that is %s the status row says "%s"', (status, word) => {
  expect(statusTexts({ status }, messages).word).toBe(word)
})

it('an order that waits for the rest of its price is partly paid, and one that was completed is paid', () => {
  expect(statusTexts({ status: 'processing', underpaid }, messages)).toEqual({
    title: 'Waiting for the Rest',
    message: 'A part is paid. Pay the rest?',
    word: 'partly paid',
  })
  expect(statusTexts({ status: 'completed', underpaid }, messages).word).toBe('paid')
})
