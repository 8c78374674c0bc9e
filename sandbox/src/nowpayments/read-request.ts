import { badRequest } from './gateway-error.ts'

/** The body of a request as an object; refuses anything else. */
export function readObject(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest('The body must be a JSON object')
  }
  return { ...body }
}

export function readText(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '') throw badRequest(`${name} is required`)
  return value
}

/** A text or, when it is absent, null. Numbers are taken as text, as the provider does. */
export function readOptionalText(body: Record<string, unknown>, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw badRequest(`${name} must be a string`)
  return value
}

export function readOptionalUrl(body: Record<string, unknown>, name: string): string | null {
  const value = readOptionalText(body, name)
  if (value === null) return null
  const protocol = URL.parse(value)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') throw badRequest(`${name} must be a valid URL`)
  return value
}

/** A positive number; a text that spells one is taken too. */
export function readAmount(body: Record<string, unknown>, name: string): number {
  const value = body[name]
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
    throw badRequest(`${name} must be a number greater than 0`)
  }
  return amount
}

/** A whole number from 0 to `max`, or `fallback` when it is absent. */
export function readCount(
  body: Record<string, unknown>,
  name: string,
  fallback: number,
  max: number,
): number {
  const value = body[name]
  if (value === undefined || value === null || value === '') return fallback
  const count = Number(value)
  if (!Number.isInteger(count) || count < 0 || count > max) {
    throw badRequest(`${name} must be a whole number from 0 to ${max}`)
  }
  return count
}

export function readFlag(body: Record<string, unknown>, name: string): boolean {
  const value = body[name]
  return value === true || value === 'true' || value === 'on' || value === '1'
}

/** One of `choices`, or null when it is absent. */
export function readChoice<Choice extends string>(
  body: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = body[name]
  if (value === undefined || value === null || value === '') return null
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw badRequest(`${name} must be one of ${choices.join(', ')}`)
  return choice
}
