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
      <header className="mx-auto w-full max-w-[100rem] px-4 py-4 sm:px-8 lg:px-12">
        <Link to="/" className="inline-block py-2">
          <Wordmark />
        </Link>
      </header>
      <main
        id="main"
        className={`mx-auto w-full max-w-[100rem] px-4 pt-4 pb-20 sm:px-8 lg:px-12 ${className}`}
      >
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}
