import { useMessages } from './language.tsx'

/** The first stop of the Tab key: leads past the header to the page's main part. */
export function SkipLink() {
  const m = useMessages('shell')
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
      {m.skipToContent}
    </a>
  )
}
