import { storageKeys } from '@starside/contract/api.ts'

/** Keeps the star that was tried on the landing page, for the studio of this tab. */
export function rememberStar(presetId: string): void {
  sessionStorage.setItem(storageKeys.chosenStar, presetId)
}

/** The star that waits for the studio; null when there is none. */
export function triedStar(): string | null {
  return sessionStorage.getItem(storageKeys.chosenStar)
}

export function forgetTriedStar(): void {
  sessionStorage.removeItem(storageKeys.chosenStar)
}
