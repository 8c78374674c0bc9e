import { use, useCallback } from 'react'
import { ApiError } from '../api/api-error.ts'
import { fill } from '@starside/contract/fill.ts'
import { OwnTexts, useLanguage, useMessages } from './language.tsx'
import { peekCatalogue } from './messages/catalogues.ts'

/**
 * Turns a failure into the sentence to show: the server's own (translated by its code), the
 * specification's for an answer without one, else `fallback`.
 */
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
