import { use, useCallback, useState } from 'react'
import { ApiError } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { OwnTexts, useLanguage, useMessages } from './language.tsx'
import { peekCatalogue } from './messages/catalogues.ts'

/** The server's sentence, the specification's for an answer without one, or `fallback`. */
export function useErrorSentence(): (error: unknown, fallback: string) => string {
  const { language } = useLanguage()
  const m = useMessages('shell')
  const own = use(OwnTexts).errors
  return useCallback(
    (error: unknown, fallback: string) => {
      if (!(error instanceof ApiError)) return fallback
      if (error.fromServer) {
        const table: Record<string, string | undefined> = {
          ...peekCatalogue('errors', language),
          ...own,
        }
        return table[error.code] ?? error.message
      }
      if (error.code === 'HTTP_ERROR' && error.status >= 400) {
        return fill(m.httpError, { code: error.status })
      }
      return fallback
    },
    [language, m, own],
  )
}

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
