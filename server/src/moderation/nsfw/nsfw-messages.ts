import type { NsfwScores } from './nsfw-scores.ts'

/** What the server sends to the classifier's process. */
export interface NsfwRequest {
  id: number
  /** An upright JPEG or PNG of the engine's own making. */
  picture: Uint8Array
}

/** What that process says. */
export type NsfwReply =
  | { type: 'ready' }
  | { type: 'memory'; residentBytes: number }
  | { type: 'scores'; id: number; scores: NsfwScores }
  | { type: 'failure'; id: number; message: string }
