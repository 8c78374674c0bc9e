import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actOnPayment, actions, possibleActions } from './act-on-payment.ts'
import type { Invoice, Payment } from './book.ts'
import { coins, findCoin, minimumUsd, usdRate } from './coins.ts'
import { readActOptions } from './control-routes.ts'
import { GatewayError, badRequest } from './gateway-error.ts'
import type { GatewayContext } from './gateway.ts'
import { payInvoice } from './make-payment.ts'
import { coinChoicePage, lostPage, paymentPage } from './page-html.ts'
import { readChoice, readObject, readOptionalText, readText } from './read-request.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const fonts: Record<string, string> = {
  'display.woff2': '@fontsource-variable/anybody/files/anybody-latin-wdth-normal.woff2',
  'text.woff2':
    '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2',
  'mono.woff2': '@fontsource/dm-mono/files/dm-mono-latin-400-normal.woff2',
}

/** The hosted pay page. Every step is a plain form, so that it works without JavaScript. */
export function registerPayPage(app: FastifyInstance, context: GatewayContext): void {
  app.get('/payment', (request, reply) => showPayment(context, request, reply))
  app.post('/payment/coin', (request, reply) => chooseCoin(context, request, reply))
  app.post('/payment/act', (request, reply) => act(context, request, reply))
  app.get('/payment/state', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(state(context, request)),
  )
  serveFile(app, '/payment/pay-page.css', 'text/css; charset=utf-8', './pay-page.css')
  serveFile(app, '/payment/pay-page.js', 'text/javascript; charset=utf-8', './pay-page.js')
  for (const [name, module] of Object.entries(fonts)) {
    serveFile(app, `/payment/${name}`, 'font/woff2', import.meta.resolve(module))
  }
}

function serveFile(app: FastifyInstance, path: string, type: string, file: string): void {
  const content = readFileSync(new URL(file, import.meta.url))
  app.get(path, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type(type).send(content),
  )
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', contentSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html)
}

async function showPayment(context: GatewayContext, request: FastifyRequest, reply: FastifyReply) {
  const query = readObject(request.query)
  const invoice = context.book.invoices.get(readOptionalText(query, 'iid') ?? '')
  if (invoice === undefined) return sendPage(reply, 404, lostPage(context.shopName))
  const payment = paymentToShow(context, invoice, query)
  return payment === undefined
    ? sendPage(reply, 200, coinChoicePage(context.shopName, invoice, offers(context, invoice)))
    : sendPayment(context, reply, invoice, payment, null)
}

async function sendPayment(
  context: GatewayContext,
  reply: FastifyReply,
  invoice: Invoice,
  payment: Payment,
  problem: string | null,
) {
  const coin = findCoin(payment.payCurrency)
  if (coin === undefined) return sendPage(reply, 404, lostPage(context.shopName))
  const html = await paymentPage({
    shopName: context.shopName,
    invoice,
    payment,
    coin,
    actions: possibleActions(context, payment),
    isMoving: context.walker.isMoving(payment.id),
    problem,
  })
  return sendPage(reply, problem === null ? 200 : 409, html)
}

/** The payment named in the address, else the newest one of the invoice. */
function paymentToShow(
  context: GatewayContext,
  invoice: Invoice,
  query: Record<string, unknown>,
): Payment | undefined {
  if (query['choose'] !== undefined) return undefined
  const own = [...context.book.payments.values()].filter(
    (payment) => payment.invoiceId === invoice.id,
  )
  const named = own.find((payment) => String(payment.id) === query['paymentId'])
  return named ?? own.findLast((payment) => payment.parentPaymentId === null)
}

function offers(context: GatewayContext, invoice: Invoice) {
  const usd = invoice.priceAmount * (usdRate(invoice.priceCurrency) ?? 1)
  const outcome = findCoin(invoice.payoutCurrency ?? context.outcomeCoin)
  const isAllowed = (code: string) => invoice.payCurrency === null || invoice.payCurrency === code
  return coins
    .filter((coin) => isAllowed(coin.code))
    .map((coin) => {
      const minimum = minimumUsd(coin, outcome ?? coin)
      return { coin, minimumUsd: minimum, isPossible: usd >= minimum }
    })
}

async function chooseCoin(context: GatewayContext, request: FastifyRequest, reply: FastifyReply) {
  const form = readObject(request.body)
  const invoice = context.book.invoices.get(readText(form, 'iid'))
  if (invoice === undefined) return sendPage(reply, 404, lostPage(context.shopName))
  const payment = payInvoice(context, invoice, readText(form, 'coin'), null)
  return reply.redirect(`/payment/?iid=${invoice.id}&paymentId=${payment.id}`, 303)
}

async function act(context: GatewayContext, request: FastifyRequest, reply: FastifyReply) {
  const form = readObject(request.body)
  const payment = context.book.payments.get(Number(form['paymentId']))
  const invoice = context.book.invoices.get(payment?.invoiceId ?? '')
  if (payment === undefined || invoice === undefined) {
    return sendPage(reply, 404, lostPage(context.shopName))
  }
  try {
    const action = readChoice(form, 'action', actions)
    if (action === null) throw badRequest('Please choose what should happen')
    const concerned = actOnPayment(context, payment, action, readActOptions(context, form))
    return reply.redirect(`/payment/?iid=${invoice.id}&paymentId=${concerned.id}`, 303)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return sendPayment(context, reply, invoice, payment, error.message)
  }
}

/** What the page's script compares with what it shows. */
function state(context: GatewayContext, request: FastifyRequest) {
  const { paymentId } = readObject(request.query)
  const payment = context.book.payments.get(Number(paymentId))
  if (payment === undefined) throw new GatewayError(404, 'NOT_FOUND', 'Payment not found')
  return `${payment.status} ${context.walker.isMoving(payment.id) ? 'moving' : 'resting'}`
}
