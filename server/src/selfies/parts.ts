import type { AccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { AiLabel } from '@starside/engine/finish/ai-label.ts'
import type { FindSession } from '../accounts/auth/session.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { FairQueue } from '../platform/http/fair-queue.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { FaceComparison } from './likeness/face-comparison.ts'
import type { GuestRules } from './guest-rules.ts'
import type { ImageModels } from './providers/image-models.ts'
import type { FindOwnGeneration } from './queries.ts'
import type { OfferedPresets } from '../stars/open-presets.ts'

/** What selfies need of the program; who opens the program brings it. */
export interface SelfieParts extends PlatformParts {
  readonly config: PlatformParts['config'] & {
    /** What pictures visibly say of how they were made. */
    readonly aiLabel: AiLabel
    readonly role: 'api' | 'worker' | 'all'
    readonly generationsAtOnce: number
    /** How long a picture can be adjusted; 0: not at all. */
    readonly layersMinutes: number
  }
  readonly engine: Engine
  /** Photos that an account has just had inspected, by their digests, on this node. */
  readonly uploads: AccountMemory<{ bytes: Buffer }>
  readonly images: ImageModels
  /** Compares hosted pictures with photos; undefined: they aren't compared. */
  readonly faceComparison: FaceComparison | undefined
  readonly presets: OfferedPresets
  readonly findSession: FindSession
  readonly findOwnGeneration: FindOwnGeneration
  /** In which pictures are looked up and read, network after network, by part of the connections. */
  readonly pictureReads: FairQueue
  readonly moderation: Moderation
  /** What guests of events may make. */
  readonly guestRules: GuestRules
  /** Aborts when the program was asked to stop: it then takes no new work. */
  readonly stopping: AbortSignal
}
