import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GatewayContext } from './gateway.ts'
import { GatewayError, coins } from './payments.ts'
import type { Action, Invoice, Payment, PaymentStatus } from './payments.ts'
import { act, paymentOfInvoice } from './routes.ts'

/** Whoever comes back to the tab sees how the order stands now. */
const script = `document.addEventListener('visibilitychange', () => document.hidden || location.reload())`
const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const style = readFileSync(new URL('pay-page.css', import.meta.url), 'utf8')

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const explanations: Record<PaymentStatus, string> = {
  waiting: 'Nothing has been paid yet.',
  confirming: 'The deposit is on the network and being confirmed.',
  confirmed: 'The network has confirmed the deposit.',
  sending: 'The provider is passing the money on to the shop.',
  finished: 'Paid in full. The shop has been told.',
  partially_paid: 'The deposit was smaller than the price.',
  failed: 'The provider could not take this payment.',
  refunded: 'The provider has sent the money back.',
  expired: 'The time to pay is up.',
}

/** In which a payment stays until its buyer does something. */
const isRestful = /^(?:waiting|partially_paid|expired)$/

/** The first action of each that is possible is what its button does. */
const buttons: readonly { text: string; actions: readonly [Action, ...Action[]] }[] = [
  { text: 'Pay', actions: ['pay', 'pay-rest'] },
  { text: 'Pay a part', actions: ['underpay'] },
  { text: 'Pay late', actions: ['pay-late'] },
  { text: 'Fail', actions: ['fail'] },
  { text: 'Refund', actions: ['refund'] },
]

/** The hosted pay page: plain forms that need no script, nothing from elsewhere. */
export function registerPayPage(app: FastifyInstance, context: GatewayContext): void {
  const { payments } = context
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof GatewayError)) throw error
    const advice = 'Please go back to the shop and start again.'
    return sendPage(reply.code(error.statusCode), `<h1>${error.message}</h1><p>${advice}</p>`)
  })
  app.get<{ Querystring: { iid?: string } }>('/payment/', ({ query }, reply) => {
    const invoice = payments.findInvoice(query.iid ?? '')
    const payment = paymentOfInvoice(context, invoice.id)
    return sendPage(reply, paymentHtml(context, invoice, payment), context.buyer.isMoving())
  })
  app.post<{ Body: { iid?: string; action?: string } }>('/payment/', ({ body }, reply) => {
    const invoice = payments.findInvoice(body.iid ?? '')
    const { id } = invoice
    const payment = paymentOfInvoice(context, id)
    // A page that was opened before the order was cancelled still has its buttons.
    const isGone = isUnpaid(invoice, payment) && body.action !== 'pay-late'
    if (!isGone) act(context, payment, { action: body.action })
    return reply.redirect(`?iid=${id}`, 303)
  })
}

function sendPage(reply: FastifyReply, body: string, isMoving = false): FastifyReply {
  return reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Payment · test money</title>
${isMoving ? '<meta http-equiv="refresh" content="1">' : ''}
<style>${style}</style>
<script>${script}</script>
</head>
<body>
<p class="edge"><strong>TEST MONEY</strong> This page stands in for a payment provider. Send no real coins.</p>
<main>${body}</main>
</body>
</html>
`)
}

function paymentHtml(context: GatewayContext, invoice: Invoice, payment: Payment): string {
  const { payment_status: status, pay_currency: coin } = payment
  const isGone = isUnpaid(invoice, payment)
  const possible: readonly Action[] = isGone ? ['pay-late'] : context.buyer.possibleActions(payment)
  const facts = Object.entries({
    For: invoice.order_description,
    Order: invoice.order_id,
    Price: `$${invoice.price_amount.toFixed(2)}`,
    Paid: `${payment.actually_paid} of ${payment.pay_amount} ${coins.get(coin)?.name ?? coin}`,
  })
  const isDone = status === 'finished'
  // What was pressed is on its way, and the status that it leads to hasn't come.
  const isSent = context.buyer.isMoving(payment.payment_id) && isRestful.test(status)
  const said = isSent ? 'Sent. Waiting for the network…' : explanations[status]
  const back = isDone ? invoice.success_url : invoice.cancel_url
  const heading = isDone ? 'Paid in full' : isSent ? 'Payment sent' : 'Pay'
  return `<h1>${isGone ? 'This order was cancelled' : heading}</h1>
<p role="status">${isGone ? 'There is nothing to pay.' : said}</p>
<dl>${facts.map(([name, value]) => (value === null ? '' : `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)).join('')}</dl>
<form method="post" action="?">
<h2>Simulate the buyer</h2>
<input type="hidden" name="iid" value="${escapeHtml(invoice.id)}">
<p>${buttons.map((button) => buttonHtml(button, possible)).join('')}</p>
</form>
${back === null ? '' : `<p><a href="${escapeHtml(back)}">Back to the shop</a></p>`}`
}

/** Cancelled, and no money has come for it. */
function isUnpaid({ isCancelled }: Invoice, payment: Payment): boolean {
  return isCancelled === true && payment.payment_status === 'waiting'
}

function buttonHtml({ text, actions }: (typeof buttons)[number], possible: readonly Action[]) {
  const action = actions.find((one) => possible.includes(one))
  return `<button name="action" value="${action ?? actions[0]}"${action === undefined ? ' disabled' : ''}>${text}</button>`
}

/** `text` with the characters that mean something in HTML spelt out. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
