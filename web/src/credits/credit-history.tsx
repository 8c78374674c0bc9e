import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { fill } from '../ui/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { describeEntry } from './describe-entry.ts'

/** The ledger as a readable book: why each credit came or went, and what is still owed. */
export function CreditHistory({ creditsOwed }: { creditsOwed: number }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const query = useInfiniteQuery({
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
  const reasons: Record<string, string> = m.reasons
  return (
    <section
      aria-labelledby="ledger"
      className="mx-auto w-full max-w-[100rem] px-4 sm:px-8 lg:px-12"
    >
      <div className="rule grid gap-x-12 gap-y-5 pt-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]">
        <div>
          <h2 id="ledger" className="display narrow text-[clamp(2.2rem,5vw,3.6rem)]">
            {m.ledgerTitle}
          </h2>
          <p className="mt-3 text-grey">{m.ledgerLead}</p>
          {creditsOwed > 0 ? (
            <p className="mt-3 font-semibold">{fill(m.creditsOwed, { count: creditsOwed })}</p>
          ) : null}
        </div>
        <div>
          {query.isPending ? <p role="status">{m.ledgerLoading}</p> : null}
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
            <table className="w-full border-collapse text-left">
              <thead className="edge-print">
                <tr className="border-b-2 border-ink">
                  <th className="py-2 pr-3 font-normal">{m.ledgerWhen}</th>
                  <th className="py-2 pr-3 font-normal">{m.ledgerWhat}</th>
                  <th className="py-2 text-right font-normal whitespace-nowrap">
                    {m.ledgerChange}
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.id} className="border-b border-line align-top">
                    <td className="edge-print py-3 pr-3 text-grey">
                      <time dateTime={item.at}>{dateTimeText(item.at, language)}</time>
                    </td>
                    <td className="py-2 pr-3 [overflow-wrap:anywhere]">
                      <span className="font-semibold">{reasons[item.reason] ?? item.reason}</span>
                      {describeEntry(item, m) ? (
                        <span className="block text-[0.95rem] text-grey">
                          {describeEntry(item, m)}
                        </span>
                      ) : null}
                    </td>
                    <td
                      className={`py-2 text-right font-mono text-lg ${item.amount > 0 ? 'text-green' : ''}`}
                    >
                      {signed(item.amount)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : null}
          {query.hasNextPage ? (
            <button
              type="button"
              className="button mt-5"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? m.loadingMore : m.loadMore}
            </button>
          ) : null}
        </div>
      </div>
    </section>
  )
}

/** `+2`, `0`, `−1` with a real minus sign. */
function signed(amount: number): string {
  if (amount > 0) return `+${amount}`
  return amount < 0 ? `\u2212${-amount}` : '0'
}
