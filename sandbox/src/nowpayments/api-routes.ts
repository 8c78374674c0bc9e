import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currencyAnswer, invoiceAnswer, openedPaymentAnswer, paymentAnswer } from './api-answers.ts'
import type { Invoice, Payment } from './book.ts'
import { coins, findCoin, minimumUsd, roundTo, usdRate } from './coins.ts'
import type { Coin } from './coins.ts'
import { GatewayError, badRequest } from './gateway-error.ts'
import type { GatewayContext } from './gateway.ts'
import { makePayment, newInvoiceId, payInvoice } from './make-payment.ts'
import { isTokenValid, issueToken } from './merchant-token.ts'
import {
  readAmount,
  readCount,
  readFlag,
  readObject,
  readOptionalText,
  readOptionalUrl,
  readText,
} from './read-request.ts'

/** The merchant's API under `/v1`. */
export function registerApi(app: FastifyInstance, context: GatewayContext): void {
  const key = { preHandler: async (request: FastifyRequest) => requireKey(context, request) }

  app.get('/v1/status', () => ({ message: 'OK' }))
  app.post('/v1/auth', (request) => signIn(context, request))
  app.get('/v1/currencies', key, () => ({ currencies: coins.map((coin) => coin.code) }))
  app.get('/v1/full-currencies', key, () => ({ currencies: coins.map(currencyAnswer) }))
  app.get('/v1/merchant/coins', key, () => ({
    selectedCurrencies: coins.map((coin) => coin.code.toUpperCase()),
  }))
  app.get('/v1/estimate', key, (request) => estimate(request))
  app.get('/v1/min-amount', key, (request) => minimumAmount(context, request))
  app.post('/v1/invoice', key, async (request, reply) =>
    reply.code(201).send(invoiceAnswer(createInvoice(context, request), context.publicUrl())),
  )
  app.post('/v1/payment', key, async (request, reply) =>
    reply.code(201).send(opened(createPayment(context, request))),
  )
  app.post('/v1/invoice-payment', key, async (request, reply) =>
    reply.code(201).send(opened(createInvoicePayment(context, request))),
  )
  app.get('/v1/payment', key, (request) => listPayments(context, request))
  app.get<{ Params: { id: string } }>('/v1/payment/:id', key, (request) =>
    paymentAnswer(findPayment(context, request.params.id)),
  )
}

function requireKey(context: GatewayContext, request: FastifyRequest): void {
  const given = Buffer.from(String(request.headers['x-api-key'] ?? ''))
  const expected = Buffer.from(context.apiKey)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new GatewayError(403, 'INVALID_API_KEY', 'Invalid api key')
  }
}

function signIn(context: GatewayContext, request: FastifyRequest) {
  const body = readObject(request.body)
  const isKnown =
    readText(body, 'email') === context.merchant.email &&
    readText(body, 'password') === context.merchant.password
  if (!isKnown) throw new GatewayError(403, 'ACCESS_DENIED', 'Invalid credentials')
  return { token: issueToken(context.tokenSecret, context.clock.now()) }
}

function requireToken(context: GatewayContext, request: FastifyRequest): void {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  const isValid =
    scheme === 'Bearer' &&
    token !== undefined &&
    isTokenValid(context.tokenSecret, token, context.clock.now())
  if (!isValid) {
    throw new GatewayError(401, 'AUTH_REQUIRED', 'Bearer JWTtoken is required or has expired')
  }
}

function estimate(request: FastifyRequest) {
  const query = readObject(request.query)
  const amount = readAmount(query, 'amount')
  const from = readText(query, 'currency_from').toLowerCase()
  const to = readText(query, 'currency_to').toLowerCase()
  const fromUsd = usdRate(from)
  const toUsd = usdRate(to)
  if (fromUsd === undefined || toUsd === undefined) {
    throw badRequest(`Currency ${from} is not convertable to ${to} now`)
  }
  return {
    currency_from: from,
    amount_from: amount,
    currency_to: to,
    estimated_amount: String(roundTo(to, (amount * fromUsd) / toUsd)),
  }
}

function minimumAmount(context: GatewayContext, request: FastifyRequest) {
  const query = readObject(request.query)
  const from = knownCoin(readText(query, 'currency_from'))
  const to = knownCoin(readOptionalText(query, 'currency_to') ?? context.outcomeCoin)
  const usd = minimumUsd(from, to)
  const fiat = readOptionalText(query, 'fiat_equivalent')
  return {
    currency_from: from.code,
    currency_to: to.code,
    min_amount: roundTo(from.code, usd / from.usd),
    ...(fiat === null ? {} : { fiat_equivalent: usd }),
  }
}

function knownCoin(code: string): Coin {
  const coin = findCoin(code)
  if (coin === undefined) throw badRequest(`Currency ${code} was not found`)
  return coin
}

function createInvoice(context: GatewayContext, request: FastifyRequest): Invoice {
  const body = readObject(request.body)
  const payCurrency = readOptionalText(body, 'pay_currency')
  const invoice: Invoice = {
    id: newInvoiceId(context),
    tokenId: newInvoiceId(context),
    orderId: readOptionalText(body, 'order_id'),
    orderDescription: readOptionalText(body, 'order_description'),
    priceAmount: readAmount(body, 'price_amount'),
    priceCurrency: readText(body, 'price_currency').toLowerCase(),
    payCurrency: payCurrency === null ? null : knownCoin(payCurrency).code,
    ipnCallbackUrl: readOptionalUrl(body, 'ipn_callback_url'),
    successUrl: readOptionalUrl(body, 'success_url'),
    cancelUrl: readOptionalUrl(body, 'cancel_url'),
    partiallyPaidUrl: readOptionalUrl(body, 'partially_paid_url'),
    payoutCurrency: readOptionalText(body, 'payout_currency'),
    isFixedRate: readFlag(body, 'is_fixed_rate'),
    isFeePaidByUser: readFlag(body, 'is_fee_paid_by_user'),
    createdAtMs: context.clock.now(),
  }
  if (usdRate(invoice.priceCurrency) === undefined) {
    throw badRequest(`Currency ${invoice.priceCurrency} was not found`)
  }
  context.book.putInvoice(invoice)
  return invoice
}

function createPayment(context: GatewayContext, request: FastifyRequest): Payment {
  const body = readObject(request.body)
  return makePayment(context, {
    invoiceId: null,
    purchaseId: null,
    priceAmount: readAmount(body, 'price_amount'),
    priceCurrency: readText(body, 'price_currency'),
    payCurrency: readText(body, 'pay_currency'),
    orderId: readOptionalText(body, 'order_id'),
    orderDescription: readOptionalText(body, 'order_description'),
    ipnCallbackUrl: readOptionalUrl(body, 'ipn_callback_url'),
    outcomeCurrency: readOptionalText(body, 'payout_currency'),
    isFixedRate: readFlag(body, 'is_fixed_rate'),
    isFeePaidByUser: readFlag(body, 'is_fee_paid_by_user'),
  })
}

function createInvoicePayment(context: GatewayContext, request: FastifyRequest): Payment {
  const body = readObject(request.body)
  const invoice = context.book.invoices.get(readOptionalText(body, 'iid') ?? '')
  if (invoice === undefined) throw new GatewayError(404, 'NOT_FOUND', 'Invoice not found')
  const purchaseId = readOptionalText(body, 'purchase_id')
  return payInvoice(
    context,
    invoice,
    readText(body, 'pay_currency'),
    purchaseId === null ? null : Number(purchaseId),
  )
}

function opened(payment: Payment) {
  return openedPaymentAnswer(payment, knownCoin(payment.payCurrency))
}

function findPayment(context: GatewayContext, id: string): Payment {
  const payment = /^\d{1,15}$/.test(id) ? context.book.payments.get(Number(id)) : undefined
  if (payment === undefined) throw new GatewayError(404, 'NOT_FOUND', 'Payment not found')
  return payment
}

function listPayments(context: GatewayContext, request: FastifyRequest) {
  requireToken(context, request)
  const query = readObject(request.query)
  const limit = Math.max(1, readCount(query, 'limit', 10, 500))
  const page = readCount(query, 'page', 0, 1_000_000)
  const invoiceId = readOptionalText(query, 'invoiceId')
  const fromMs = Date.parse(readOptionalText(query, 'dateFrom') ?? '')
  const toMs = Date.parse(readOptionalText(query, 'dateTo') ?? '')
  const ascending = readOptionalText(query, 'orderBy') !== 'desc'
  const found = [...context.book.payments.values()]
    .filter((payment) => invoiceId === null || payment.invoiceId === invoiceId)
    .filter((payment) => Number.isNaN(fromMs) || payment.createdAtMs >= fromMs)
    .filter((payment) => Number.isNaN(toMs) || payment.createdAtMs <= toMs)
    .toSorted((left, right) => (left.createdAtMs - right.createdAtMs) * (ascending ? 1 : -1))
  return {
    data: found.slice(page * limit, (page + 1) * limit).map(paymentAnswer),
    limit,
    page,
    pagesCount: Math.ceil(found.length / limit),
    total: found.length,
  }
}
