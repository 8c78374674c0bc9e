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
