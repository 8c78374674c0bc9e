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
  expect(statusTexts(status, messages)).toEqual({ title, message })
})
