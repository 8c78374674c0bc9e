import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { fill } from '@starside/contract/fill.ts'
import { signed } from '@starside/contract/signed.ts'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { joinStars } from '../ui/join-stars.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** Entries of the credit history, one a row. */
export function CreditTable({ items }: { items: readonly CreditHistoryItem[] }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  return (
    <table className="w-full border-collapse text-left">
      <thead className="edge-print">
        <tr className="border-b-2 border-ink">
          <th className="py-2 pr-3 font-normal">{m.ledgerWhen}</th>
          <th className="py-2 pr-3 font-normal">{m.ledgerWhat}</th>
          <th className="py-2 text-right font-normal whitespace-nowrap">{m.ledgerChange}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const [title, line] = describeEntry(item, m)
          return (
            <tr key={item.id} className="border-b border-line align-top">
              <td className="edge-print py-3 pr-3 text-grey">
                <time dateTime={item.at}>{dateTimeText(item.at, language)}</time>
              </td>
              <td className="py-2 pr-3 [overflow-wrap:anywhere]">
                <span className="font-semibold">{title}</span>
                {line ? <span className="block text-[0.95rem] text-grey">{line}</span> : null}
              </td>
              <td
                className={`py-2 text-right font-mono text-lg ${item.amount > 0 ? 'text-green' : ''}`}
              >
                {signed(item.amount)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** What an entry is called, and a line under it where that doesn't say it all: an operator's own as written. */
export function describeEntry(
  entry: Pick<CreditHistoryItem, 'reason' | 'description' | 'celebrities' | 'order'>,
  m: DashboardMessages,
): [title: string, line?: string] {
  const { reason, description, celebrities, order } = entry
  const reasons: Record<string, string> = m.reasons
  const title = reasons[reason] ?? reason
  if (celebrities.length > 0) {
    const line = fill(m.celebrityReason, { celebrity: joinStars(celebrities, m) })
    // Of a selfie that was made this says it all.
    return reason === 'usage' ? [line] : [title, line]
  }
  if (order)
    return [title, fill(m.purchaseReason, { ...order, price: `$${order.amount.toFixed(2)}` })]
  return reason === 'correction' && description !== '' ? [title, description] : [title]
}
