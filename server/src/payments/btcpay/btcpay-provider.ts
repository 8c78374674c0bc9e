import { createHmac, timingSafeEqual } from 'node:crypto'
import { PaymentProviderError } from '../provider.ts'
import type { CallbackVerdict, Checkout, PaymentFacts, PaymentProvider } from '../provider.ts'
import { requestProvider } from '../provider-request.ts'
import type { ProviderAnswer } from '../provider-request.ts'
import { parseJson, readObject } from '../../platform/http/read-object.ts'
import { isInvoiceId, readInvoice, readMethods } from './read-invoice.ts'

export interface BtcpaySettings {
  /** Such as `https://pay.example`, without a slash at the end. */
  url: string
  apiKey: string
  storeId: string
  webhookSecret: string
  fetch: typeof fetch
}

/** Minutes until the checkout page times out, as the specification's payment window. */
const expirationMinutes = 30
/** One confirmation: credits can't be taken back, so an unconfirmed payment isn't enough. */
const speedPolicy = 'MediumSpeed'

/** BTCPay Server's Greenfield API as a `PaymentProvider`; an invoice is its own payment. */
export function createBtcpayProvider(settings: BtcpaySettings): PaymentProvider {
  const invoicesUrl = `${settings.url}/api/v1/stores/${encodeURIComponent(settings.storeId)}/invoices`
  const call = (method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object) =>
    requestProvider({ fetch: settings.fetch, provider: 'BTCPay Server' }, invoicesUrl + path, {
      method,
      headers: { authorization: `token ${settings.apiKey}` },
      signal,
      ...(body === undefined ? {} : { body }),
    })

  async function complete(
    invoice: unknown,
    signal: AbortSignal,
  ): Promise<PaymentFacts | undefined> {
    const facts = readInvoice(invoice, [])
    if (facts === undefined || facts.state === 'waiting') return facts
    const path = `/${encodeURIComponent(facts.paymentId)}/payment-methods`
    const answer = await call('GET', path, signal)
    if (answer.status >= 300) throw refusal(answer, `the payments of ${facts.paymentId}`)
    return readInvoice(invoice, readMethods(answer.body))
  }

  return {
    name: 'btcpay',

    async createCheckout(request, signal) {
      const answer = await call('POST', '', signal, {
        amount: (request.price.minorUnits / 100).toFixed(2),
        currency: request.price.currency.toUpperCase(),
        metadata: { orderId: request.orderId, itemDesc: request.description },
        checkout: {
          speedPolicy,
          expirationMinutes,
          redirectURL: request.returnUrl,
          redirectAutomatically: false,
        },
      })
      return readCheckout(answer)
    },

    verifyCallback(rawBody, headers): CallbackVerdict {
      return isWebhookAuthentic(rawBody, headers['btcpay-sig'], settings.webhookSecret)
        ? readWebhook(rawBody, settings.storeId)
        : { outcome: 'forged' }
    },

    async fetchPayment(paymentId, signal) {
      const answer = await call('GET', `/${encodeURIComponent(paymentId)}`, signal)
      if (answer.status === 404) return undefined
      const facts = answer.status < 300 ? await complete(answer.body, signal) : undefined
      if (facts?.paymentId !== paymentId) throw refusal(answer, `invoice ${paymentId}`)
      return facts
    },

    async findPayments({ orderId }, signal) {
      const answer = await call('GET', `?${new URLSearchParams({ orderId })}`, signal)
      if (answer.status >= 300 || !Array.isArray(answer.body)) throw refusal(answer, 'the list')
      const found = await Promise.all(answer.body.map((invoice) => complete(invoice, signal)))
      return found.filter((facts): facts is PaymentFacts => facts?.orderId === orderId)
    },

    checkPrices: () => Promise.resolve([]),
  }
}

function readCheckout(answer: ProviderAnswer): Checkout {
  const { id, checkoutLink } = readObject(answer.body)
  const link = typeof checkoutLink === 'string' ? URL.parse(checkoutLink) : null
  const isLink = link !== null && /^https?:$/.test(link.protocol)
  if (answer.status >= 300 || !isInvoiceId(id) || !isLink) throw refusal(answer, 'an invoice')
  return { invoiceId: id, paymentUrl: link.href, paymentId: id }
}

/** The webhook only says which invoice to read. Test deliveries name one that doesn't exist. */
function readWebhook(rawBody: Buffer, storeId: string): CallbackVerdict {
  const body = parseJson(rawBody.toString('utf8'))
  if (body === undefined) return { outcome: 'ignored', reason: 'it is not JSON' }
  const fields = readObject(body)
  const { invoiceId } = fields
  if (!isInvoiceId(invoiceId)) {
    return { outcome: 'ignored', reason: 'it names no invoice' }
  }
  if (invoiceId.includes('__test__')) return { outcome: 'ignored', reason: 'it is a test delivery' }
  if (fields['storeId'] !== storeId) return { outcome: 'ignored', reason: 'it is of another store' }
  return { outcome: 'payment', paymentId: invoiceId }
}

function refusal(answer: ProviderAnswer, subject: string): PaymentProviderError {
  return new PaymentProviderError(
    `BTCPay Server gave no usable answer for ${subject}: ${answer.status}`,
  )
}

/** `BTCPay-Sig: sha256=<hex>`: HMAC-SHA256 of the raw, indented body by the webhook's secret. */
export function isWebhookAuthentic(
  rawBody: Buffer,
  signatureHeader: string | string[] | undefined,
  secret: string,
): boolean {
  if (typeof signatureHeader !== 'string') return false
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signatureHeader.trim())
  if (match?.[1] === undefined) return false
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(match[1], 'hex'))
}
