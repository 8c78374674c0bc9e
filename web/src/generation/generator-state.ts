import type { GenerationItem } from '@starside/contract/generation.ts'
import type { GenerationStage } from '@starside/contract/scenes.ts'

/** The picture on show; `item` is missing where the server sent only its address. */
export interface GeneratedPicture {
  imageUrl: string
  item: GenerationItem | null
  /** True when it was made just now. */
  fresh: boolean
}

/** How far a picture is. */
export interface RunningGeneration {
  /** Null while the photos are on their way to the server: the page must stay open. */
  stage: GenerationStage | null
  /** How far the stage is, 0 to 100, where the server says so. */
  stagePercent?: number | undefined
  /** Milliseconds since 1970. */
  startedAtMs: number
  /** How long such a picture usually takes in all; null while nobody knows. */
  expectedMs: number | null
}

/** Why there is no picture: the choice, the credit, an upload cut off, or what calls threw. */
export type Problem =
  | { kind: 'choice'; sentence: string }
  | { kind: 'verification' }
  | { kind: 'interruption' }
  /** `isCreditBack` where its credit was given back already. */
  | { kind: 'failure'; failure: unknown; isCreditBack?: boolean }

/**
 * ```
 * idle ── begin ──► preparing ── progress ──► running ── finish ──► idle
 *   ▲                  │ stop                    │ fail
 *   └──────────────────┴─────────────────────────┘
 * ```
 * preparing: photos are gathered and a credit is held. running: the photos are on their way
 * (without a stage), then the server makes the picture, whether or not anybody looks.
 */
export interface GeneratorState {
  phase: 'idle' | 'preparing' | 'running'
  /** What to show of the progress; null while nothing has been sent. */
  running: RunningGeneration | null
  picture: GeneratedPicture | null
  problem: Problem | null
  /** What the caller's callback receives of a try that ended, also a failed one: a new object for each. */
  outcome: { success: boolean; imageUrl: string | null } | null
}

export type GeneratorAction =
  | { type: 'begin' }
  | { type: 'progress'; running: RunningGeneration }
  | { type: 'finish'; picture: GeneratedPicture }
  | { type: 'fail'; problem: Problem }
  /** Ends without having sent anything; null says nothing. */
  | { type: 'stop'; problem: Problem | null }
  /** A picture of an earlier visit: never in the place of a new one. */
  | { type: 'restore'; picture: GeneratedPicture }
  /** In the place of whatever was shown, also as it was before. */
  | { type: 'show-item'; item: GenerationItem }
  | { type: 'remove-picture' }
  /** What is only outdated by another choice leaves an upload that was cut off standing. */
  | { type: 'dismiss' | 'outdate' }

export const initialGeneratorState: GeneratorState = {
  phase: 'idle',
  running: null,
  picture: null,
  problem: null,
  outcome: null,
}

/** The transitions of the diagram above; what does not fit the phase changes nothing. */
export function reduceGenerator(state: GeneratorState, action: GeneratorAction): GeneratorState {
  switch (action.type) {
    case 'begin':
      return { ...state, phase: 'preparing', running: null, problem: null }
    case 'progress':
      return { ...state, phase: 'running', running: action.running, problem: null }
    case 'finish': {
      const { picture } = action
      const outcome = { success: true, imageUrl: picture.imageUrl }
      return { ...state, phase: 'idle', running: null, picture, problem: null, outcome }
    }
    case 'fail': {
      const outcome = { success: false, imageUrl: null }
      return { ...state, phase: 'idle', running: null, problem: action.problem, outcome }
    }
    case 'stop':
      return { ...state, phase: 'idle', running: null, problem: action.problem }
    case 'restore':
      return state.picture?.fresh ? state : { ...state, picture: action.picture }
    case 'show-item': {
      const { item } = action
      if (!item.imageUrl) return state
      return { ...state, picture: { imageUrl: item.imageUrl, item, fresh: false } }
    }
    case 'remove-picture':
      return { ...state, picture: null }
    case 'outdate':
      return state.problem?.kind === 'interruption' ? state : { ...state, problem: null }
    case 'dismiss':
      return { ...state, problem: null }
  }
}
