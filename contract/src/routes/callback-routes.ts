import { paymentProviders } from '../payment-providers.ts'
import type { PaymentCallbackPath } from '../payment-providers.ts'
import { declareRoutes, success } from './declare-routes.ts'
import type { RouteDeclaration } from './declare-routes.ts'

/** Signed notifications of providers; their bytes are taken as they are. */
export const callbackRoutes = declareRoutes({
  'POST /api/images/fal/webhook': {
    summary: 'Signed notifications of fal.',
    access: 'anybody',
    answers: { 200: success },
    errors: ['signature_invalid'],
  },
  ...declarePaymentCallbacks(),
})

/** One for each address: the sandbox shares NOWPayments'. */
function declarePaymentCallbacks() {
  const declared = Object.values(paymentProviders).map(({ title, callbackPath }) => [
    `POST ${callbackPath}`,
    {
      summary: `Signed notifications of ${title}.`,
      access: 'anybody',
      answers: { 200: success },
      errors: ['signature_invalid'],
    },
  ])
  return Object.fromEntries(declared) as Record<`POST ${PaymentCallbackPath}`, RouteDeclaration>
}
