import type { Money } from './provider.ts'

/** Longer texts than this no provider sends in a field that is kept. */
const textLengthMax = 200

/** The years in which a payment can have changed; a date outside is nonsense. */
const earliestMs = Date.parse('2009-01-03T00:00:00Z')
const latestMs = Date.parse('2200-01-01T00:00:00Z')

/** A storable text: without control characters (U+0000), U+FFFD for lone surrogates; or null. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .slice(0, textLengthMax)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- these are meant
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
  return text === '' ? null : text
}

/** A number, spelled as one or as text; null for anything else, and beyond what any coin's amount can be. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number') return null
  return number === 0 || (Math.abs(number) > 1e-30 && Math.abs(number) < 1e30) ? number : null
}

/** Epoch milliseconds from a number or ISO text; null when it isn't a time of ours. */
export function readTimeMs(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && time >= earliestMs && time < latestMs ? time : null
}

/** A price in hundredths, of a number or text; null when it isn't a whole number of them. */
export function readPrice(amount: unknown, currency: unknown): Money | null {
  const units = readNumber(amount)
  const code = readText(currency)?.toLowerCase()
  if (units === null || code === undefined) return null
  const minorUnits = Math.round(units * 100)
  const isWhole = Math.abs(units * 100 - minorUnits) < 1e-6
  return isWhole && Number.isSafeInteger(minorUnits) ? { minorUnits, currency: code } : null
}
