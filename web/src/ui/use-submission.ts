import { useState } from 'react'
import { useErrorSentence } from './error-sentence.ts'

/**
 * One request that a person starts: whether it is under way, and the sentence of its failure, which
 * is `fallback` where the server gives none. `submit` does nothing while an earlier one is under
 * way; it answers whether the work succeeded, whose failure may have a sentence of its own. Buttons say so by `aria-disabled`: a disabled one would
 * lose the focus.
 */
export function useSubmission(fallback: string) {
  const sentenceOf = useErrorSentence()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const submit = async (work: () => Promise<unknown>, otherwise = fallback): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(sentenceOf(failure, otherwise))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, setError, submit }
}
