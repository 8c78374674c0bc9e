import { z } from 'zod'

/** What defaults are made of: the settings of the environment. */
export interface SiteFallbacks {
  publicHost: string
  contactEmail: string
  socialUrl: string
  communityUrl: string
  mailFrom: string | undefined
}

/** One thing that an operator can change while the program runs. */
export interface SiteSetting<Schema extends z.ZodType = z.ZodType> {
  /** What it is, for the operator. */
  title: string
  /** What is accepted; values are stored as JSON, and none is null. */
  schema: Schema
  /** What holds while nothing is set: the specification's value. */
  fallback(fallbacks: SiteFallbacks): z.output<Schema>
}

/** Declares one, its value typed by its schema. */
export function setting<Schema extends z.ZodType>(
  declared: SiteSetting<Schema>,
): SiteSetting<Schema> {
  return declared
}

/** One line that people read: no control characters and no marks that turn the direction of text. */
export function plainLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `At most ${lengthMax} characters.`)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, 'One line of plain text.')
}
