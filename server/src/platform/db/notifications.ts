import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from '../logging/logger.ts'
import type { Transaction } from './database.ts'

const channel = 'starside'
const reconnectDelayMs = 1_000
/** PostgreSQL takes less than 8,000 bytes. */
const topicLengthMax = 7_000

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
}) {
  const { pool, log } = options
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let isClosed = false
  let reconnectTimer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: 'starside-listen',
      keepAlive: true,
    })
    next.on('notification', ({ payload }) => {
      for (const listener of listeners.get(payload ?? '') ?? []) listener()
    })
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
    if (isClosed) return end()
    client = next
    next.on('end', scheduleReconnect)
  }

  function scheduleReconnect() {
    if (isClosed) return
    reconnectTimer = setTimeout(() => void connect().catch(scheduleReconnect), reconnectDelayMs)
  }

  await connect()
  return {
    /** Publishes outside of any transaction, where NOTIFY makes commits wait. Never throws. */
    async publish(topic: string): Promise<void> {
      if (topic.length > topicLengthMax) throw new Error('a topic is too long for NOTIFY')
      await pool.query('select pg_notify($1, $2)', [channel, topic]).catch((error: unknown) => {
        log.warn({ err: error }, 'a notification could not be published')
      })
    },
    /** Calls `listener` at each message of the topic; returns how to unsubscribe. */
    subscribe(topic: string, listener: () => void): () => void {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      return () => {
        ofTopic.delete(listener)
        if (ofTopic.size === 0 && listeners.get(topic) === ofTopic) listeners.delete(topic)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(reconnectTimer)
      await client?.end()
    },
  }
}
