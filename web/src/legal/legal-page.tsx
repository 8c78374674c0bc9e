import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { useMessages } from '../ui/language.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { LegalBlocks } from './legal-blocks.tsx'
import { useLegalPage } from './use-legal-page.ts'
import './legal-text.css'

/** The terms of use. */
export function TermsPage() {
  return <LegalPage page="terms" />
}

/** What happens to people's photos and data. */
export function PrivacyPage() {
  return <LegalPage page="privacy" />
}

/** Who is responsible for the site. */
export function ImprintPage() {
  return <LegalPage page="imprint" />
}

/**
 * A page whose text the operator writes. The server puts the text into the prerendered page, inside
 * the element with `data-legal-text`; this takes it over, or asks for it.
 */
function LegalPage({ page }: { page: LegalPageName }) {
  const m = useMessages('shell')
  const { text, state } = useLegalPage(page)
  return (
    <PageFrame>
      <h1 className="display narrow text-[clamp(2.6rem,7vw,5rem)]">{m[page]}</h1>
      <div className="legal-text mt-6 max-w-3xl" data-legal-text>
        {text ? <LegalBlocks blocks={text.blocks} /> : null}
        {state === 'loading' ? <p role="status">{m.pageLoading}</p> : null}
        {state === 'failed' ? (
          <p role="alert">
            {m.pageFailed}{' '}
            <button type="button" className="text-link" onClick={() => location.reload()}>
              {m.reload}
            </button>
          </p>
        ) : null}
      </div>
    </PageFrame>
  )
}
