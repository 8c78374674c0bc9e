import { createAccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import { createSessionReader } from '../accounts/auth/session.ts'
import { createHoldBatcher } from '../ledger/credits/hold.ts'
import { createGuestRules } from '../events/guest-rules.ts'
import { createModeration } from '../moderation/moderation.ts'
import { openPayments } from '../payments/payments.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'
import type { FairQueue } from '../platform/http/fair-queue.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import { openSite } from '../platform/site/site.ts'
import { openImageModels, photoRecipients } from '../selfies/providers/image-models.ts'
import { createGenerationReader } from '../selfies/queries.ts'
import { openLegalTexts } from '../shop/legal/legal-texts.ts'
import { openPresets } from '../stars/open-presets.ts'
import { openWaitingTimes } from '../selfies/providers/waiting-times.ts'
import { operatorDetails } from '../shop/legal/fill-blanks.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { loadForbiddenWords } from '../moderation/forbidden-words.ts'
import { loadClassifier } from '../moderation/load-classifier.ts'
import { endMails } from '../platform/mail/mailer.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { openBase, openMailer, openLimits, openLikeness, openEngine } from './start/open-parts.ts'
import { openStore } from '../platform/storage/open-store.ts'

/** What is kept of inspected photos in memory, no longer than the privacy page says. */
const uploadsKept = {
  keptMs: 5 * 60_000,
  bytesMax: 256 * 1024 * 1024,
  bytesPerOwnerMax: 16 * 1024 * 1024,
}

/** The parts that a caller may bring; whatever is built on them is built on these. */
interface ContextOverrides {
  engine?: Engine
  clock?: Clock
  mailer?: Mailer
  /** Aborts when the program was asked to stop: it then takes no new work. */
  stopping?: AbortSignal
}

/** Everything long-lived, built once; each room says in its `parts.ts` what it needs of it. */
export type Context = Awaited<ReturnType<typeof createContext>>

/** Builds all parts on a database that is already migrated. */
export async function createContext(
  config: Config,
  options: { databaseUrl: string; log: Logger; overrides?: ContextOverrides },
) {
  const { databaseUrl, log, overrides = {} } = options
  const clock = overrides.clock ?? (() => new Date())
  const base = await openBase(config, { databaseUrl, log, clock })
  const { database, pool } = base
  const site = await openSite({ ...base, fallbacks: config.siteFallbacks })
  const engine = await openEngine(base, overrides.engine)
  const store = await openStore(config, log)
  const payments = await openPayments(base)
  const isFilterMissing = () =>
    config.safety.classifier.module === undefined && site.values()['images.filterWaiver'] === ''
  const images = openImageModels({
    isFilterMissing,
    settings: config.images,
    fetch: base.fetch,
    now: () => clock().getTime(),
    waitingTimes: await openWaitingTimes(base),
  })
  const faceComparison = config.role === 'api' ? undefined : await openLikeness(base)
  const moderation = createModeration({
    ...base,
    findForbiddenWord: await loadForbiddenWords(config.safety.forbiddenWordsFile),
    classifier: await loadClassifier(config.safety.classifier),
  })
  const presets = await openPresets({ ...base, dataFolder: config.dataFolder, engine, store })
  const legalTexts = await openLegalTexts({
    ...base,
    facts: () => ({
      details: operatorDetails(site.values()),
      photoRecipients: photoRecipients(config.images, moderation),
    }),
  })
  return {
    ...base,
    ...openLimits(base),
    site,
    store,
    engine,
    uploads: createAccountMemory<{ bytes: Buffer }>(uploadsKept),
    mailer: overrides.mailer ?? openMailer(base, site),
    presets,
    images,
    faceComparison,
    payments,
    legalTexts,
    findSession: createSessionReader(pool, clock),
    findOwnGeneration: createGenerationReader(pool),
    placeHold: createHoldBatcher({ database, pool }),
    pictureReads: openPictureReads(config),
    moderation,
    guestRules: createGuestRules({ database, store, clock }),
    stopping: overrides.stopping ?? new AbortController().signal,
    async close() {
      legalTexts.close()
      presets.close()
      await images.close()
      faceComparison?.close()
      await payments.close()
      await Promise.all([base.jobs.stop(config.stopTimeoutMs), endMails(config.stopTimeoutMs)])
      await engine.close()
      site.close()
      await base.notifications.close()
      await base.closeDatabase()
    },
  }
}

/** Whoever asks for pictures leaves half of the connections to others, one network three quarters. */
function openPictureReads({ databaseConnectionsMax }: Config): FairQueue {
  return createFairQueue({
    atOnceMax: Math.ceil(databaseConnectionsMax / 2),
    atOncePerCallerMax: Math.ceil(databaseConnectionsMax / 4),
    waitingMax: 5_000,
    waitingPerCallerMax: 1_000,
  })
}
