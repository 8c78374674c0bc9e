import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { auditBooks, inAudit } from '../../ledger/credits/audit.ts'
import { readLedgerTotals } from '../../ledger/credits/ledger-totals.ts'
import { html } from '../../platform/http/html.ts'
import { auditOrders } from '../../payments/audit-orders.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { counted, facts, listTable } from '../tables.ts'

export const booksPage: PageBody = { show: showBooks }

async function showBooks({ context: { database } }: OperatorCall) {
  const report = await auditBooks(database)
  const findings = [...report.findings, ...(await auditOrders(database))]
  const totals = await inAudit(database, readLedgerTotals)
  return html`<p class="${findings.length === 0 ? '' : 'bad'}">
      ${findings.length === 0 ? 'The ledger adds up.' : counted('{count, plural, one {# error} other {# errors}} found.', findings.length)}
    </p>
    <ul>
      ${findings.map((finding) => html`<li class="bad">${finding}</li>`)}
    </ul>
    ${facts([
      ['Entries', report.entries],
      ['Accounts', report.userAccounts],
      ['Credits reserved by unfinished selfies', report.openHolds],
      ['Sum of all accounts, 0 if right', report.sum],
    ])}
    ${listTable(totals, 'No credit has moved yet.', {
      Reason: ({ reason }) => texts.reasons[reason],
      Entries: ({ entries }) => entries,
      Credits: ({ amount }) => amount,
    })}`
}
