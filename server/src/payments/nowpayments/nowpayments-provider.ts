import { PaymentProviderError } from '../provider.ts'
import type { PaymentFacts, PaymentProvider } from '../provider.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { readText } from '../read-fields.ts'
import { requestProvider } from '../provider-request.ts'
import type { ProviderAnswer } from '../provider-request.ts'
import { checkMinimums } from './check-minimums.ts'
import { canonicalPaymentId } from './payment-id.ts'
import { readPayment } from './read-payment.ts'
import { verifyIpn } from './verify-ipn.ts'

export interface NowpaymentsSettings {
  /** Such as `https://api.nowpayments.io/v1`, without a slash at the end. */
  baseUrl: () => string
  apiKey: string
  ipnSecret: string
  /** Opens the list of payments, with which lost callbacks are found. */
  merchant: { email: string; password: string } | undefined
  /** The coin that the merchant is settled in, for the start-up check. */
  outcomeCoin: string | undefined
  /** Where notifications go; asked for at each invoice. */
  callbackUrl: () => string
  name: PaymentProvider['name']
  fetch: typeof fetch
  now: () => number
}

/**
 * NOWPayments' v1 API as a `PaymentProvider`. Invoices are paid on the hosted page; a payment's id
 * is known from its first notification, or from the list of payments where merchant credentials
 * are given.
 */
export function createNowpaymentsProvider(settings: NowpaymentsSettings): PaymentProvider {
  const api = openApi(settings)
  return {
    name: settings.name,

    async createCheckout(request, signal) {
      const answer = await api.call('POST', '/invoice', {
        signal,
        body: {
          price_amount: request.price.minorUnits / 100,
          price_currency: request.price.currency,
          order_id: request.orderId,
          order_description: request.description,
          ipn_callback_url: settings.callbackUrl(),
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
          partially_paid_url: request.successUrl,
        },
      })
      const invoiceId = canonicalPaymentId(readObject(answer.body)['id'])
      const invoiceUrl = readObject(answer.body)['invoice_url']
      if (answer.status >= 300 || invoiceId === undefined) throw refusal(answer, 'an invoice')
      return { invoiceId, paymentUrl: toPaymentUrl(invoiceUrl, answer), paymentId: null }
    },

    verifyCallback(rawBody, headers) {
      const verdict = verifyIpn(rawBody, headers['x-nowpayments-sig'], settings.ipnSecret)
      if (!verdict.isAuthentic) return { outcome: 'forged' }
      const facts = readPayment(verdict.fields)
      if (facts === undefined) return { outcome: 'ignored', reason: 'it names no payment' }
      return { outcome: 'payment', paymentId: facts.paymentId }
    },

    async fetchPayment(paymentId, signal) {
      const answer = await api.call('GET', `/payment/${paymentId}`, { signal })
      if (answer.status === 404) return undefined
      const facts = readPayment(answer.body)
      if (answer.status >= 300 || facts?.paymentId !== paymentId) {
        throw refusal(answer, `payment ${paymentId}`)
      }
      return facts
    },

    findPayments: ({ invoiceId }, signal) => api.listPayments(invoiceId, signal),

    checkPrices: (pricesCents, signal) =>
      checkMinimums(
        {
          outcomeCoin: settings.outcomeCoin,
          get: async (path) => (await api.call('GET', path, { signal })).body,
        },
        pricesCents,
      ),
  }
}

/** A token is valid for about five minutes; it is renewed a minute earlier. */
const tokenLifetimeMs = 4 * 60_000

interface Api {
  call(
    method: 'GET' | 'POST',
    path: string,
    options: { body?: object; signal: AbortSignal; bearer?: string },
  ): Promise<ProviderAnswer>
  /** Signs the merchant in first; empty without a merchant. */
  listPayments(invoiceId: string, signal: AbortSignal): Promise<PaymentFacts[]>
}

function openApi({ baseUrl, apiKey, fetch, merchant, now }: NowpaymentsSettings): Api {
  let token: { text: string; endsAtMs: number } | undefined

  const call: Api['call'] = (method, path, { body, signal, bearer }) =>
    requestProvider({ fetch, provider: 'NOWPayments' }, baseUrl() + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      signal,
      ...(body === undefined ? {} : { body }),
    })

  async function signIn(credentials: object, signal: AbortSignal): Promise<string> {
    if (token !== undefined && token.endsAtMs > now()) return token.text
    const answer = await call('POST', '/auth', { body: credentials, signal })
    const text = readObject(answer.body)['token']
    if (answer.status >= 300 || typeof text !== 'string') throw refusal(answer, 'the sign-in')
    token = { text, endsAtMs: now() + tokenLifetimeMs }
    return text
  }

  return {
    call,
    async listPayments(invoiceId, signal) {
      if (merchant === undefined) return []
      const bearer = await signIn(merchant, signal)
      const query = new URLSearchParams({ limit: '100', page: '0', invoiceId })
      const answer = await call('GET', `/payment/?${query}`, { signal, bearer })
      if (answer.status === 401) token = undefined
      const data = readObject(answer.body)['data']
      if (answer.status >= 300 || !Array.isArray(data)) throw refusal(answer, 'the list')
      return data
        .map(readPayment)
        .filter((facts): facts is PaymentFacts => facts?.invoiceId === invoiceId)
    },
  }
}

/** The provider's own address, plus `source=button` as the specification's link has it. */
function toPaymentUrl(invoiceUrl: unknown, answer: ProviderAnswer): string {
  const url = typeof invoiceUrl === 'string' ? URL.parse(invoiceUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusal(answer, 'an invoice')
  url.searchParams.set('source', 'button')
  return url.href
}

function refusal(answer: ProviderAnswer, subject: string): PaymentProviderError {
  const code = readObject(answer.body)['code']
  const word = readText(code)?.slice(0, 60) ?? 'no code'
  return new PaymentProviderError(
    `NOWPayments gave no usable answer for ${subject}: ${answer.status}, ${word}`,
    { isRetryable: answer.status === 401, status: answer.status },
  )
}
