import { storageKeys } from '@starside/contract/api.ts'

/** Notes for this tab that its page was left while photos were on their way. */
export function noteInterruptedUpload(startedAtMs: number): void {
  sessionStorage.setItem(storageKeys.interruptedUpload, String(startedAtMs))
}

/** When the interrupted upload began, in milliseconds since 1970, once; null when there was none. */
export function takeInterruptedUpload(): number | null {
  const text = sessionStorage.getItem(storageKeys.interruptedUpload)
  sessionStorage.removeItem(storageKeys.interruptedUpload)
  const startedAtMs = Number(text)
  return text !== null && Number.isFinite(startedAtMs) ? startedAtMs : null
}
