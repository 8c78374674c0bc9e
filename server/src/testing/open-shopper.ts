import type { Order } from '@starside/contract/orders.ts'
import type { TestApp } from './open-test-app.ts'

/** How the sandbox gateway is to act; see its control routes. */
export interface ActOptions {
  duplicates?: number
  reorder?: boolean
  silent?: boolean
  forge?: string
  stepDelayMs?: number
  stopAt?: string
  share?: number
  status?: string
  coin?: string
  /** False: doesn't wait until the program has read what the callbacks were about. */
  awaitIdle?: boolean
}

export interface Purchase {
  orderId: string
  userId: string
  token: string
  invoiceId: string
  act(action: string, options?: ActOptions): Promise<void>
  /** Acts if that is possible now, and waits for this payment only. */
  tryAct(action: string, options?: ActOptions): Promise<void>
  status(): Promise<Order>
  cancel(): Promise<void>
  credits(): Promise<{ balance: number; bought: number }>
}

/** Buys things in the program under test and plays the buyer at the sandbox gateway. */
export interface Shopper {
  /** The secret that the gateway signs with. */
  ipnSecret: string
  /** Orders a package, as `buyer` or as somebody new. */
  order(packageType: string, buyer?: { token: string; userId: string }): Promise<Purchase>
  actOnInvoice(invoice: { invoiceId: string }, action: string, options?: ActOptions): Promise<void>
  actOnPayment(paymentId: string, action: string, options?: ActOptions): Promise<void>
  /** Acts if that is possible now, and waits for this payment only. */
  tryActOnPayment(paymentId: string, action: string, options?: ActOptions): Promise<void>
  /** Opens a further payment under an order's invoice. */
  openPayment(purchase: Purchase, coin: string): Promise<string>
  /** Opens a payment that no invoice of ours asked for. */
  openForeignPayment(payment: { orderId: string; price: number }): Promise<string>
  credits(token: string): Promise<{ balance: number; bought: number }>
  /** How the program answered the gateway's last callback. */
  lastAnswerStatus(): Promise<number | null>
}

export function openShopper(app: TestApp): Shopper {
  const gateway = openGatewayClient(app)
  const { act, tryAct } = gateway
  return {
    ipnSecret: app.context.keys.paymentSandboxIpn.toString('hex'),
    order: (packageType, buyer) => placeOrder(app, gateway, packageType, buyer),
    actOnInvoice: ({ invoiceId }, action, options) =>
      act(`/control/invoices/${invoiceId}`, action, options),
    actOnPayment: (paymentId, action, options) =>
      act(`/control/payments/${paymentId}`, action, options),
    tryActOnPayment: (paymentId, action, options) =>
      tryAct(`/control/payments/${paymentId}`, action, options),
    async openPayment(purchase, coin) {
      const body = { iid: purchase.invoiceId, pay_currency: coin }
      return String((await gateway.post('/v1/invoice-payment', body))['payment_id'])
    },
    async openForeignPayment({ orderId, price }) {
      const body = {
        price_amount: price,
        price_currency: 'usd',
        pay_currency: 'usdcmatic',
        order_id: orderId,
        ipn_callback_url: `${app.url}/api/payments/nowpayments/ipn`,
      }
      return String((await gateway.post('/v1/payment', body))['payment_id'])
    },
    credits: (token) => readCredits(app, token),
    async lastAnswerStatus() {
      const { lastStatus } = await gateway.get<{ lastStatus: number | null }>('/control/quiet')
      return lastStatus
    },
  }
}

async function placeOrder(
  app: TestApp,
  { act, tryAct }: GatewayClient,
  packageType: string,
  buyer: { token: string; userId: string } | undefined,
): Promise<Purchase> {
  const { token, userId } = buyer ?? (await app.register())
  const answer = await app.call('/api/orders', { token, json: { packageType } })
  if (answer.status !== 201) throw new Error(`order refused: ${JSON.stringify(answer.body)}`)
  const { orderId, nowpaymentsId } = answer.body.data as Order
  const invoiceId = nowpaymentsId ?? ''
  return {
    orderId,
    userId,
    token,
    invoiceId,
    act: (action, options) => act(`/control/invoices/${invoiceId}`, action, options),
    tryAct: (action, options) => tryAct(`/control/invoices/${invoiceId}`, action, options),
    status: async () => {
      const status = await app.call(`/api/orders/status?order_id=${orderId}`, { token })
      await app.context.payments.watcher.whenIdle()
      return status.body.data as Order
    },
    cancel: async () => {
      await app.call('/api/orders/cancel', { token, json: { orderId } })
    },
    credits: () => readCredits(app, token),
  }
}

async function readCredits(
  app: TestApp,
  token: string,
): Promise<{ balance: number; bought: number }> {
  const { body } = await app.call('/api/user?action=profile', { token })
  return { balance: body.user.creditsBalance, bought: body.user.totalCreditsEverBought }
}

/** The sandbox gateway's own interface and its control routes. */
interface GatewayClient {
  get<Answer>(path: string): Promise<Answer>
  post(path: string, body: object): Promise<Record<string, unknown>>
  act(path: string, action: string, options?: ActOptions): Promise<void>
  tryAct(path: string, action: string, options?: ActOptions): Promise<void>
}

function openGatewayClient(app: TestApp): GatewayClient {
  const apiKey = app.context.keys.paymentSandboxApi.toString('hex')

  const send = async (path: string, body?: object) => {
    const response = await fetch(`${app.url}/sandbox${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    return { isOk: response.ok, status: response.status, answer }
  }
  const get = async <Answer>(path: string) => (await send(path)).answer as Answer
  const post: GatewayClient['post'] = async (path, body) => {
    const { isOk, status, answer } = await send(path, body)
    if (!isOk) throw new Error(`gateway: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const untilQuiet = async (path: string): Promise<void> => {
    while (!(await get<{ quiet: boolean }>(path)).quiet) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  return {
    get,
    post,
    async act(path, action, { awaitIdle = true, ...more } = {}) {
      await post(path, { stepDelayMs: 0, ...more, action })
      await untilQuiet('/control/quiet')
      if (awaitIdle) await app.context.payments.watcher.whenIdle()
    },
    async tryAct(path, action, { awaitIdle: _awaitIdle, ...more } = {}) {
      const { isOk, answer } = await send(path, { stepDelayMs: 0, ...more, action })
      if (isOk) await untilQuiet(`/control/payments/${String(answer['payment_id'])}`)
    },
  }
}
