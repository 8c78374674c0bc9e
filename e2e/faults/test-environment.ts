import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startNowpaymentsGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import { openDatabase } from '@starside/server/platform/db/database.ts'
import type { DatabaseHandle } from '@starside/server/platform/db/database.ts'
import { startEmbeddedPostgres } from '@starside/server/platform/db/embedded-postgres.ts'
import type { EmbeddedPostgres } from '@starside/server/platform/db/embedded-postgres.ts'
import { migrate } from '@starside/server/platform/db/migrate.ts'
import { openFolderStore } from '@starside/server/platform/storage/folder-store.ts'
import type { ObjectStore } from '@starside/server/platform/storage/object-store.ts'
import { openS3Store } from '@starside/server/platform/storage/s3-store.ts'
import { openTestS3 } from '@starside/server/testing/open-test-s3.ts'
import { runProgram } from '@starside/server/testing/run-program.ts'
import type { RunningProgram } from '@starside/server/testing/run-program.ts'
import { openCallbackRelay } from './callback-relay.ts'
import { mountSmallDisk } from './small-disk.ts'
import type { SmallDisk } from './small-disk.ts'
import { openTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker'

/** A whole installation whose every part can be hurt. */
export interface TestEnvironment {
  postgres: EmbeddedPostgres
  databaseLine: TcpProxy
  /** Undefined where pictures lie in a folder. */
  storeLine: TcpProxy | undefined
  /** Where PostgreSQL and the pictures lie; undefined where nobody may mount. */
  disks: { database: SmallDisk; objects: SmallDisk } | undefined
  /** Past the lines: what is true, whatever the programs see. */
  truth: DatabaseHandle
  store: ObjectStore
  nodes: Record<Role, RunningProgram>
  /** The payment provider, which no fault of ours touches. */
  gatewayUrl: string
  url(): string
  /** Starts a role anew; the old one must have ended. */
  startNode(role: Role, settings?: Record<string, string>): Promise<void>
  /** Starts PostgreSQL again after it ended. */
  revivePostgres(): Promise<void>
  close(): Promise<void>
}

const gatewayKeys = { apiKey: 'key of this run', ipnSecret: 'secret of this run' }

/** @param options.storeKind pictures in an S3 store, or in a folder that both nodes share */
export async function openTestEnvironment(options: {
  storeKind: 's3' | 'folder'
}): Promise<TestEnvironment> {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-faults-'))
  await chmod(folder, 0o755)
  const databaseFolder = path.join(folder, 'database')
  const objectsFolder = path.join(folder, 'objects')
  const disks = await mountDisks(databaseFolder, objectsFolder)

  const startPostgres = () =>
    startEmbeddedPostgres({ dataDir: databaseFolder, log: () => undefined, durable: true })
  const postgres = await startPostgres()
  const databaseLine = await openTcpProxy(postgres.port)
  const objects = await openObjects(options.storeKind, objectsFolder)
  await migrate(postgres.url)
  const gateway = await startNowpaymentsGateway({
    ...gatewayKeys,
    // As often as a restart may swallow them; what is lost all the same, the search finds.
    retryDelaysMs: Array.from({ length: 40 }, () => 500),
  })
  const relay = await openCallbackRelay(() => environment.url())

  const settings = (role: Role) => ({
    ...objects.variables,
    ROLE: role,
    DATABASE_URL: withPort(postgres.url, databaseLine.port),
    DATABASE_CONNECTIONS_MAX: '8',
    SIGNING_SECRET: 'only for this run, and long enough',
    GENERATIONS_AT_ONCE: '2',
    REGISTRATIONS_PER_ADDRESS_PER_DAY: '1000000',
    ORDERS_PER_HOUR: '1000000',
    PAYMENT_PROVIDER: 'nowpayments',
    PAYMENT_CALLBACK_URL: relay.url,
    NOWPAYMENTS_BASE_URL: `${gateway.url}/v1`,
    NOWPAYMENTS_API_KEY: gatewayKeys.apiKey,
    NOWPAYMENTS_IPN_SECRET: gatewayKeys.ipnSecret,
    NOWPAYMENTS_EMAIL: 'merchant@example.org',
    NOWPAYMENTS_PASSWORD: 'word',
    LOG_LEVEL: 'warn',
  })
  const start = (role: Role, more = {}) => runProgram({ ...settings(role), ...more })
  const environment: TestEnvironment = {
    postgres,
    databaseLine,
    storeLine: objects.line,
    disks,
    truth: openTruth(postgres.url),
    store: objects.store,
    nodes: { api: await start('api'), worker: await start('worker') },
    gatewayUrl: gateway.url,
    url: () => environment.nodes.api.url,
    async startNode(role, more) {
      environment.nodes[role] = await start(role, more)
    },
    async revivePostgres() {
      await environment.postgres.stop()
      environment.postgres = await startPostgres()
      databaseLine.setTarget(environment.postgres.port)
      await environment.truth.close()
      environment.truth = openTruth(environment.postgres.url)
    },
    async close() {
      await Promise.all(Object.values(environment.nodes).map((node) => node.kill()))
      await gateway.close()
      await relay.close()
      await environment.truth.close()
      await databaseLine.close()
      await objects.close()
      await environment.postgres.stop()
      await Promise.all(Object.values(disks ?? {}).map((disk) => disk.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
  return environment
}

async function mountDisks(
  databaseFolder: string,
  objectsFolder: string,
): Promise<TestEnvironment['disks']> {
  const database = await mountSmallDisk(databaseFolder)
  const objects = await mountSmallDisk(objectsFolder)
  return database === undefined || objects === undefined ? undefined : { database, objects }
}

/** Where pictures lie, and what the programs have to be told of it. */
async function openObjects(kind: 's3' | 'folder', folder: string) {
  if (kind === 'folder') {
    return {
      variables: { DATA_DIR: folder },
      store: openFolderStore(path.join(folder, 'objects')),
      line: undefined,
      close: async () => undefined,
    }
  }
  const s3 = await openTestS3(folder)
  const line = await openTcpProxy(Number(new URL(s3.settings.endpoint).port))
  return {
    variables: {
      ...s3.variables,
      S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
      DATA_DIR: path.join(folder, 'data'),
    },
    store: openS3Store(s3.settings),
    line,
    async close() {
      await line.close()
      await s3[Symbol.asyncDispose]()
    },
  }
}

function openTruth(url: string): DatabaseHandle {
  return openDatabase({ url, connectionsMax: 2, onError: () => undefined })
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
