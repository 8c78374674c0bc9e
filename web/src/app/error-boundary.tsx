import { Component, type ReactNode } from 'react'
import { useMessages } from '../ui/language.tsx'

/** Catches what a page throws while rendering, and offers to load it again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children
  }
}

function Broken() {
  const m = useMessages('shell')
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col items-start justify-center gap-6 px-6">
      <h1 className="display narrow text-6xl">{m.somethingBroke}</h1>
      <button type="button" className="button button-main" onClick={() => location.reload()}>
        {m.reload}
      </button>
    </main>
  )
}
