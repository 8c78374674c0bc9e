import { randomBytes } from 'node:crypto'

/** An invoice as the Greenfield API (v1) answers it, plus the deposits behind it. */
export interface Invoice {
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

/** What a tester can let happen to an invoice. */
export type BtcpayAction =
  | { kind: 'deposit'; share: number }
  | { kind: 'confirm' }
  | { kind: 'expire' }
  | { kind: 'invalidate' }
  | { kind: 'mark-settled' }

/** Dollars for one bitcoin: a made-up, constant rate. */
export const dollarsPerCoin = 100_000

export function presentMethod(invoice: Invoice) {
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

export function paid(invoice: Invoice): number {
  return invoice.deposits.reduce((sum, deposit) => sum + deposit.value, 0)
}

function coins(amount: number): string {
  return amount.toFixed(8)
}

/** Moves the invoice on as the real server does; answers the webhooks that this causes. */
export function change(invoice: Invoice, action: BtcpayAction): { type: string; late: boolean }[] {
  const late = invoice.status === 'Expired'
  switch (action.kind) {
    case 'deposit': {
      invoice.deposits.push({ value: price(invoice) * action.share, status: 'Processing' })
      const isWhole = paid(invoice) >= price(invoice) - 1e-9
      // After the time-out the status stays Expired; only the additional one shows that money came.
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

export function webhookBody(
  invoice: Invoice,
  event: { type: string; late: boolean },
  nowMs: number,
) {
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
