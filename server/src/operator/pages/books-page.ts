import type { OperatorParts } from '../parts.ts'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { readLedgerTotals } from '../../ledger/credits/ledger-totals.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { auditOrders } from '../../payments/audit-orders.ts'
import type { PageBody } from '../operator-page.ts'
import { facts, table } from '../tables.ts'

export const booksPage: PageBody = {
  show: ({ context }) => showBooks(context),
}

async function showBooks({ database }: Pick<OperatorParts, 'database'>): Promise<Html> {
  const report = await auditBooks(database)
  const findings = [...report.findings, ...(await auditOrders(database))]
  const totals = await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readLedgerTotals(transaction))
  return html`<p class="${findings.length === 0 ? '' : 'bad'}">
      ${findings.length === 0 ? 'The ledger adds up.' : `${findings.length} findings.`}
    </p>
    <ul>
      ${findings.map((finding) => html`<li class="bad">${finding}</li>`)}
    </ul>
    ${facts([
      ['Entries', report.entries],
      ['Accounts', report.userAccounts],
      ['Open holds', report.openHolds],
      ['Sum of all accounts', report.sum],
    ])}
    ${table(
      ['Reason', 'Entries', 'Credits'],
      totals.map(({ reason, entries, amount }) => [reason, entries, amount]),
    )}`
}
