import { successAnswer } from '../auth.ts'
import { declareRoutes, json } from './declare-routes.ts'

const success = json('SuccessAnswer', successAnswer)

/** Signed notifications of providers; their bytes are taken as they are. */
export const callbackRoutes = declareRoutes({
  'POST /api/images/fal/webhook': {
    summary: 'Signed notifications of fal.',
    access: 'anybody',
    answers: { 200: success },
    errors: ['signature_invalid'],
  },
  'POST /api/payments/nowpayments/ipn': {
    summary: 'Signed notifications of NOWPayments.',
    access: 'anybody',
    answers: { 200: success },
    errors: ['signature_invalid'],
  },
  'POST /api/payments/btcpay/webhook': {
    summary: 'Signed notifications of BTCPay Server.',
    access: 'anybody',
    answers: { 200: success },
    errors: ['signature_invalid'],
  },
})
