import type { SceneName } from '@starside/contract/scenes.ts'
import type { SelfieInput } from '@starside/engine/engine-calls.ts'
import type { Guest } from '../accounts/auth/session.ts'
import type { GenerateForm } from './receive-form.ts'

/** Somebody who makes a selfie at an event. */
export interface GuestOf extends Guest {
  userId: string
}

/** What an event lets its guests do with selfies. */
export interface GuestRules {
  /**
   * What the selfie is made of: the form, on the event's own background where it names no scene.
   * Throws what the event refuses.
   */
  admit(guest: GuestOf, form: GenerateForm): Promise<GenerateForm>
  /** Throws `event_choice_unknown` for a scene that the event doesn't offer. */
  admitScene(guest: Guest, scene: SceneName): Promise<void>
  /** How a guest's selfie is made: below the event's frame, in its format or that of prints. */
  wishesFor(generationId: string): Promise<Pick<SelfieInput, 'keepsAspect' | 'overlay'>>
}
