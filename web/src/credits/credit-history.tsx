import { Suspense, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { FoldSign } from '../ui/fold-sign.tsx'
import { useMessages } from '../ui/language.tsx'
import { LoadMoreButton } from '../ui/load-more-button.tsx'
import { loadLater } from '../ui/load-later.ts'

const CreditTable = loadLater(async () => (await import('./credit-table.tsx')).CreditTable)

/** What is still owed, and, unfolded, why each credit came or went. */
export function CreditHistory({ creditsOwed }: { creditsOwed: number }) {
  const m = useMessages('dashboard')
  const [unfolded, setUnfolded] = useState(false)
  const query = useInfiniteQuery({
    enabled: unfolded,
    queryKey: ['credit-history'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user?action=credit-history', {
        query: { cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section aria-labelledby="ledger" className="page-width">
      <div className="rule pt-2">
        <h2 id="ledger">
          <button
            type="button"
            className="display narrow min-h-11 text-3xl"
            aria-expanded={unfolded}
            aria-controls="ledger-entries"
            onClick={() => setUnfolded(!unfolded)}
          >
            {m.ledgerTitle}
            <FoldSign unfolded={unfolded} />
          </button>
        </h2>
        {creditsOwed > 0 ? (
          <p className="mt-3 font-semibold">{fill(m.creditsOwed, { count: creditsOwed })}</p>
        ) : null}
        <div id="ledger-entries" hidden={!unfolded} className="max-w-4xl">
          {query.isLoading ? <p role="status">{m.ledgerLoading}</p> : null}
          {query.isError ? (
            <p role="alert">
              {m.ledgerFailed}{' '}
              <button type="button" className="text-link" onClick={() => void query.refetch()}>
                {m.tryAgain}
              </button>
            </p>
          ) : null}
          {query.isSuccess && items.length === 0 ? <p>{m.ledgerEmpty}</p> : null}
          {items.length > 0 ? (
            <Suspense fallback={<p>{m.ledgerLoading}</p>}>
              <CreditTable items={items} />
            </Suspense>
          ) : null}
          {query.hasNextPage ? (
            <LoadMoreButton
              className="button mt-5"
              isLoading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            />
          ) : null}
        </div>
      </div>
    </section>
  )
}
