import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { forgeryNames } from './callbacks.ts'
import type { GatewayContext } from './gateway.ts'
import {
  GatewayError,
  actions,
  actionsByStatus,
  coins,
  findCoin,
  invoiceAnswer,
  invoiceBody,
  minimumUsd,
  openedPaymentAnswer,
  orderBody,
  paymentAnswer,
  roundTo,
} from './payments.ts'
import type { Payment, PaymentStatus } from './payments.ts'

const paymentBody = orderBody.extend({ pay_currency: z.string() })
const invoicePaymentBody = z.object({ iid: z.string(), pay_currency: z.string() })
const minimumQuery = z.object({ currency_from: z.string(), currency_to: z.string().optional() })
const listQuery = z.object({ invoiceId: z.string() })
const statuses = Object.keys(actionsByStatus) as PaymentStatus[]
const status = z.enum(statuses).nullable().default(null)
const actBody = z.object({
  action: z.enum(actions),
  duplicates: z.int().min(0).max(20).default(0),
  reorder: z.boolean().default(false),
  silent: z.boolean().default(false),
  forge: z.enum(forgeryNames).nullable().default(null),
  stepDelayMs: z.int().min(0).max(600_000).optional(),
  stopAt: status,
  share: z.number().positive().max(100).nullable().default(null),
  status,
})

/** How long a merchant's token opens the list of payments. */
const tokenLifetimeMs = 5 * 60_000
type WithId = { Params: { id: string } }

/** The merchant's API under `/v1`, and what no real gateway has under `/control`. */
export function registerApi(app: FastifyInstance, context: GatewayContext): void {
  const { payments, buyer, callbacks, clock } = context
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof GatewayError ? error : unreadable('The request')
    const { statusCode, code, message } = known
    return reply.code(statusCode).send({ status: false, statusCode, code, message })
  })
  const key = { preHandler: async (request: FastifyRequest) => requireKey(context, request) }

  // A merchant's token is the time at which it was given.
  app.post('/v1/auth', key, () => ({ token: String(clock.now()) }))
  app.get('/v1/merchant/coins', key, () => ({ selectedCurrencies: [...coins.keys()] }))
  app.get('/v1/min-amount', key, ({ query }) => {
    const { currency_from: from, currency_to: to } = read(minimumQuery, query)
    const usd = minimumUsd(from, to ?? context.outcomeCoin)
    return { min_amount: roundTo(from, usd / findCoin(from).usd), fiat_equivalent: usd }
  })
  app.post('/v1/invoice', key, ({ body }, reply) => {
    const invoice = payments.putInvoice(read(invoiceBody, body))
    return reply.code(201).send(invoiceAnswer(invoice, context.publicUrl()))
  })
  app.post('/v1/payment', key, ({ body }, reply) => {
    const { pay_currency, ...asked } = read(paymentBody, body)
    const opened = payments.open(asked, {
      pay_currency,
      invoice_id: null,
      parent_payment_id: null,
    })
    return reply.code(201).send(openedPaymentAnswer(opened))
  })
  app.post('/v1/invoice-payment', key, ({ body }, reply) => {
    const { iid, pay_currency: coin } = read(invoicePaymentBody, body)
    return reply.code(201).send(openedPaymentAnswer(payInvoice(context, iid, coin)))
  })
  app.get('/v1/payment/', key, (request) => {
    requireToken(context, request)
    const found = payments.ofInvoice(read(listQuery, request.query).invoiceId)
    return { data: found.map(paymentAnswer), total: found.length, pagesCount: 1 }
  })
  app.get<WithId>('/v1/payment/:id', key, ({ params }) => paymentAnswer(payments.find(params.id)))

  // They take JSON only, so that another web page can't send them from a browser.
  app.post<WithId>('/control/payments/:id', ({ params, body }) =>
    act(context, payments.find(params.id), body),
  )
  app.post<WithId>('/control/invoices/:id', ({ params, body }) =>
    act(context, paymentOfInvoice(context, params.id), body),
  )
  app.get<WithId>('/control/payments/:id', ({ params: { id } }) => ({
    quiet: !buyer.isMoving(Number(id)) && !callbacks.isSending(Number(id)),
  }))
  app.get('/control/quiet', () => ({
    quiet: !buyer.isMoving() && !callbacks.isSending(),
    lastStatus: callbacks.lastStatus(),
  }))
}

function requireKey(context: GatewayContext, request: FastifyRequest): void {
  const given = Buffer.from(String(request.headers['x-api-key'] ?? ''))
  const expected = Buffer.from(context.apiKey)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new GatewayError(403, 'INVALID_API_KEY', 'Invalid api key')
  }
}

function requireToken(context: GatewayContext, request: FastifyRequest): void {
  const givenAtMs = Number(request.headers.authorization?.replace('Bearer ', ''))
  if (!(context.clock.now() - givenAtMs < tokenLifetimeMs)) {
    throw new GatewayError(401, 'AUTH_REQUIRED', 'Bearer JWTtoken is required or has expired')
  }
}

/** What was asked for, or a refusal that names the first field that won't do. */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw unreadable(error.issues[0]?.path.join('.') ?? '')
}

function unreadable(what: string): GatewayError {
  return new GatewayError(400, 'BAD_REQUEST', `${what} could not be read`)
}

function payInvoice({ payments }: GatewayContext, id: string, coin: string): Payment {
  const invoice = payments.findInvoice(id)
  const under = { pay_currency: coin, invoice_id: Number(id), parent_payment_id: null }
  return payments.open(invoice, under)
}

/** The newest payment of an invoice; opened when the buyer hasn't begun to pay yet. */
export function paymentOfInvoice(context: GatewayContext, invoiceId: string): Payment {
  const own = context.payments.ofInvoice(invoiceId)
  const newest = own.findLast(({ parent_payment_id: parent }) => parent === null)
  return newest ?? payInvoice(context, invoiceId, 'usdcmatic')
}

/** Carries out what a tester, or somebody at the pay page, asks for. */
export function act(context: GatewayContext, payment: Payment, body: unknown) {
  const { action, stepDelayMs = context.stepDelayMs, ...options } = read(actBody, body)
  return paymentAnswer(context.buyer.act(payment, action, { ...options, stepDelayMs }))
}
