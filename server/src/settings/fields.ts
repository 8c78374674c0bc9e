import { z } from 'zod'

/** A text; one of blanks alone counts as not set. */
export const optionalText = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional()

/** The same for an http or https address. */
export const optionalUrl = optionalText.refine(
  (text) => text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  'must be an http or https address',
)

/** A whole number between two others, both included. */
export const wholeNumber = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)
