import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from '../logging/logger.ts'
import type { Transaction } from './database.ts'

const channel = 'starside'
const reconnectDelayMs = 1_000

export type Notifications = Awaited<ReturnType<typeof createNotifications>>

/** Publishes a topic when the transaction commits, for what is rare and belongs to it. */
export async function publishAtCommit(transaction: Transaction, topic: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(transaction)
}

/** NOTIFY and LISTEN over all nodes. As a lost connection loses messages, subscribers also poll. */
export async function createNotifications(options: {
  databaseUrl: string
  pool: pg.Pool
  log: Logger
  /** How the time until it connects anew passes. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}) {
  const { pool, log, wait = (ms, signal) => delay(ms, undefined, { signal }) } = options
  const topics = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  let client: pg.Client | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: 'starside-listen',
      keepAlive: true,
    })
    next.on('notification', ({ payload }) => void topics.emit(payload ?? ''))
    const end = () => void next.end().catch(() => undefined)
    next.on('error', (error) => {
      log.warn({ err: error }, 'the connection of LISTEN was lost')
      end()
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      end()
      throw error
    }
    // Closed in the meantime.
    if (closing.signal.aborted) return end()
    client = next
    next.on('end', () => void reconnect())
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        await wait(reconnectDelayMs, closing.signal)
        return await connect()
      } catch {
        // Closed, or no connection yet.
      }
  }

  await connect()
  return {
    /** Publishes outside of any transaction, where NOTIFY makes commits wait. Never throws. */
    async publish(topic: string): Promise<void> {
      await pool.query('select pg_notify($1, $2)', [channel, topic]).catch((error: unknown) => {
        log.warn({ err: error }, 'a notification could not be published')
      })
    },
    /** Calls `listener` at each message of the topic; returns how to unsubscribe. */
    subscribe(topic: string, listener: () => void): () => void {
      topics.on(topic, listener)
      return () => void topics.off(topic, listener)
    },
    async close(): Promise<void> {
      closing.abort()
      await client?.end()
    },
  }
}
