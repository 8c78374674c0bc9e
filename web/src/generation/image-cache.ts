import { readRecord } from '../api/is-record.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { generatedImageLifetimeMs } from '@starside/contract/limits.ts'

/** The last generated picture as it is kept in local storage (specification, section 3). */
interface CachedImage {
  imageUrl: string
  /** Milliseconds since 1970. */
  timestamp: number
  /** Beyond the specification: which generation it is, so that it can be shared and saved. */
  generationId?: string | undefined
}

export function storeGeneratedImage(image: Omit<CachedImage, 'timestamp'>, nowMs: number): void {
  localStorage.setItem(storageKeys.generatedImage, JSON.stringify({ ...image, timestamp: nowMs }))
}

/** The picture of the last 30 minutes; an older or unreadable entry is removed. */
export function restoreGeneratedImage(nowMs: number): CachedImage | null {
  const kept = localStorage.getItem(storageKeys.generatedImage)
  const { imageUrl, timestamp, generationId } = readRecord(kept)
  const isWhole = typeof imageUrl === 'string' && typeof timestamp === 'number'
  if (isWhole && nowMs - timestamp < generatedImageLifetimeMs) {
    return { imageUrl, timestamp, ...(typeof generationId === 'string' ? { generationId } : {}) }
  }
  forgetGeneratedImage()
  return null
}

export function forgetGeneratedImage(): void {
  localStorage.removeItem(storageKeys.generatedImage)
}

/** Notes for this tab that photos are on their way: what a page that was left can't say, its next one finds. */
export function noteUpload(startedAtMs: number): void {
  sessionStorage.setItem(storageKeys.interruptedUpload, String(startedAtMs))
}

/** When an upload began that no answer has ended, in milliseconds since 1970, once; null when there was none. */
export function takeInterruptedUpload(): number | null {
  const startedAtMs = Number(sessionStorage.getItem(storageKeys.interruptedUpload) ?? Number.NaN)
  sessionStorage.removeItem(storageKeys.interruptedUpload)
  return Number.isFinite(startedAtMs) ? startedAtMs : null
}
