import { redeemVoucherAnswer, redeemVoucherInput } from '../vouchers.ts'
import { declareRoutes, json, jsonBody } from './declare-routes.ts'

/** Codes for credits. */
export const voucherRoutes = declareRoutes({
  'POST /api/user?action=redeem-voucher': {
    summary:
      'Redeems a voucher code for its credits. They are as good as the first one: the brand mark stays until credits are bought.',
    access: 'user',
    repeatable: true,
    body: jsonBody('RedeemVoucherInput', redeemVoucherInput),
    answers: { 200: json('RedeemVoucherAnswer', redeemVoucherAnswer) },
    errors: [
      'voucher_unknown',
      'voucher_void',
      'voucher_not_yet',
      'voucher_over',
      'voucher_used_up',
      'voucher_redeemed',
      'idempotency_conflict',
      'voucher_limited',
    ],
  },
})
