import type { ChosenPhoto } from './use-photo.ts'
import type { BorrowedFace, Wishes } from './use-studio-choices.ts'

/** What somebody has chosen for a selfie. */
interface SelfieDraft {
  userId: string
  mine: ChosenPhoto | null
  custom: ChosenPhoto | null
  presetId: string | null
  borrowed: BorrowedFace | null
  wishes: Wishes
}

let draft: SelfieDraft | null = null

/**
 * Keeps what was chosen in memory, so that a session which ends meanwhile takes nothing along:
 * whoever signs in again finds it. It never leaves the page.
 */
export function keepDraft(next: SelfieDraft): void {
  draft = next
}

/** What that user had chosen; whatever somebody else left is forgotten. */
export function draftOf(userId: string): SelfieDraft | null {
  if (draft?.userId !== userId) draft = null
  return draft
}

/** Forgets everything, as when somebody signs out. */
export function forgetDraft(): void {
  draft = null
}
