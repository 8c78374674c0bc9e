import type { ReactNode } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMessages } from './language.tsx'
import { Button, TextButton } from './button.tsx'

interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; refetch: () => unknown }
  loading: string
  failed: string
}

/** What is said while something is asked for, and where that failed, with the way to ask again. */
export function QueryState({ query, loading, failed }: QueryStateProps): ReactNode {
  const m = useMessages('dashboard')
  if (!query.isPending && !query.isError) return null
  return query.isError ? (
    <p role="alert">
      {failed} <TextButton onClick={() => void query.refetch()}>{m.tryAgain}</TextButton>
    </p>
  ) : (
    <p role="status">{loading}</p>
  )
}

/** A list that comes page by page, each saying where the next begins; until one of another key comes, the last stays. */
export function usePages<Page extends { nextCursor: string | null }>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  options: {
    enabled?: boolean
    refetchInterval?: number | ((of: { state: { data: { pages: Page[] } | undefined } }) => number)
    staleTime?: number
  } = {},
) {
  return useInfiniteQuery({
    ...options,
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

interface LoadMoreButtonProps {
  className: string
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Asks for the next page of a list, where there is one. */
export function LoadMoreButton({ className, query }: LoadMoreButtonProps) {
  const m = useMessages('dashboard')
  const { hasNextPage, isFetchingNextPage: isLoading, fetchNextPage } = query
  if (!hasNextPage) return null
  return (
    <Button
      className={className}
      aria-disabled={isLoading}
      onClick={isLoading ? undefined : () => void fetchNextPage()}
    >
      {isLoading ? m.loadingMore : m.loadMore}
    </Button>
  )
}

/** Stands in for a part that is being loaded. */
export function LoadingMore(): ReactNode {
  return <p className="py-4">{useMessages('dashboard').loadingMore}</p>
}
