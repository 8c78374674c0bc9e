import type { ProviderAnswer } from '../provider-request.ts'
import { PaymentProviderError } from '../provider.ts'
import type { PaymentFacts, PaymentProvider } from '../provider.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { readText } from '../read-fields.ts'
import { requestProvider } from '../provider-request.ts'
import { canonicalPaymentId, readPayment } from './read-payment.ts'
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

/** NOWPayments' v1 API; payment ids come by notification, or by list with merchant credentials. */
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
          success_url: request.returnUrl,
          cancel_url: request.returnUrl,
          partially_paid_url: request.returnUrl,
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

function openApi({ baseUrl, apiKey, fetch, merchant, now }: NowpaymentsSettings) {
  let token: { text: string; endsAtMs: number } | undefined

  const call = (
    method: 'GET' | 'POST',
    path: string,
    { bearer, ...options }: { body?: object; signal: AbortSignal; bearer?: string },
  ) =>
    requestProvider({ fetch, provider: 'NOWPayments' }, baseUrl() + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      ...options,
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
    /** Signs the merchant in first; empty without a merchant. */
    async listPayments(invoiceId: string, signal: AbortSignal) {
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
  )
}

/** The coins that most buyers use; asking about all of them would take hundreds of calls. */
const usualCoins = ['btc', 'eth', 'usdttrc20', 'usdterc20', 'usdtbsc', 'ltc', 'trx', 'xrp']

/** A sentence for each price below a usual coin's smallest payment, which the pay page refuses. */
export async function checkMinimums(
  provider: { outcomeCoin: string | undefined; get: (path: string) => Promise<unknown> },
  pricesCents: readonly number[],
): Promise<string[]> {
  const offered = await readOfferedCoins(provider.get)
  const minimums = await Promise.all(
    usualCoins
      .filter((coin) => offered === undefined || offered.has(coin))
      .map(async (coin) => ({ coin, usd: await readMinimumUsd(provider, coin) })),
  )
  return pricesCents.flatMap((priceCents) => {
    const tooSmall = minimums.filter(({ usd }) => usd !== undefined && priceCents / 100 < usd)
    if (tooSmall.length === 0) return []
    const coins = tooSmall.map(({ coin, usd }) => `${coin} (from $${usd?.toFixed(2)})`).join(', ')
    return [
      `The package of $${(priceCents / 100).toFixed(2)} can't be paid in ${coins}: the price lies ` +
        `under the provider's minimum${provider.outcomeCoin === undefined ? '' : ` when settled in ${provider.outcomeCoin}`}.`,
    ]
  })
}

async function readOfferedCoins(
  get: (path: string) => Promise<unknown>,
): Promise<Set<string> | undefined> {
  const body = await get('/merchant/coins')
  const coins = readObject(body)['selectedCurrencies']
  if (!Array.isArray(coins)) return undefined
  return new Set(coins.map((coin) => String(coin).toLowerCase()))
}

async function readMinimumUsd(
  provider: { outcomeCoin: string | undefined; get: (path: string) => Promise<unknown> },
  coin: string,
): Promise<number | undefined> {
  const query = new URLSearchParams({
    currency_from: coin,
    ...(provider.outcomeCoin === undefined ? {} : { currency_to: provider.outcomeCoin }),
    fiat_equivalent: 'usd',
  })
  const usd = Number(readObject(await provider.get(`/min-amount?${query}`))['fiat_equivalent'])
  return Number.isFinite(usd) && usd > 0 ? usd : undefined
}
