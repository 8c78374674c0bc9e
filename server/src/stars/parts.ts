import type { Engine } from '@starside/engine/engine-calls.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import type { Site } from '../platform/site/site.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'

/** What stars need of the program; who opens the program brings it. */
export interface StarParts {
  /** The settings that are read here. */
  readonly config: {
    /** Host name of `publicUrl`: also the text of the watermark. */
    readonly publicHost: string
  }
  readonly database: Database
  /** What operators have set: the name, the prices and so on. */
  readonly site: Site
  readonly jobs: JobQueue
  readonly store: ObjectStore
  readonly engine: Engine
  readonly clock: Clock
}
