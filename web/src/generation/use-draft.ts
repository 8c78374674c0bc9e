import { useEffect, useEffectEvent, useState } from 'react'
import { keepDraft, restoreDraft, type SelfieDraft } from './selfie-draft.ts'

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
    const { mine, custom, background } = chosen
    if (earlier && !mine && !custom && !background) takeOver(earlier)
  })
  const { userId } = chosen
  useEffect(() => {
    if (isRestored) return
    let isWanted = true
    void restoreDraft(userId, Date.now()).then((earlier) => {
      if (isWanted) restore(earlier)
    })
    return () => {
      isWanted = false
    }
  }, [userId, isRestored])
  const { mine, custom, background, presetId, borrowed, wishes } = chosen
  const { hasSecond, secondCustom, secondPresetId } = chosen
  useEffect(() => {
    if (!isRestored) return
    const photos = { mine, custom, secondCustom, background }
    const stars = { presetId, hasSecond, secondPresetId }
    keepDraft({ userId, ...photos, ...stars, borrowed, wishes })
  }, [
    isRestored,
    userId,
    mine,
    custom,
    secondCustom,
    background,
    presetId,
    hasSecond,
    secondPresetId,
    borrowed,
    wishes,
  ])
  return isRestored
}
