import { readRecord } from '../api/is-record.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { generatedImageLifetimeMs } from '@starside/contract/limits.ts'

/** The last generated picture as it is kept in local storage (specification, section 3). */
interface CachedImage {
  imageUrl: string
  /** Milliseconds since 1970. */
  timestamp: number
  /** Beyond the specification: which generation it is, so that it can be shared and saved. */
  generationId?: string
}

export function storeGeneratedImage(image: Omit<CachedImage, 'timestamp'>, nowMs: number): void {
  const entry: CachedImage = { ...image, timestamp: nowMs }
  localStorage.setItem(storageKeys.generatedImage, JSON.stringify(entry))
}

/** The picture of the last 30 minutes; an older or unreadable entry is removed. */
export function restoreGeneratedImage(nowMs: number): CachedImage | null {
  const entry = parseEntry(localStorage.getItem(storageKeys.generatedImage))
  if (entry && nowMs - entry.timestamp < generatedImageLifetimeMs) return entry
  forgetGeneratedImage()
  return null
}

export function forgetGeneratedImage(): void {
  localStorage.removeItem(storageKeys.generatedImage)
}

function parseEntry(text: string | null): CachedImage | null {
  const { imageUrl, timestamp, generationId } = readRecord(text)
  if (typeof imageUrl !== 'string' || typeof timestamp !== 'number') return null
  return { imageUrl, timestamp, ...(typeof generationId === 'string' ? { generationId } : {}) }
}
