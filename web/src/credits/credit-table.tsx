import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { joinStars } from '../ui/join-stars.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** Entries of the credit history, one a row. */
export function CreditTable({ items }: { items: readonly CreditHistoryItem[] }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const reasons: Record<string, string> = m.reasons
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
          const line = describeEntry(item, m)
          return (
            <tr key={item.id} className="border-b border-line align-top">
              <td className="edge-print py-3 pr-3 text-grey">
                <time dateTime={item.at}>{dateTimeText(item.at, language)}</time>
              </td>
              <td className="py-2 pr-3 [overflow-wrap:anywhere]">
                <span className="font-semibold">{reasons[item.reason] ?? item.reason}</span>
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

/** `+2`, `0`, `−1` with a real minus sign. */
function signed(amount: number): string {
  if (amount > 0) return `+${amount}`
  return amount < 0 ? `\u2212${-amount}` : '0'
}

/** The line under an entry's reason, an operator's own as written; null where the reason says it all. */
export function describeEntry(
  entry: Pick<CreditHistoryItem, 'reason' | 'description' | 'celebrities'>,
  m: DashboardMessages,
): string | null {
  const { reason, description, celebrities } = entry
  if (celebrities.length > 0) {
    return fill(m.celebrityReason, { celebrity: joinStars(celebrities, m) })
  }
  return reason === 'correction' ? description || null : null
}
