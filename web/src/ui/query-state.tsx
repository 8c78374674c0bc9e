import type { ReactNode } from 'react'
import { useMessages } from './language.tsx'
import { TextButton } from './button.tsx'

interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; refetch: () => unknown }
  loading: string
  failed: string
  className?: string
}

/** What is said while something is asked for, and where that failed, with the way to ask again. */
export function QueryState({ query, loading, failed, className }: QueryStateProps): ReactNode {
  const m = useMessages('dashboard')
  return (
    <>
      {query.isPending ? (
        <p role="status" className={className}>
          {loading}
        </p>
      ) : null}
      {query.isError ? (
        <p role="alert" className={className}>
          {failed} <TextButton onClick={() => void query.refetch()}>{m.tryAgain}</TextButton>
        </p>
      ) : null}
    </>
  )
}
