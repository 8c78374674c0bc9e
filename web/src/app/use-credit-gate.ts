import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  generationPriceCredits,
  generationReason,
  refreshAfterFailureMs,
} from '@starside/contract/limits.ts'
import { ApiError } from '../api/api-error.ts'
import { newIdempotencyKey } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { consumeCredit } from '../credits/consume-credit.ts'
import { galleryKey } from '../generation/gallery.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'

/**
 * The dashboard's part of a generation (specification, section 4): it checks the balance, puts one
 * credit aside, and settles the shown balance when the picture is there or has failed.
 */
export function useCreditGate() {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const queryClient = useQueryClient()
  const { user, updateUser, refreshUser } = useAuth()
  const [error, setError] = useState<string | null>(null)
  const pendingBalance = useRef<number | null>(null)
  const refreshTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(refreshTimer.current), [])

  const verifyCredits = async (celebrity: string): Promise<boolean> => {
    setError(null)
    if (user?.creditsBalance === undefined) await refreshUser()
    else if (user.creditsBalance < generationPriceCredits) {
      setError(m.insufficientCredits)
      return false
    }
    try {
      const answer = await consumeCredit(
        generationPriceCredits,
        generationReason(celebrity),
        newIdempotencyKey(),
      )
      pendingBalance.current = answer.remainingCredits
      return true
    } catch (failure) {
      const answered = failure instanceof ApiError && failure.code !== 'NETWORK_ERROR'
      setError(answered ? sentenceOf(failure, m.consumeFailed) : m.deductionFailed)
      return false
    }
  }
  const onComplete = (success: boolean): void => {
    const pending = pendingBalance.current
    pendingBalance.current = null
    void queryClient.invalidateQueries({ queryKey: galleryKey })
    void queryClient.invalidateQueries({ queryKey: ['credit-history'] })
    if (success && pending !== null) {
      updateUser({ creditsBalance: pending, selfiesCreated: (user?.selfiesCreated ?? 0) + 1 })
      return
    }
    clearTimeout(refreshTimer.current)
    const refresh = (): void => {
      refreshUser().catch(() => undefined)
    }
    // Nothing is pending when a picture was found again after a reload: the server knows the balance.
    if (success) refresh()
    else refreshTimer.current = setTimeout(refresh, refreshAfterFailureMs)
  }
  return { error, dismissError: () => setError(null), verifyCredits, onComplete }
}
