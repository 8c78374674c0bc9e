import { html } from '../../platform/http/html.ts'
import { listBatches } from '../../ledger/vouchers/voucher-batches.ts'
import type { BatchReport } from '../../ledger/vouchers/voucher-batches.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { createVouchersAct, voidVouchers } from '../acts/voucher-acts.ts'
import type { PageBody } from '../operator-page.ts'
import { dayText, listTable, time } from '../tables.ts'

const rowsMax = 200

export const vouchersPage: PageBody = {
  async show(call) {
    return html`${call.may(createVouchersAct.right) && html`<h2>New batch</h2>`}
      ${actForm(call, createVouchersAct, {}, { isFolded: false })}
      <h2>Batches</h2>
      ${listTable(await listBatches(call.context.database, rowsMax), 'No batch yet.', {
        Name: ({ name }) => name,
        Redeemed: ({ redeemed, issued }) => html`<b>${redeemed}</b> of ${issued}`,
        Credits: ({ credits }) => credits,
        'Per code': ({ uses_max }) => uses_max,
        'Per user': ({ person_uses_max }) => person_uses_max,
        'Valid (UTC)': validityOf,
        Made: ({ created_at, created_by }) => html`${time(created_at)} by ${created_by}`,
        Actions: ({ id, voided_at }) =>
          voided_at === null && actForm(call, voidVouchers, { id }, { row: id }),
      })}
      ${actForm(call, voidVouchers, {}, { button: 'Void one code' })}`
  },
  forms: actForms(createVouchersAct, voidVouchers),
}

/** The days on which codes hold; an end is kept as the beginning of the day after it. */
function validityOf({ voided_at, starts_at, ends_at }: BatchReport) {
  if (voided_at !== null) return html`<span class="bad">void since ${time(voided_at)}</span>`
  const from = starts_at && `from ${dayText(starts_at)}`
  const to = ends_at && `to ${dayText(new Date(ends_at.getTime() - 1))}`
  return [from, to].filter(Boolean).join(' ') || 'always'
}
