import { readRecord } from '../api/is-record.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { generationPriceCredits, holdLifetimeMs } from '@starside/contract/limits.ts'
import { call, send, ApiError } from '../api/call.ts'

/** Credits that this tab holds, or has asked for, and that no picture has claimed yet. */
interface OpenHold {
  /** Null until the server has answered. */
  holdId: string | null
  /** By which the server knows the request for it again. */
  key: string
  userId: string
  /** What the credits are held for, as the credit history says it. */
  description: string
  /** Milliseconds since 1970, by this device's clock. */
  placedAtMs: number
}

/** A hold that is about to end is not counted on any more. */
const safetyMs = 60_000

/** Kept for this tab alone: another tab neither uses the hold nor gives it back. */
export function storeOpenHold(hold: OpenHold): void {
  sessionStorage.setItem(storageKeys.openHold, JSON.stringify(hold))
}

/** The tab's open hold of that user; null when there is none, or it is about to end by itself. */
export function readOpenHold(userId: string, nowMs: number): OpenHold | null {
  const hold = readHold()
  if (hold?.userId !== userId) return null
  return nowMs - hold.placedAtMs < holdLifetimeMs - safetyMs ? hold : null
}

/** The id of the hold of this tab; null when there is none. */
export function readOpenHoldId(): string | null {
  return readHold()?.holdId ?? null
}

export function forgetOpenHold(): void {
  sessionStorage.removeItem(storageKeys.openHold)
}

/** Asks for the tab's hold, kept from then on: of a page that doesn't hear the answer the next one finds it. Throws `ApiError`. */
export async function askForHold(hold: OpenHold): Promise<string> {
  storeOpenHold(hold)
  const body = { amount: generationPriceCredits, description: hold.description }
  const options = { body, idempotencyKey: hold.key }
  try {
    const { holdId } = await call('POST /api/user?action=consume-credits', options)
    storeOpenHold({ ...hold, holdId })
    return holdId
  } catch (failure) {
    if (failure instanceof ApiError && failure.fromServer) forgetOpenHold()
    throw failure
  }
}

/** Gives the tab's open hold back by a request that outlives the page, and forgets it; false when there was none. */
export async function releaseOpenHold(): Promise<boolean> {
  const hold = readHold()
  const holdId = hold && (hold.holdId ?? (await askForHold(hold).catch(() => null)))
  if (holdId === null) return false
  forgetOpenHold()
  const options = { body: { holdId }, keepalive: true }
  await send('POST /api/user?action=release-hold', options).catch(() => undefined)
  return true
}

/** How long the answer to giving a hold back may take after an upload that broke off. */
const releaseTimeoutMs = 5_000

/** Gives the tab's open hold back: whether that freed its credits; null without a hold or an answer, and it stays open. */
export async function giveBackOpenHold(): Promise<boolean | null> {
  const holdId = readOpenHoldId()
  if (holdId === null) return null
  try {
    const options = { body: { holdId }, signal: AbortSignal.timeout(releaseTimeoutMs) }
    const { released } = await call('POST /api/user?action=release-hold', options)
    forgetOpenHold()
    return released
  } catch {
    return null
  }
}

function readHold(): OpenHold | null {
  const hold = readRecord(sessionStorage.getItem(storageKeys.openHold))
  // Written by this module alone; another version's has no key.
  return typeof hold['key'] === 'string' ? (hold as unknown as OpenHold) : null
}
