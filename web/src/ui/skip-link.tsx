/** The first stop of the Tab key: leads past the header to a part of the page. */
export function SkipLink({ target, text }: { target: string; text: string }) {
  return (
    <a
      href={`#${target}`}
      className="button skip-link"
      onClick={(event) => {
        const part = document.getElementById(target)
        if (!part) return
        event.preventDefault()
        part.tabIndex = -1
        part.scrollIntoView()
        part.focus({ preventScroll: true })
      }}
    >
      {text}
    </a>
  )
}
