import { createHmac, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An invoice as the Greenfield API (v1) tells it, plus the deposits behind it. */
interface Invoice {
  id: string
  storeId: string
  amount: string
  currency: string
  metadata: Record<string, unknown>
  checkout: Record<string, unknown>
  status: 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled'
  additionalStatus: 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver'
  createdTime: number
  expirationTime: number
  deposits: { value: number; status: 'Processing' | 'Settled' }[]
}

export interface BtcpayServerOptions {
  port: number
  host: string
  apiKey: string
  storeId: string
  webhook: { url: string; secret: string } | undefined
  fetch?: typeof fetch
  now?: () => number
}

/** What a tester can let happen to an invoice. */
export type BtcpayAction =
  | { kind: 'deposit'; share: number }
  | { kind: 'confirm' }
  | { kind: 'expire' }
  | { kind: 'invalidate' }
  | { kind: 'mark-settled' }

export interface RunningBtcpayServer {
  url: string
  /**
   * Lets something happen and sends its webhooks, unless they are to get lost; answers the
   * receiver's statuses.
   */
  act(invoiceId: string, action: BtcpayAction, options?: { silent: boolean }): Promise<number[]>
  /** Sends a webhook as it is given, signed with `secret`. */
  sendWebhook(body: object, secret?: string): Promise<number>
  close(): Promise<void>
}

/** Dollars for one bitcoin: a made-up, constant rate. */
const dollarsPerCoin = 100_000

/**
 * A stand-in for BTCPay Server's Greenfield API: invoices of one store, their payment methods, and
 * webhooks signed over their indented bytes. All its money is test money.
 */
export async function startBtcpayServer(
  options: BtcpayServerOptions,
): Promise<RunningBtcpayServer> {
  const now = options.now ?? Date.now
  const invoices = new Map<string, Invoice>()
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return
    if (request.headers.authorization === `token ${options.apiKey}`) return
    await reply.code(401).send({ code: 'unauthenticated', message: 'Authentication is required' })
  })
  let url = ''
  registerInvoices(app, { invoices, storeId: options.storeId, now, baseUrl: () => url })
  url = await app.listen({ port: options.port, host: options.host })

  async function sendWebhook(
    body: object,
    secret = options.webhook?.secret ?? '',
  ): Promise<number> {
    if (options.webhook === undefined) return 0
    const text = JSON.stringify(body, null, 2)
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    const response = await (options.fetch ?? fetch)(options.webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'btcpay-sig': `sha256=${signature}`,
      },
      body: text,
    })
    await response.body?.cancel()
    return response.status
  }

  return {
    url,
    sendWebhook,
    async act(invoiceId, action, actOptions) {
      const invoice = invoices.get(invoiceId)
      if (invoice === undefined) throw new Error(`there is no invoice ${invoiceId}`)
      const statuses: number[] = []
      for (const event of change(invoice, action)) {
        if (actOptions?.silent === true) continue
        statuses.push(await sendWebhook(webhookBody(invoice, event, now())))
      }
      return statuses
    },
    close: () => app.close(),
  }
}

function registerInvoices(
  app: FastifyInstance,
  parts: {
    invoices: Map<string, Invoice>
    storeId: string
    now: () => number
    baseUrl: () => string
  },
): void {
  const { invoices, storeId, now } = parts
  const path = `/api/v1/stores/${storeId}/invoices`
  const present = (invoice: Invoice) => ({
    id: invoice.id,
    storeId,
    amount: invoice.amount,
    paidAmount: (paid(invoice) * dollarsPerCoin).toFixed(2),
    currency: invoice.currency,
    type: 'Standard',
    checkoutLink: `${parts.baseUrl()}/i/${invoice.id}`,
    createdTime: invoice.createdTime,
    expirationTime: invoice.expirationTime,
    monitoringExpiration: invoice.expirationTime + 86_400,
    status: invoice.status,
    additionalStatus: invoice.additionalStatus,
    metadata: invoice.metadata,
    checkout: invoice.checkout,
    archived: false,
  })
  const find = (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id: string }
    const invoice = invoices.get(id)
    if (invoice === undefined) {
      void reply.code(404).send({ code: 'invoice-not-found', message: 'The invoice was not found' })
    }
    return invoice
  }

  app.post(path, (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    if (typeof body['amount'] !== 'string' || !(Number(body['amount']) > 0)) {
      return reply.code(422).send([{ path: 'amount', message: 'The amount is not valid' }])
    }
    const checkout = (body['checkout'] ?? {}) as Record<string, unknown>
    const createdTime = Math.floor(now() / 1000)
    const invoice: Invoice = {
      id: randomBytes(16).toString('base64url'),
      storeId,
      amount: body['amount'],
      currency: typeof body['currency'] === 'string' ? body['currency'] : 'USD',
      metadata: (body['metadata'] ?? {}) as Record<string, unknown>,
      checkout,
      status: 'New',
      additionalStatus: 'None',
      createdTime,
      expirationTime: createdTime + Number(checkout['expirationMinutes'] ?? 15) * 60,
      deposits: [],
    }
    invoices.set(invoice.id, invoice)
    return present(invoice)
  })
  app.get(path, (request) => {
    const { orderId } = request.query as { orderId?: string }
    return [...invoices.values()]
      .filter((invoice) => orderId === undefined || invoice.metadata['orderId'] === orderId)
      .map(present)
  })
  app.get(`${path}/:id`, (request, reply) => {
    const invoice = find(request, reply)
    return invoice === undefined ? reply : present(invoice)
  })
  app.get(`${path}/:id/payment-methods`, (request, reply) => {
    const invoice = find(request, reply)
    return invoice === undefined ? reply : [presentMethod(invoice)]
  })
}

function presentMethod(invoice: Invoice) {
  return {
    paymentMethodId: 'BTC-CHAIN',
    currency: 'BTC',
    destination: `bcrt1q${invoice.id.toLowerCase().replace(/[^0-9a-z]/g, '')}`,
    rate: String(dollarsPerCoin),
    amount: coins(price(invoice)),
    paymentMethodPaid: coins(paid(invoice)),
    totalPaid: coins(paid(invoice)),
    due: coins(Math.max(0, price(invoice) - paid(invoice))),
    payments: invoice.deposits.map((deposit, index) => ({
      id: `${invoice.id}-${index}`,
      receivedDate: invoice.createdTime,
      value: coins(deposit.value),
      fee: '0',
      status: deposit.status,
      destination: '',
    })),
  }
}

function price(invoice: Invoice): number {
  return Number(invoice.amount) / dollarsPerCoin
}

function paid(invoice: Invoice): number {
  return invoice.deposits.reduce((sum, deposit) => sum + deposit.value, 0)
}

function coins(amount: number): string {
  return amount.toFixed(8)
}

/** Moves the invoice on as the real server does; answers the webhooks that this causes. */
function change(invoice: Invoice, action: BtcpayAction): { type: string; late: boolean }[] {
  const late = invoice.status === 'Expired'
  switch (action.kind) {
    case 'deposit': {
      invoice.deposits.push({ value: price(invoice) * action.share, status: 'Processing' })
      const isWhole = paid(invoice) >= price(invoice) - 1e-9
      // After the time-out the status stays Expired; only the additional one tells of money.
      if (late) invoice.additionalStatus = isWhole ? 'PaidLate' : 'PaidPartial'
      else if (isWhole) invoice.status = 'Processing'
      else invoice.additionalStatus = 'PaidPartial'
      if (!late && paid(invoice) > price(invoice) + 1e-9) invoice.additionalStatus = 'PaidOver'
      return [
        { type: 'InvoiceReceivedPayment', late },
        ...(isWhole && !late ? [{ type: 'InvoiceProcessing', late }] : []),
      ]
    }
    case 'confirm': {
      for (const deposit of invoice.deposits) deposit.status = 'Settled'
      const isSettled = invoice.status === 'Processing'
      if (isSettled) invoice.status = 'Settled'
      if (isSettled && invoice.additionalStatus === 'PaidPartial') invoice.additionalStatus = 'None'
      return [
        { type: 'InvoicePaymentSettled', late },
        ...(isSettled ? [{ type: 'InvoiceSettled', late }] : []),
      ]
    }
    case 'expire':
      invoice.status = 'Expired'
      return [{ type: 'InvoiceExpired', late: false }]
    case 'invalidate':
      invoice.status = 'Invalid'
      return [{ type: 'InvoiceInvalid', late }]
    case 'mark-settled':
      invoice.status = 'Settled'
      invoice.additionalStatus = 'Marked'
      return [{ type: 'InvoiceSettled', late }]
  }
}

function webhookBody(invoice: Invoice, event: { type: string; late: boolean }, nowMs: number) {
  const deliveryId = randomBytes(12).toString('base64url')
  return {
    deliveryId,
    webhookId: 'sandbox',
    originalDeliveryId: deliveryId,
    isRedelivery: false,
    type: event.type,
    timestamp: Math.floor(nowMs / 1000),
    storeId: invoice.storeId,
    invoiceId: invoice.id,
    metadata: invoice.metadata,
    afterExpiration: event.late,
  }
}
