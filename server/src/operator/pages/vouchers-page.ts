import { html } from '../../platform/http/html.ts'
import { listBatches } from '../../ledger/vouchers/voucher-batches.ts'
import type { BatchReport } from '../../ledger/vouchers/voucher-batches.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { createVouchersAct, voidVouchers } from '../acts/voucher-acts.ts'
import type { PageBody } from '../operator-page.ts'
import { listTable, time } from '../tables.ts'

const rowsMax = 200

export const vouchersPage: PageBody = {
  async show(call) {
    return html`<p>
        Codes for credits. Voucher credits never expire. They keep the watermark; only bought
        credits remove it. Codes are shown only once.
      </p>
      ${call.may(createVouchersAct.right) && html`<h2>New batch</h2>`}
      ${actForm(call, createVouchersAct, {}, { isFolded: false })}
      <h2>Batches</h2>
      ${listTable(await listBatches(call.context.database, rowsMax), 'No vouchers yet.', {
        Name: ({ name }) => name,
        Redeemed: ({ redeemed, issued }) => html`<b>${redeemed}</b> of ${issued}`,
        Credits: ({ credits }) => credits,
        'Per code': ({ uses_max }) => uses_max,
        'Per user': ({ person_uses_max }) => person_uses_max,
        Valid: validityOf,
        Made: ({ created_at, created_by }) => `${time(created_at)} ${created_by}`,
        Actions: ({ id, voided_at }) =>
          voided_at === null && actForm(call, voidVouchers, { id }, { row: id }),
      })}
      ${actForm(call, voidVouchers, {}, { button: 'Void one code' })}`
  },
  forms: actForms(createVouchersAct, voidVouchers),
}

function validityOf({ voided_at, starts_at, ends_at }: BatchReport) {
  if (voided_at !== null) return html`<span class="bad">void since ${time(voided_at)}</span>`
  if (starts_at === null && ends_at === null) return 'always'
  return `${starts_at === null ? '' : `from ${time(starts_at)}`} ${ends_at === null ? '' : `until ${time(ends_at)}`}`.trim()
}
