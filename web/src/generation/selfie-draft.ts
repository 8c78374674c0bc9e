import { useEffect, useEffectEvent, useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { keptPhotosLifetimeMs } from '@starside/contract/installed-app.ts'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { isAlive, readEntry, removeEntry, writeEntry } from '../install/photo-store.ts'
import type { StudioChoices, Wishes } from './gather-request.ts'
import type { ChosenPhoto } from './use-photo.ts'

/** What somebody has chosen for a selfie. */
export interface SelfieDraft extends Omit<StudioChoices, 'wishes'> {
  wishes: Partial<Wishes>
  userId: string
  /** Whether `mine` is a sample face. */
  borrowed: boolean
  /** The own photo that the picture on show was made of. */
  used: ChosenPhoto | null
}

/** The draft as the browser keeps it; another version of the program does not read it. */
interface KeptDraft extends SelfieDraft {
  version: 5
  /** Milliseconds since 1970. */
  savedAtMs: number
}

/** Not at every letter that is typed. */
const writeDelayMs = 250

let draft: SelfieDraft | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps what was chosen: in memory for a lost session, half an hour in the database for a reload. */
export function keepDraft(next: SelfieDraft): void {
  draft = next
  clearTimeout(timer)
  timer = setTimeout(() => void write(next, Date.now()), writeDelayMs)
}

/** What that user had chosen since the page was loaded; whatever somebody else left is forgotten. */
export function draftOf(userId: string): SelfieDraft | null {
  if (draft?.userId !== userId) draft = null
  return draft
}

/** What that user had chosen before the page was loaded; null after half an hour. */
export async function restoreDraft(userId: string, nowMs: number): Promise<SelfieDraft | null> {
  const kept = await readEntry<KeptDraft>('selfie_draft')
  if (kept?.version === 5 && isAlive(kept, nowMs) && kept.userId === userId) {
    const photos = [kept.mine, kept.used, kept.star?.custom, kept.second?.custom, kept.background]
    // A browser may give back something damaged.
    const isWhole = photos.every((photo) => !photo || photo.prepared?.file instanceof Blob)
    if (isWhole) return kept as KeptDraft
  }
  await removeEntry('selfie_draft')
  return null
}

/** Forgets everything, as when somebody signs out. */
export function forgetDraft(): void {
  draft = null
  clearTimeout(timer)
  void removeEntry('selfie_draft')
}

async function write(chosen: SelfieDraft, nowMs: number): Promise<void> {
  const [mine, background] = [keepable(chosen.mine), keepable(chosen.background)]
  const star = { ...chosen.star, custom: keepable(chosen.star.custom) }
  const second = chosen.second && { ...chosen.second, custom: keepable(chosen.second.custom) }
  if (!mine && !star.custom && !second?.custom && !background) {
    return await removeEntry('selfie_draft')
  }
  const photos = { mine, used: keepable(chosen.used), star, second, background }
  const kept: KeptDraft = { ...chosen, ...photos, version: 5, savedAtMs: nowMs }
  // A page that stays open keeps it no longer than one that was closed, counted from `savedAtMs`;
  // set before the write, or it would take the place of the next change's timer.
  timer = setTimeout(() => void removeEntry('selfie_draft'), keptPhotosLifetimeMs)
  // Where the browser stores nothing, a reload takes it along as before.
  await writeEntry('selfie_draft', kept).catch(() => undefined)
}

function keepable(photo: ChosenPhoto | null): ChosenPhoto | null {
  if (!photo?.prepared) return null
  // A failure's reason is no data that a database takes; the photo is checked once more.
  return photo.check?.state === 'answered' ? photo : { ...photo, check: null }
}

/** Keeps the draft for a reload, and takes over what one left; true once that is known. */
export function useDraft(
  chosen: SelfieDraft,
  { isKept }: { isKept: boolean },
  takeOver: (earlier: SelfieDraft) => void,
): boolean {
  const [isRestored, setRestored] = useState(isKept)
  const restore = useEffectEvent((earlier: SelfieDraft | null) => {
    setRestored(true)
    // What was chosen while the browser looked goes before.
    const { mine, star, background } = chosen
    if (earlier && !mine && !star.custom && !background) takeOver(earlier)
  })
  const { userId } = chosen
  useEffect(() => {
    if (isRestored) return
    return takeWhenCome(restoreDraft(userId, Date.now()), (earlier) => restore(earlier))
  }, [userId, isRestored])
  useEffect(() => {
    if (isRestored) keepDraft(chosen)
  }, [isRestored, chosen])
  return isRestored
}

/** Keeps the star that was chosen, here or on the landing page, for the studio of this tab; null forgets it. */
export function rememberTriedStar(presetId: string | null): void {
  if (presetId === null) sessionStorage.removeItem(storageKeys.chosenStar)
  else sessionStorage.setItem(storageKeys.chosenStar, presetId)
}

/** The star that waits for the studio; null when there is none. */
export function triedStar(): string | null {
  return sessionStorage.getItem(storageKeys.chosenStar)
}
