import { useEffect, useRef } from 'react'
import { useLocation } from '../ui/router.tsx'

/**
 * Takes the reader along when the page changes: the new page starts at its top, and one that the
 * reader comes back to where they left it; its heading gets the focus, so that a screen reader says
 * where one is, and the tab is named after it. An address with a hash leads to that part of the
 * page instead. The first page is left as it is.
 */
export function usePageFocus(): void {
  const location = useLocation()
  const page = `${location.pathname}?${pageOf(location.search)}`
  const shown = useRef<string>(page)
  const firstTitle = useRef<string>(null)
  useEffect(() => {
    const { pathname, hash } = location
    firstTitle.current ??= document.title
    const isNew = shown.current !== page
    shown.current = page
    if (isNew) {
      scrollTo(0, location.leftAtPx)
      // The form's own heading says more than the page's, where there is one.
      const heading =
        document.querySelector<HTMLElement>('[data-page-heading]') ??
        document.querySelector<HTMLElement>('main h1')
      focusPart(heading)
      document.title = pathname === '/' ? firstTitle.current : (heading?.innerText ?? '')
    }
    const part = hash.length > 1 ? document.getElementById(hash.slice(1)) : null
    if (part) {
      part.scrollIntoView()
      focusPart(part)
    }
  }, [page, location])
}

function pageOf(search: string): string {
  const query = new URLSearchParams(search)
  return query.get('mode') ?? query.get('view') ?? ''
}

function focusPart(part: HTMLElement | null): void {
  if (!part) return
  if (part.tabIndex < 0) part.tabIndex = -1
  part.focus({ preventScroll: true })
}
