import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SkipLink } from './skip-link.tsx'
import { Wordmark } from './wordmark.tsx'

/** A page beside the landing page and the dashboard: the way home above it, the footer below. */
export function PageFrame({
  className = '',
  children,
}: {
  className?: string
  children: ReactNode
}) {
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
