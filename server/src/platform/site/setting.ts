import { z } from 'zod'

/** What defaults are made of: the settings of the environment. */
export interface SiteFallbacks {
  publicHost: string
  contactEmail: string
  socialUrl: string
  communityUrl: string
  mailFrom: string | undefined
}

/** One line that people read: no control characters and no marks that turn the direction of text. */
export function plainLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `At most ${lengthMax} characters.`)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, 'One line of plain text.')
}
