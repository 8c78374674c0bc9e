import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { signed } from '@starside/contract/signed.ts'
import { sql } from 'kysely'
import { inAudit } from '../../ledger/credits/audit.ts'
import type { LedgerEntriesTable } from '../../platform/db/tables.d.ts'
import { html } from '../../platform/http/html.ts'
import { auditAll } from '../audit-all.ts'
import type { PageBody } from '../operator-page.ts'
import { counted, facts, listTable } from '../tables.ts'

export const booksPage: PageBody = {
  async show({ context: { database } }) {
    const { findings, ...report } = await auditAll(database)
    const { rows: changes } = await inAudit(database, (books) => readChanges.execute(books))
    return html`<p class="${findings.length === 0 ? '' : 'bad'}">
        ${findings.length === 0 ? 'The ledger adds up.' : counted('{count, plural, one {# error} other {# errors}} found.', findings.length)}
      </p>
      <ul>
        ${findings.map((finding) => html`<li class="bad">${finding}</li>`)}
      </ul>
      ${facts([
        ['Entries', report.entries],
        ['Accounts', report.userAccounts],
        ['Credits held for unfinished selfies', report.heldCredits],
        ['Sum of all accounts (must be 0)', report.sum],
      ])}
      ${listTable(changes, 'No credit has moved yet.', {
        Reason: ({ reason }) => texts.reasons[reason],
        Entries: ({ entries }) => entries,
        Credits: ({ credits }) => signed(credits),
      })}`
  },
}

/** By how much each reason changed what users and events have: what a system account gives is a gain. */
const readChanges = sql<{ reason: LedgerEntriesTable['reason']; entries: number; credits: number }>`
  select reason, count(*)::integer as entries,
    sum(case account.kind when 'system' then amount else -amount end)::integer as credits
  from ledger_entries join credit_accounts as account on account.id = debit_account_id
  group by reason order by reason`
