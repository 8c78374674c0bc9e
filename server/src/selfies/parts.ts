import type { AccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine, SelfieInput } from '@starside/engine/engine-calls.ts'
import type { AiLabel } from '@starside/engine/finish/ai-label.ts'
import type { SceneName } from '@starside/contract/scenes.ts'
import type { FindSession, Guest } from '../accounts/auth/session.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { FairQueue } from '../platform/http/fair-queue.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { OfferedPresets } from '../stars/open-presets.ts'
import type { FaceComparison } from './likeness/face-comparison.ts'
import type { ImageModels } from './providers/image-models.ts'
import type { FindOwnGeneration } from './queries.ts'
import type { GenerateForm } from './receive-form.ts'

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

/** What an event lets its guests do with selfies. */
export interface GuestRules {
  /** The form, on the event's background where it names no scene. Throws what the event refuses. */
  admit(guest: Guest & { userId: string }, form: GenerateForm): Promise<GenerateForm>
  /** Throws `event_choice_unknown` for a scene that the event doesn't offer. */
  admitScene(guest: Guest, scene: SceneName): Promise<void>
  /** How a guest's selfie is made: below the event's frame, in its format or that of prints. */
  wishesFor(generationId: string): Promise<Pick<SelfieInput, 'keepsAspect' | 'overlay'>>
}
