import type { ComponentProps } from 'react'
import { Link } from './router.tsx'
import { SiteFooter } from './site-footer.tsx'
import { Wordmark } from './wordmark.tsx'
import { useMessages } from './language.tsx'

/** A page beside the landing page and the dashboard: the way home above it, the footer below. */
export function PageFrame({ className = '', children }: ComponentProps<'main'>) {
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <SkipLink />
      <header className="page-width py-4">
        <Link to="/" className="inline-block py-2">
          <Wordmark />
        </Link>
      </header>
      <main id="main" className={`page-width pt-4 pb-20 ${className}`}>
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}

/** The first stop of the Tab key: leads past the header to the page's main part. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="button skip-link"
      onClick={(event) => {
        const part = document.getElementById('main')
        if (!part) return
        event.preventDefault()
        part.tabIndex = -1
        part.scrollIntoView()
        part.focus({ preventScroll: true })
      }}
    >
      {useMessages('shell').skipToContent}
    </a>
  )
}
