import { z } from 'zod'
import { SettingsError } from './settings-error.ts'

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

/** The object of a setting's JSON, empty where it isn't set; else throws `SettingsError`. */
export function readJsonObject<Value>(
  name: string,
  text: string | undefined,
  value: z.ZodType<Value>,
): Record<string, Value> {
  if (text === undefined) return {}
  try {
    return z.record(z.string(), value).parse(JSON.parse(text))
  } catch {
    throw new SettingsError(`${name} must be a JSON object with plain values`)
  }
}

/** An address without the slashes at its end. */
export function trimSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
