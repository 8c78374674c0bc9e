import { useState } from 'react'
import { call } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { FoldButton } from '../ui/button.tsx'
import { useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { LoadingMore, QueryState, LoadMoreButton, usePages } from '../ui/query-state.tsx'

const CreditTable = loadPart(() => import('./credit-table.tsx'), 'CreditTable', <LoadingMore />)

/** What is still owed, and, unfolded, why each credit came or went. */
export function CreditHistory({ creditsOwed }: { creditsOwed: number }) {
  const m = useMessages('dashboard')
  const [unfolded, setUnfolded] = useState(false)
  const query = usePages(
    ['credit-history'],
    (cursor, signal) => call('GET /api/user?action=credit-history', { query: { cursor }, signal }),
    { enabled: unfolded },
  )
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section aria-labelledby="ledger" className="page-width">
      <div className="border-t-2 border-ink pt-2">
        <h2 id="ledger">
          <FoldButton
            className="display narrow min-h-11 text-3xl"
            unfolded={unfolded}
            aria-controls="ledger-entries"
            onClick={() => setUnfolded(!unfolded)}
          >
            {m.ledgerTitle}
          </FoldButton>
        </h2>
        {creditsOwed > 0 ? (
          <p className="mt-3 font-semibold">{fill(m.creditsOwed, { count: creditsOwed })}</p>
        ) : null}
        <div id="ledger-entries" hidden={!unfolded} className="max-w-4xl">
          {unfolded ? (
            <QueryState query={query} loading={m.ledgerLoading} failed={m.ledgerFailed} />
          ) : null}
          {query.isSuccess && items.length === 0 ? <p>{m.ledgerEmpty}</p> : null}
          {items.length > 0 ? <CreditTable items={items} /> : null}
          <LoadMoreButton className="mt-5" query={query} />
        </div>
      </div>
    </section>
  )
}
