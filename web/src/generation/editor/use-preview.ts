import { useEffect, useState } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { PreviewAnswer } from '@starside/contract/variations.ts'
import { call } from '../../api/call.ts'

/** Somebody who moves on is asked for once they pause. */
const pauseMs = 120

/** The server's picture of an arrangement. */
export interface Preview {
  arrangement: Arrangement
  answer: PreviewAnswer
}

/**
 * Asks for the picture of an arrangement whenever it changes and `isMoving` is over; the last one asked for
 * wins. Until it comes, the one before stays. `failure` is why this one did not come; then
 * it is asked for again by `tryAgain` only.
 */
export function usePreview(generationId: string, arrangement: Arrangement, isMoving: boolean) {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [failure, setFailure] = useState<{ arrangement: Arrangement; error: unknown } | null>(null)
  const hasFailed = failure?.arrangement === arrangement
  useEffect(() => {
    if (isMoving || hasFailed) return
    const controller = new AbortController()
    const ask = async (): Promise<void> => {
      try {
        const answer = await call('POST /api/generations/:generationId/preview', {
          params: { generationId },
          body: { arrangement },
          signal: controller.signal,
        })
        if (!controller.signal.aborted) setPreview({ arrangement, answer })
      } catch (error) {
        if (!controller.signal.aborted) setFailure({ arrangement, error })
      }
    }
    const timer = setTimeout(() => void ask(), pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [generationId, arrangement, isMoving, hasFailed])
  return {
    preview,
    failure: hasFailed ? failure.error : null,
    tryAgain: () => setFailure(null),
    isCurrent: preview?.arrangement === arrangement,
  }
}
