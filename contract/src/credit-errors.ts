import type { ErrorDescription } from './account-errors.ts'

/** Failures of credits, terms and vouchers; a part of `errorTable`. */
export const creditErrors = {
  amount_invalid: {
    status: 400,
    sentence: 'The amount must be a whole number of credits from 1 to 100.',
  },
  insufficient_credits: {
    status: 402,
    sentence: 'Insufficient credits. Please purchase credits to generate photos.',
  },
  hold_returned: {
    status: 409,
    sentence: 'The credits set aside for this have gone back already. Please try again.',
  },
  terms_outdated: {
    status: 409,
    sentence: 'The terms have changed again meanwhile. Please reload the page and read them.',
  },

  // Vouchers
  voucher_unknown: {
    status: 400,
    sentence: 'This voucher code does not exist. Please check it letter by letter.',
  },
  voucher_void: { status: 409, sentence: 'This voucher is no longer valid.' },
  voucher_not_yet: { status: 409, sentence: 'This voucher is not valid yet.' },
  voucher_over: { status: 409, sentence: 'The time of this voucher is over.' },
  voucher_used_up: { status: 409, sentence: 'This voucher has been redeemed already.' },
  voucher_redeemed: {
    status: 409,
    sentence: 'You have redeemed this voucher, or another one of the same offer, already.',
  },
  voucher_limited: {
    status: 429,
    sentence: 'Too many codes that do not exist. Please try again in an hour.',
  },
} as const satisfies Record<string, ErrorDescription>
