import type { ReactNode } from 'react'
import { useMessages } from './language.tsx'

interface LoadMoreButtonProps {
  className: string
  isLoading: boolean
  onClick: () => void
}

/** Asks for the next page of a list. */
export function LoadMoreButton({ className, isLoading, onClick }: LoadMoreButtonProps) {
  const m = useMessages('dashboard')
  return (
    <button
      type="button"
      className={className}
      aria-disabled={isLoading}
      onClick={isLoading ? undefined : onClick}
    >
      {isLoading ? m.loadingMore : m.loadMore}
    </button>
  )
}

/** Stands in for a part that is being loaded. */
export function LoadingMore(): ReactNode {
  const m = useMessages('dashboard')
  return <p className="py-4">{m.loadingMore}</p>
}
