import type { PaymentSettings } from './payment-settings.ts'
import type { Database } from '../platform/db/database.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { openProviders } from './open-providers.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import { createPaymentWatcher } from './watch-payments.ts'

/**
 * Queue of the mails that inform buyers of their credits. They are tried for some nine hours, as a
 * mail server may be away that long.
 */
export const receiptQueue = {
  name: 'order-receipt',
  retryLimit: 14,
  backsOff: true,
  expireInSeconds: 60,
}

/** Everything long-lived about payments, built once. */
export type Payments = Awaited<ReturnType<typeof openPayments>>

/** Opens the providers of the settings, with the watcher that reads and settles their payments. */
export async function openPayments(parts: {
  config: {
    readonly payments: PaymentSettings
    readonly publicUrl: string
    readonly port: number
    readonly role: 'api' | 'worker' | 'all'
  }
  database: Database
  jobs: Pick<JobQueue, 'enqueue'>
  log: Logger
  clock: () => Date
  fetch: typeof fetch
  keys: Keys
}) {
  const { config, database, log, clock } = parts
  // A worker serves no API: the sandbox gateway is where the public address leads.
  let localUrl = config.role === 'worker' ? config.publicUrl : `http://127.0.0.1:${config.port}`
  const providers = await openProviders({
    settings: config.payments,
    publicUrl: config.publicUrl,
    localUrl: () => localUrl,
    keys: parts.keys,
    fetch: parts.fetch,
    now: () => clock().getTime(),
  })
  const enqueueReceipt: EnqueueReceipt = (transaction, orderId) =>
    parts.jobs.enqueue(transaction, receiptQueue.name, { orderId })
  const watcher = createPaymentWatcher({
    database,
    log,
    clock,
    findProvider: providers.find,
    enqueueReceipt,
  })
  return {
    ...providers,
    watcher,
    enqueueReceipt,
    /** Tells where this program listens, so that it and the sandbox gateway can call each other. */
    listensAt: (url: string) => {
      localUrl = url
    },
    close: async () => {
      await watcher.close()
      await providers.close()
    },
  }
}
