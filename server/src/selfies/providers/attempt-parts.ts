import type { SelfieParts } from '../parts.ts'

/** The parts of the program that an attempt meets on its way from waiting for a slot to its end. */
export type AttemptParts = Pick<
  SelfieParts,
  | 'clock'
  | 'database'
  | 'engine'
  | 'images'
  | 'jobs'
  | 'keys'
  | 'log'
  | 'notifications'
  | 'presets'
  | 'randomBytes'
  | 'store'
>
