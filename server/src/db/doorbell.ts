import pg from 'pg'
import type { Logger } from '../http/logger.ts'

const channel = 'starside'
const reconnectDelayMs = 1_000
const payloadBytesMax = 7_000

/**
 * Tells every node that something changed, by NOTIFY outside of any transaction (inside one it
 * costs nine tenths of the throughput). A ring may get lost while a connection is down, so who
 * listens also looks from time to time.
 */
export interface Doorbell {
  /** Rings for a topic such as `generation:<id>`. Never throws. */
  ring(topic: string): Promise<void>
  /** Calls `listener` on each ring of the topic; returns how to stop. */
  listen(topic: string, listener: () => void): () => void
  close(): Promise<void>
}

export async function createDoorbell(options: {
  databaseUrl: string
  pool: pg.Pool
  log: Logger
}): Promise<Doorbell> {
  const { pool, log } = options
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let isClosed = false
  let reconnectTimer: NodeJS.Timeout | undefined

  const tell = (topic: string) => {
    for (const listener of listeners.get(topic) ?? []) listener()
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: options.databaseUrl, keepAlive: true })
    next.on('notification', ({ payload }) => tell(payload ?? ''))
    next.on('error', (error) => {
      log.warn({ err: error }, 'the doorbell lost its connection')
      void next.end().catch(() => undefined)
    })
    next.on('end', () => {
      if (!isClosed && client === next) scheduleReconnect()
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
  }

  function scheduleReconnect() {
    reconnectTimer = setTimeout(() => {
      connect().catch(() => {
        if (!isClosed) scheduleReconnect()
      })
    }, reconnectDelayMs)
  }

  await connect()
  return {
    async ring(topic) {
      if (topic.length > payloadBytesMax) throw new Error('a doorbell topic is too long')
      await pool.query('select pg_notify($1, $2)', [channel, topic]).catch((error: unknown) => {
        log.warn({ err: error }, 'the doorbell could not ring')
      })
    },
    listen(topic, listener) {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      return () => {
        ofTopic.delete(listener)
        if (ofTopic.size === 0 && listeners.get(topic) === ofTopic) listeners.delete(topic)
      }
    },
    async close() {
      isClosed = true
      clearTimeout(reconnectTimer)
      await client?.end()
    },
  }
}
