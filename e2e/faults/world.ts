import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from '@starside/server/db/database.ts'
import type { DatabaseHandle } from '@starside/server/db/database.ts'
import { startEmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import type { EmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import { migrate } from '@starside/server/db/migrate.ts'
import { openS3Store } from '@starside/server/storage/s3-store.ts'
import type { S3Store } from '@starside/server/storage/s3-store.ts'
import { openTestS3 } from '@starside/server/testing/open-test-s3.ts'
import { runProgram } from '@starside/server/testing/run-program.ts'
import type { RunningProgram } from '@starside/server/testing/run-program.ts'
import { openTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker'

/** A whole installation whose every part can be hurt. */
export interface World {
  postgres: EmbeddedPostgres
  databaseLine: TcpProxy
  storeLine: TcpProxy
  /** Past the lines: what is true, whatever the programs see. */
  truth: DatabaseHandle
  store: S3Store
  nodes: Record<Role, RunningProgram>
  url(): string
  /** Starts a role anew; the old one must have ended. */
  startNode(role: Role, settings?: Record<string, string>): Promise<void>
  /** Starts PostgreSQL again after it ended. */
  revivePostgres(): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-faults-'))
  await chmod(folder, 0o755)
  const startPostgres = () =>
    startEmbeddedPostgres({ dataDir: folder, log: () => undefined, durable: true })
  const postgres = await startPostgres()
  const s3 = await openTestS3()
  const databaseLine = await openTcpProxy(postgres.port)
  const storeLine = await openTcpProxy(Number(new URL(s3.settings.endpoint).port))
  await migrate(postgres.url)

  const settings = (role: Role) => ({
    ...s3.variables,
    ROLE: role,
    DATABASE_URL: withPort(postgres.url, databaseLine.port),
    DATABASE_CONNECTIONS_MAX: '8',
    S3_ENDPOINT: `http://127.0.0.1:${storeLine.port}`,
    DATA_DIR: path.join(folder, role),
    SIGNING_SECRET: 'only for this run, and long enough',
    GENERATIONS_AT_ONCE: '2',
    REGISTRATIONS_PER_ADDRESS_PER_DAY: '1000000',
    LOG_LEVEL: 'warn',
  })
  const world: World = {
    postgres,
    databaseLine,
    storeLine,
    truth: openTruth(postgres.url),
    store: openS3Store(s3.settings),
    nodes: {
      api: await runProgram(settings('api')),
      worker: await runProgram(settings('worker')),
    },
    url: () => world.nodes.api.url,
    async startNode(role, more = {}) {
      world.nodes[role] = await runProgram({ ...settings(role), ...more })
    },
    async revivePostgres() {
      await world.postgres.stop()
      world.postgres = await startPostgres()
      databaseLine.setTarget(world.postgres.port)
      await world.truth.close()
      world.truth = openTruth(world.postgres.url)
    },
    async close() {
      await Promise.all(Object.values(world.nodes).map((node) => node.kill()))
      await world.truth.close()
      await databaseLine.close()
      await storeLine.close()
      await s3[Symbol.asyncDispose]()
      await world.postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return world
}

function openTruth(url: string): DatabaseHandle {
  return openDatabase({ url, connectionsMax: 2, onError: () => undefined })
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
