import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  generationPriceCredits,
  generationReason,
  refreshAfterFailureMs,
} from '@starside/contract/limits.ts'
import { newIdempotencyKey, ApiError } from '../api/call.ts'
import { useAuth, type ClientUser } from '../auth/auth-context.ts'
import { askForHold, readOpenHold, releaseOpenHold } from '../credits/open-hold.ts'
import { galleryKey } from '../generation/use-gallery.ts'
import type { CreditProblem } from '../generation/studio-problem.tsx'
import { useMessages, useErrorSentence } from '../ui/language.tsx'
import { useListener } from '../ui/use-listener.ts'

/** The dashboard's part of a generation (specification, section 4): a credit and the balance. */
export function useCreditGate() {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const queryClient = useQueryClient()
  const { user, refreshUser } = useAuth()
  const [creditProblem, setProblem] = useState<CreditProblem | null>(null)
  const refreshTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(refreshTimer.current), [])

  // What failed for want of a connection is over when it is back.
  useListener('online', () => setProblem((old) => (old?.isOffline ? null : old)))

  const verifyCredits = async (celebrity: string): Promise<boolean> => {
    setProblem(null)
    if (!user) return false
    const isKept = readOpenHold(user.userId, Date.now()) !== null
    if (user.creditsBalance === undefined) await refreshUser()
    else if (user.creditsBalance < generationPriceCredits && !isKept) {
      setProblem({ sentence: m.insufficientCredits, isOut: true })
      return false
    }
    try {
      await obtainHold(user, generationReason(celebrity))
      return true
    } catch (failure) {
      const code = failure instanceof ApiError ? failure.code : 'NETWORK_ERROR'
      const isOffline = code === 'NETWORK_ERROR'
      setProblem({
        sentence: isOffline ? m.deductionFailed : sentenceOf(failure, m.consumeFailed),
        isOut: code === 'insufficient_credits',
        isOffline,
      })
      return false
    }
  }
  const onComplete = (success: boolean): void => {
    void queryClient.invalidateQueries({ queryKey: galleryKey })
    void queryClient.invalidateQueries({ queryKey: ['credit-history'] })
    clearTimeout(refreshTimer.current)
    const refresh = (): void => void refreshUser().catch(() => undefined)
    if (success) refresh()
    else refreshTimer.current = setTimeout(refresh, refreshAfterFailureMs)
  }
  return {
    creditProblem,
    verifyCredits,
    onComplete,
    onDismissCreditProblem: () => setProblem(null),
  }
}

/** Sets one credit aside, or takes the one that an earlier try has left so. Throws `ApiError`. */
async function obtainHold({ userId }: ClientUser, description: string): Promise<void> {
  const nowMs = Date.now()
  const open = readOpenHold(userId, nowMs)
  if (open?.description !== description) {
    await releaseOpenHold()
    const key = newIdempotencyKey()
    await askForHold({ holdId: null, key, userId, description, placedAtMs: nowMs })
    // A request that nothing answered may have been carried out: asked again, it is the same one.
  } else if (open.holdId === null) await askForHold(open)
}
