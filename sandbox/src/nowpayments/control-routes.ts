import type { FastifyInstance } from 'fastify'
import { actOnPayment, actions, possibleActions } from './act-on-payment.ts'
import type { ActOptions } from './act-on-payment.ts'
import { paymentAnswer } from './api-answers.ts'
import { forgeries, paymentStatuses } from './book.ts'
import type { Payment } from './book.ts'
import { GatewayError, badRequest } from './gateway-error.ts'
import type { GatewayContext } from './gateway.ts'
import { payInvoice } from './make-payment.ts'
import { readChoice, readCount, readFlag, readObject } from './read-request.ts'

/**
 * What no real gateway has: calls that let a test play the buyer, the chain and a bad network.
 * They take JSON only, so that another web page can't send them from a browser.
 */
export function registerControl(app: FastifyInstance, context: GatewayContext): void {
  app.post<{ Params: { id: string } }>('/control/payments/:id', (request) => {
    const payment = context.book.payments.get(Number(request.params.id))
    if (payment === undefined) throw new GatewayError(404, 'NOT_FOUND', 'Payment not found')
    return act(context, payment, readObject(request.body))
  })
  app.post<{ Params: { id: string } }>('/control/invoices/:id', (request) => {
    const body = readObject(request.body)
    return act(context, paymentOfInvoice(context, request.params.id, body), body)
  })
  app.get('/control/quiet', () => ({
    quiet: !context.walker.busy() && !context.deliverer.busy(),
  }))
  app.get<{ Params: { id: string } }>('/control/payments/:id', (request) => {
    const id = Number(request.params.id)
    const isDelivering = [...context.book.deliveries.values()].some(
      (delivery) => delivery.paymentId === id,
    )
    return { quiet: !context.walker.isMoving(id) && !isDelivering }
  })
  app.get('/control/deliveries', () => ({ deliveries: context.deliverer.outcomes() }))
}

function act(context: GatewayContext, payment: Payment, body: Record<string, unknown>) {
  const action = readChoice(body, 'action', actions)
  if (action === null) throw badRequest(`action must be one of ${actions.join(', ')}`)
  const concerned = actOnPayment(context, payment, action, readActOptions(context, body))
  return { ...paymentAnswer(concerned), possible_actions: possibleActions(context, concerned) }
}

/** The newest payment of an invoice, opened in `coin` when the buyer hasn't chosen one yet. */
function paymentOfInvoice(
  context: GatewayContext,
  invoiceId: string,
  body: Record<string, unknown>,
): Payment {
  const invoice = context.book.invoices.get(invoiceId)
  if (invoice === undefined) throw new GatewayError(404, 'NOT_FOUND', 'Invoice not found')
  const own = [...context.book.payments.values()].findLast(
    (payment) => payment.invoiceId === invoiceId && payment.parentPaymentId === null,
  )
  const coin =
    typeof body['coin'] === 'string' ? body['coin'] : (invoice.payCurrency ?? 'usdcmatic')
  return own ?? payInvoice(context, invoice, coin, null)
}

/** How to act, from a JSON body or a form of the pay page. */
export function readActOptions(context: GatewayContext, body: Record<string, unknown>): ActOptions {
  const share = body['share'] === undefined ? null : Number(body['share'])
  if (share !== null && !(share > 0 && share < 100)) {
    throw badRequest('share must be a number between 0 and 100')
  }
  return {
    duplicates: readCount(body, 'duplicates', 0, 20),
    reorder: readFlag(body, 'reorder'),
    delayMs: readCount(body, 'delayMs', 0, 600_000),
    silent: readFlag(body, 'silent'),
    forge: readChoice(body, 'forge', forgeries),
    stepDelayMs: readCount(body, 'stepDelayMs', context.stepDelayMs, 600_000),
    stopAt: readChoice(body, 'stopAt', paymentStatuses),
    share,
    resendStatus: readChoice(body, 'status', paymentStatuses),
  }
}
