import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { Gauge } from 'prom-client'
import type { Database } from '../../platform/db/database.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readDatabaseFigures } from './read-database-figures.ts'

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>

/**
 * `GET /metrics` in Prometheus' text format on an address of its own, which is not for the public.
 * A database that is down leaves its figures as they were; the node's own are always fresh.
 */
export async function serveMetrics(options: {
  metrics: Metrics
  pool: pg.Pool
  database: Database
  log: Logger
  port: number
  host: string
}) {
  const { metrics, pool, database, log } = options
  const { registry } = metrics
  const connections = new Gauge({
    name: 'starside_database_pool_connections',
    help: 'Connections of this node by state; waiting counts the callers in line.',
    labelNames: ['state'],
    registers: [registry],
  })
  const refreshFigures = readDatabaseFigures(registry, database)

  async function read(): Promise<string> {
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    connections.set({ state: 'waiting' }, pool.waitingCount)
    await refreshFigures().catch((error: unknown) => {
      log.warn({ err: error }, 'the figures of the database could not be read')
    })
    return registry.metrics()
  }

  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be written')
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve)
  })
  // A TCP server answers with an address and a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${options.host}:${port}/metrics`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
