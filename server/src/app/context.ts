import { randomBytes } from 'node:crypto'
import { createAccountMemory, type AccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type pg from 'pg'
import type { GuessLimits } from '../accounts/auth/guess-limits.ts'
import type { ProofsOfWork } from '../accounts/auth/proof-of-work.ts'
import { createSessionReader } from '../accounts/auth/session.ts'
import type { FindSession } from '../accounts/auth/session.ts'
import type { AnonymousLimits } from '../accounts/auth/anonymous-limits.ts'
import type { PlaceHoldInBatch } from '../ledger/credits/hold.ts'
import { createHoldBatcher } from '../ledger/credits/hold.ts'
import type { Moderation } from '../moderation/moderation.ts'
import { createModeration } from '../moderation/moderation.ts'
import type { Payments } from '../payments/payments.ts'
import { openPayments } from '../payments/payments.ts'
import type { FairQueue } from '../platform/http/fair-queue.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Notifications } from '../platform/db/notifications.ts'
import type { Site } from '../platform/site/site.ts'
import { openSite } from '../platform/site/site.ts'
import type { FaceComparison } from '../selfies/likeness/face-comparison.ts'
import { openImageModels } from '../selfies/providers/image-models.ts'
import type { ImageModels } from '../selfies/providers/image-models.ts'
import type { FindOwnGeneration } from '../selfies/queries.ts'
import { createGenerationReader } from '../selfies/queries.ts'
import type { LegalTexts } from '../shop/legal/legal-texts.ts'
import { openLegalTexts } from '../shop/legal/legal-texts.ts'
import { openPresets } from '../stars/open-presets.ts'
import type { OfferedPresets } from '../stars/open-presets.ts'
import { openWaitingTimes } from '../selfies/providers/waiting-times.ts'
import { operatorDetails } from '../shop/legal/operator-details.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import { loadForbiddenWords } from '../moderation/forbidden-words.ts'
import { loadClassifier } from '../moderation/load-classifier.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import { photoRecipients } from '../selfies/providers/photo-recipients.ts'
import { openBase, openMailer, openLimits, openLikeness, openEngine } from './start/open-parts.ts'
import { openStore } from '../platform/storage/open-store.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'

/** Everything long-lived, built once. */
export interface Context {
  config: Config
  log: Logger
  database: Database
  pool: pg.Pool
  /** Tells other parts and other nodes that something changed. */
  notifications: Notifications
  /** What operators have set: the name, the prices and so on. */
  site: Site
  jobs: JobQueue
  store: ObjectStore
  engine: Engine
  uploads: AccountMemory<{ bytes: Buffer }>
  mailer: Mailer
  /** The providers of pictures that are set up. */
  images: ImageModels
  /** Compares hosted pictures with photos; undefined: they aren't compared. */
  faceComparison: FaceComparison | undefined
  /** The stars to choose from. */
  presets: OfferedPresets
  payments: Payments
  /** Terms, privacy and imprint as they are published. */
  legalTexts: LegalTexts
  /** Who a token belongs to; many at once go in one statement. */
  findSession: FindSession
  /** A person's own generation; many at once go in one statement. */
  findOwnGeneration: FindOwnGeneration
  /** Places a hold; many at once go in one statement. */
  placeHold: PlaceHoldInBatch
  /** In which pictures are looked up and read, network after network, by part of the connections. */
  pictureReads: FairQueue
  /** Judges what goes into a picture and what comes out. */
  moderation: Moderation
  /** What this node counts of itself. */
  metrics: Metrics
  /** How often each call may be made, across all nodes. */
  limits: RateLimits<LimitedCall>
  /** Limits on guessing passwords. */
  guessLimits: GuessLimits
  /** Limits on what nobody signs in for. */
  anonymousLimits: AnonymousLimits
  /** What opens some of these limits to a browser that works for it. */
  proofs: ProofsOfWork
  clock: Clock
  fetch: typeof fetch
  randomBytes: RandomBytes
  /** A key for each purpose of our own. */
  keys: Keys
  /** Aborts when the program was asked to stop: it then takes no new work. */
  stopping: AbortSignal
  close(): Promise<void>
}

/** What is kept of inspected photos in memory, no longer than the privacy page says. */
const uploadsKept = {
  keptMs: 5 * 60_000,
  bytesMax: 256 * 1024 * 1024,
  bytesPerOwnerMax: 16 * 1024 * 1024,
}

/** The parts that a caller may bring; whatever is built on them is built on these. */
export type ContextOverrides = Partial<Pick<Context, 'engine' | 'clock' | 'mailer' | 'stopping'>>

/** Builds all parts on a database that is already migrated. */
export async function createContext(
  config: Config,
  options: { databaseUrl: string; log: Logger; overrides?: ContextOverrides },
): Promise<Context> {
  const { databaseUrl, log, overrides = {} } = options
  const base = await openBase(config, { databaseUrl, log })
  const { handle, notifications, jobs, keys, metrics } = base
  const { database, pool } = handle
  const shared = { database, notifications, log }
  const site = await openSite({ ...shared, fallbacks: config.siteFallbacks })
  const clock = overrides.clock ?? (() => new Date())
  const brought = overrides.engine
  const engine = await openEngine(config, { keys, metrics, log, brought, fetch: base.fetch })
  const store = await openStore(config, log)
  const payments = await openPayments({
    config,
    log,
    database,
    jobs,
    clock,
    fetch: base.fetch,
    keys,
  })
  const isFilterMissing = () =>
    config.safety.classifier.module === undefined && site.values()['images.filterWaiver'] === ''
  const images = openImageModels({
    isFilterMissing,
    settings: config.images,
    fetch: base.fetch,
    now: () => clock().getTime(),
    waitingTimes: await openWaitingTimes({ ...shared, clock }),
  })
  const faceComparison =
    config.role === 'api' ? undefined : await openLikeness(config, { database, clock, log })
  const moderation = await openModeration(config, { database, clock, log })
  const { dataFolder } = config
  const presets = await openPresets({ ...shared, engine, dataFolder, store, clock })
  const legalTexts = await openLegalTexts({
    ...shared,
    facts: () => ({
      details: operatorDetails(site.values()),
      photoRecipients: photoRecipients(config.images, moderation),
    }),
  })
  return {
    config,
    log,
    database,
    pool,
    notifications,
    site,
    jobs,
    store,
    engine,
    uploads: createAccountMemory(uploadsKept),
    mailer: overrides.mailer ?? openMailer(config, { site, log }),
    presets,
    images,
    faceComparison,
    payments,
    legalTexts,
    findSession: createSessionReader(pool, clock),
    findOwnGeneration: createGenerationReader(pool),
    placeHold: createHoldBatcher(handle),
    pictureReads: openPictureReads(config),
    ...openLimits(pool, { config, keys, clock, randomBytes }),
    moderation,
    clock,
    fetch: base.fetch,
    randomBytes,
    keys,
    metrics,
    stopping: overrides.stopping ?? new AbortController().signal,
    async close() {
      legalTexts.close()
      presets.close()
      await images.close()
      faceComparison?.close()
      await payments.close()
      await jobs.stop(config.stopTimeoutMs)
      await engine.close()
      site.close()
      await notifications.close()
      await handle.close()
    },
  }
}

type Parts = Pick<Context, 'database' | 'clock' | 'log'>

/** Whoever asks for pictures leaves half of the connections to others, one network three quarters. */
function openPictureReads({ databaseConnectionsMax }: Config): FairQueue {
  return createFairQueue({
    atOnceMax: Math.ceil(databaseConnectionsMax / 2),
    atOncePerCallerMax: Math.ceil(databaseConnectionsMax / 4),
    waitingMax: 5_000,
    waitingPerCallerMax: 1_000,
  })
}

async function openModeration({ safety }: Config, parts: Parts): Promise<Moderation> {
  return createModeration({
    ...parts,
    findForbiddenWord: await loadForbiddenWords(safety.forbiddenWordsFile),
    classifier: await loadClassifier(safety.classifier),
  })
}
