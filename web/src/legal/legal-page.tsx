import { createElement, useEffect, useState } from 'react'
import type { LegalPageAnswer, LegalNode } from '@starside/contract/legal.ts'
import { legalDataId, type LegalPageName } from '@starside/contract/legal-pages.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import './legal-text.css'
import { TextButton } from '../ui/button.tsx'

/** The terms of use, what happens to people's photos and data, and who is responsible for the site. */
export const TermsPage = () => <LegalPage page="terms" />
export const PrivacyPage = () => <LegalPage page="privacy" />
export const ImprintPage = () => <LegalPage page="imprint" />

/** An operator's text, which the server puts into the prerendered page; taken over here, or asked for. */
function LegalPage({ page }: { page: LegalPageName }) {
  const m = useMessages('shell')
  const { language } = useLanguage()
  const [answer, setAnswer] = useState(readFromDocument)
  const hasFailed = answer === 'failed'
  const isShown = !hasFailed && answer?.page === page && answer.language === language
  useEffect(() => {
    if (isShown) return undefined
    const left = new AbortController()
    const { signal } = left
    call('GET /api/legal/:page', { params: { page }, query: { language }, signal }).then(
      setAnswer,
      () => signal.aborted || setAnswer('failed'),
    )
    return () => left.abort()
  }, [isShown, page, language])
  return (
    <PageFrame>
      <h1 className="display narrow text-[clamp(2.6rem,7vw,5rem)]">{m[page]}</h1>
      <div className="legal-text mt-6 max-w-3xl" data-legal-text>
        {isShown ? <LegalNodes nodes={answer.blocks} /> : null}
        {/* In the build the server's text is neither known nor asked for. */}
        {isShown || hasFailed || isInBuild ? null : <p role="status">{m.pageLoading}</p>}
        {hasFailed ? (
          <p role="alert">
            {m.pageFailed} <TextButton onClick={() => location.reload()}>{m.reload}</TextButton>
          </p>
        ) : null}
      </div>
    </PageFrame>
  )
}

const isInBuild = typeof document === 'undefined'

/** What the server put beside the page that it filled; null where there is none, as in the build. */
function readFromDocument(): LegalPageAnswer | 'failed' | null {
  if (isInBuild) return null
  const data = document.getElementById(legalDataId)?.textContent
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Our own server wrote it, by the same declaration.
  return data ? (JSON.parse(data) as LegalPageAnswer) : null
}

/** A legal page as elements, never HTML; `server/src/shop/legal/legal-html.ts` writes the same. */
export function LegalNodes({ nodes }: { nodes: readonly LegalNode[] }) {
  return nodes.map((node, key) => {
    if (typeof node === 'string') return node
    const { tag, href, children } = node
    const inner = children.length > 0 ? <LegalNodes nodes={children} /> : undefined
    // A published text never changes its order.
    return createElement(tag, { key, ...(href && { href, rel: 'noopener' }) }, inner)
  })
}
