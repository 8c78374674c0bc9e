import { keysOf } from './keys-of.ts'

/** What tells an event's pages apart. No schema library here: browsers load this. */

/** With it a guest's calls say which event they are of: no page of another site can send it. */
export const eventHeader = 'starside-event'

/** An event's address below `/e/`. */
export const eventNamePattern = /^[a-z0-9][a-z0-9-]{1,39}$/

/** How a selfie is printed: 10 × 15 cm, a strip of four, a square of 10 cm. */
export const printFormats = ['10x15', 'strip', 'square'] as const
export type PrintFormat = (typeof printFormats)[number]

/** Who opens a page of an event by an operator's link, with that page's place below the event's own. */
export const eventRolePages = {
  kiosk: 'kiosk',
  moderator: 'moderate',
  attendant: 'print',
  wall: 'wall',
} as const
export type EventRole = keyof typeof eventRolePages
export const eventRoles = keysOf(eventRolePages)

/** Whether a selfie hangs on the wall: its guest has not asked, waits for a moderator, was judged. */
export const wallStates = ['private', 'asked', 'approved', 'hidden'] as const
export type WallState = (typeof wallStates)[number]
