import { useEffect, useState } from 'react'
import type { LegalPageAnswer } from '@starside/contract/legal.ts'
import { legalDataId, type LegalPageName } from '@starside/contract/legal-pages.ts'
import { isAbort } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { useLanguage } from '../ui/language.tsx'

/** `unknown` in the build, where the server's text is not known. */
type State = 'unknown' | 'loading' | 'failed' | 'shown'

/** The published text of a page in the reader's language: what came with the document, or asked for. */
export function useLegalPage(page: LegalPageName) {
  const { language } = useLanguage()
  const [text, setText] = useState(readFromDocument)
  const [hasFailed, setHasFailed] = useState(false)
  const shown = text?.page === page && text.language === language ? text : null
  const isMissing = shown === null
  useEffect(() => {
    if (!isMissing) return undefined
    const abort = new AbortController()
    call('GET /api/legal/:page', {
      params: { page },
      query: { language },
      signal: abort.signal,
    }).then(
      (answer) => {
        setHasFailed(false)
        setText(answer)
      },
      (error: unknown) => {
        if (!isAbort(error)) setHasFailed(true)
      },
    )
    return () => abort.abort()
  }, [isMissing, page, language])
  const waiting: State = hasFailed ? 'failed' : 'loading'
  const state: State = shown ? 'shown' : isInBuild ? 'unknown' : waiting
  return { text: shown, state }
}

const isInBuild = typeof document === 'undefined'

/** What the server put beside the page that it filled; null where there is none, as in the build. */
function readFromDocument(): LegalPageAnswer | null {
  if (isInBuild) return null
  const data = document.getElementById(legalDataId)?.textContent
  // Our own server wrote it, by the same declaration.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data ? (JSON.parse(data) as LegalPageAnswer) : null
}
