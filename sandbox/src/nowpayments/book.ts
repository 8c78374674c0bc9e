import { openJournal } from './journal.ts'

/** The provider's words for where a payment is. */
export const paymentStatuses = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'finished',
  'partially_paid',
  'failed',
  'refunded',
  'expired',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** What a merchant asked for; the buyer chooses the coin on the hosted page. */
export interface Invoice {
  id: string
  tokenId: string
  orderId: string | null
  orderDescription: string | null
  priceAmount: number
  priceCurrency: string
  payCurrency: string | null
  ipnCallbackUrl: string | null
  successUrl: string | null
  cancelUrl: string | null
  partiallyPaidUrl: string | null
  payoutCurrency: string | null
  isFixedRate: boolean
  isFeePaidByUser: boolean
  createdAtMs: number
}

/** One expected or received deposit. */
export interface Payment {
  id: number
  invoiceId: string | null
  parentPaymentId: number | null
  purchaseId: number
  status: PaymentStatus
  priceAmount: number
  priceCurrency: string
  payAmount: number
  payCurrency: string
  actuallyPaid: number
  payAddress: string
  payinExtraId: string | null
  payinHash: string | null
  payoutHash: string | null
  orderId: string | null
  orderDescription: string | null
  ipnCallbackUrl: string | null
  outcomeCurrency: string
  isFixedRate: boolean
  isFeePaidByUser: boolean
  createdAtMs: number
  updatedAtMs: number
}

/** A status that a payment will take, and how its callback is to be sent. */
export interface Step {
  id: string
  paymentId: number
  status: PaymentStatus
  /** Coins that arrive with this step. */
  deposit: number
  dueAtMs: number
  callback: CallbackOptions
}

/** How callbacks are sent: everything but the defaults exists to test a receiver's time-outs. */
export interface CallbackOptions {
  /** Extra identical copies of every callback. */
  duplicates: number
  /** Sends the callbacks of one action in a random order. */
  reorder: boolean
  /** Milliseconds that every callback waits. */
  delayMs: number
  /** Sends nothing: the callback is lost. */
  silent: boolean
  /** What is wrong with the callback on purpose. */
  forge: Forgery | null
}

export const forgeries = [
  'signature',
  'no-signature',
  'body',
  'price',
  'currency',
  'order',
  'truncated',
  'nested',
] as const
export type Forgery = (typeof forgeries)[number]

/** A callback on its way. */
export interface Delivery {
  id: string
  paymentId: number
  url: string
  body: string
  signature: string | null
  dueAtMs: number
  attempt: number
  /** False for a forged callback: whoever forges doesn't wait for the answer. */
  repeats: boolean
}

/** Everything the gateway knows. What has been done stays; steps and deliveries leave when done. */
export interface Book {
  invoices: Map<string, Invoice>
  payments: Map<number, Payment>
  steps: Map<string, Step>
  deliveries: Map<string, Delivery>
  putInvoice(invoice: Invoice): void
  putPayment(payment: Payment): void
  putStep(step: Step): void
  removeStep(id: string): void
  putDelivery(delivery: Delivery): void
  removeDelivery(id: string): void
  close(): void
}

type Entry =
  | { put: 'invoice'; value: Invoice }
  | { put: 'payment'; value: Payment }
  | { put: 'step'; value: Step }
  | { put: 'delivery'; value: Delivery }
  | { remove: 'step' | 'delivery'; id: string }

/**
 * Opens the gateway's book. With `dataFile` every change is in the file before the caller goes on,
 * so that a killed gateway continues where it stopped; without, the book lives in memory.
 */
export function openBook(dataFile: string | undefined): Book {
  const invoices = new Map<string, Invoice>()
  const payments = new Map<number, Payment>()
  const steps = new Map<string, Step>()
  const deliveries = new Map<string, Delivery>()

  function apply(entry: Entry): void {
    if ('remove' in entry) {
      if (entry.remove === 'step') steps.delete(entry.id)
      else deliveries.delete(entry.id)
    } else if (entry.put === 'invoice') invoices.set(entry.value.id, entry.value)
    else if (entry.put === 'payment') payments.set(entry.value.id, entry.value)
    else if (entry.put === 'step') steps.set(entry.value.id, entry.value)
    else deliveries.set(entry.value.id, entry.value)
  }

  const journal = openJournal<Entry>(dataFile, apply, () => [
    ...[...invoices.values()].map((value): Entry => ({ put: 'invoice', value })),
    ...[...payments.values()].map((value): Entry => ({ put: 'payment', value })),
    ...[...steps.values()].map((value): Entry => ({ put: 'step', value })),
    ...[...deliveries.values()].map((value): Entry => ({ put: 'delivery', value })),
  ])

  function record(entry: Entry): void {
    journal.append(entry)
    apply(entry)
  }

  return {
    invoices,
    payments,
    steps,
    deliveries,
    putInvoice: (value) => record({ put: 'invoice', value }),
    putPayment: (value) => record({ put: 'payment', value }),
    putStep: (value) => record({ put: 'step', value }),
    removeStep: (id) => record({ remove: 'step', id }),
    putDelivery: (value) => record({ put: 'delivery', value }),
    removeDelivery: (id) => record({ remove: 'delivery', id }),
    close: () => journal.close(),
  }
}
