import { createHmac, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { change, dollarsPerCoin, paid, presentMethod, webhookBody } from './invoice.ts'
import type { BtcpayAction, Invoice } from './invoice.ts'

export interface BtcpayServerOptions {
  port: number
  host: string
  apiKey: string
  storeId: string
  webhook: { url: string; secret: string } | undefined
  fetch?: typeof fetch
  now?: () => number
}

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
  const present = (invoice: Invoice) => presentInvoice(invoice, parts.baseUrl())
  const find = (request: FastifyRequest<ById>, reply: FastifyReply) => {
    const { id } = request.params
    const invoice = invoices.get(id)
    if (invoice === undefined) {
      void reply.code(404).send({ code: 'invoice-not-found', message: 'The invoice was not found' })
    }
    return invoice
  }

  app.post(path, (request, reply) => {
    const body = fieldsOf(request.body)
    if (typeof body['amount'] !== 'string' || !(Number(body['amount']) > 0)) {
      return reply.code(422).send([{ path: 'amount', message: 'The amount is not valid' }])
    }
    const checkout = fieldsOf(body['checkout'])
    const createdTime = Math.floor(now() / 1000)
    const invoice: Invoice = {
      id: randomBytes(16).toString('base64url'),
      storeId,
      amount: body['amount'],
      currency: typeof body['currency'] === 'string' ? body['currency'] : 'USD',
      metadata: fieldsOf(body['metadata']),
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
  app.get<{ Querystring: { orderId?: string } }>(path, (request) => {
    const { orderId } = request.query
    return [...invoices.values()]
      .filter((invoice) => orderId === undefined || invoice.metadata['orderId'] === orderId)
      .map(present)
  })
  app.get<ById>(`${path}/:id`, (request, reply) => {
    const invoice = find(request, reply)
    return invoice === undefined ? reply : present(invoice)
  })
  app.get<ById>(`${path}/:id/payment-methods`, (request, reply) => {
    const invoice = find(request, reply)
    return invoice === undefined ? reply : [presentMethod(invoice)]
  })
}

/** As the Greenfield API (v1) answers it. */
function presentInvoice(invoice: Invoice, baseUrl: string) {
  return {
    id: invoice.id,
    storeId: invoice.storeId,
    amount: invoice.amount,
    paidAmount: (paid(invoice) * dollarsPerCoin).toFixed(2),
    currency: invoice.currency,
    type: 'Standard',
    checkoutLink: `${baseUrl}/i/${invoice.id}`,
    createdTime: invoice.createdTime,
    expirationTime: invoice.expirationTime,
    monitoringExpiration: invoice.expirationTime + 86_400,
    status: invoice.status,
    additionalStatus: invoice.additionalStatus,
    metadata: invoice.metadata,
    checkout: invoice.checkout,
    archived: false,
  }
}

interface ById {
  Params: { id: string }
}

/** The fields of what may be no object. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
