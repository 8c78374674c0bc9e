import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { createKeyedDigest } from '../../secrets/keyed-digest.ts'
import { createVouchers } from '../../vouchers/create-vouchers.ts'
import type { CreatedVouchers } from '../../vouchers/create-vouchers.ts'
import { listBatches } from '../../vouchers/list-batches.ts'
import type { BatchReport } from '../../vouchers/list-batches.ts'
import { voidBatch, voidCode } from '../../vouchers/void-vouchers.ts'
import { voucherRules } from '../../vouchers/voucher-rules.ts'
import { voucherSheet } from '../../vouchers/voucher-sheet.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { foldedForm, form } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { table, time } from '../tables.ts'

const act = 'change vouchers'
const rowsMax = 200

export const vouchersPage: AdminPage = {
  path: '/admin/vouchers',
  title: 'Vouchers',
  act: 'see vouchers',
  group: 'Shop',
  show: showVouchers,
  forms: {
    create: defineForm({
      act,
      fields: voucherRules,
      async submit({ context, operator }, rules) {
        const made = await createVouchers(context, { ...rules, createdBy: operator.name })
        const sheet = voucherSheet(made, rules, context.config.publicUrl)
        return { page: showCodes(made, sheet), log: { subject: made.batchId, after: rules } }
      },
    }),
    void: defineForm({
      act,
      fields: z.object({ batchId: z.uuid(), reason: reasonField }),
      async submit({ context: { database, clock } }, { batchId, reason }) {
        if (!(await voidBatch(database, { batchId, now: clock() }))) {
          return { refused: 'There is no such valid batch.' }
        }
        return { done: 'The batch is void.', log: { subject: batchId, reason } }
      },
    }),
    'void-code': defineForm({
      act,
      fields: z.object({ code: z.string().max(60), reason: reasonField }),
      async submit({ context: { database, clock, keys } }, { code, reason }) {
        const digest = createKeyedDigest(keys.vouchers)
        if (!(await voidCode(database, { code, now: clock(), digest }))) {
          return { refused: 'Nothing was changed.', problems: { code: 'No valid voucher has it.' } }
        }
        return { done: 'The code is void.', log: { reason } }
      },
    }),
  },
}

async function showVouchers(call: AdminCall): Promise<Html> {
  const batches = await listBatches(call.context.database, rowsMax)
  const mayChange = call.may(act)
  return html`<p>
      Codes for credits. Credits of a voucher never expire and leave the watermark; bought ones
      remove it. Only digests of the codes are kept, so they are shown once.
    </p>
    ${mayChange && createForm(call)}
    <h2>Batches</h2>
    ${table(
      ['Name', 'Redeemed', 'Credits', 'Per code', 'Per person', 'Valid', 'Made', ''],
      batches.map((batch) => [
        batch.name,
        html`<b>${batch.redeemed}</b> of ${batch.issued}`,
        batch.credits,
        batch.usesMax,
        batch.personUsesMax,
        validityOf(batch),
        `${time(batch.createdAt)} ${batch.createdBy}`,
        mayChange && batch.voidedAt === null && voidForm(call, batch),
      ]),
    )}
    ${
      mayChange &&
      foldedForm(
        call,
        'void-code',
        (fields) =>
          html`${fields.text({ name: 'code', label: 'Code', isRequired: true })}
          ${fields.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })}`,
        { button: 'Void one code', isDangerous: true },
      )
    }`
}

function createForm(call: AdminCall): Html {
  return html`<h2>New batch</h2>
    ${form(
      call,
      'create',
      (fields) =>
        html` ${fields.text({ name: 'name', label: 'Name', hint: 'For operators alone.', isRequired: true, lengthMax: 80 })}
        ${fields.text({ name: 'credits', label: 'Credits of a redemption', isRequired: true, inputMode: 'numeric' })}
        ${fields.text({ name: 'codes', label: 'Codes', value: 1, hint: 'Up to 1,000.', isRequired: true, inputMode: 'numeric' })}
        ${fields.text({ name: 'usesMax', label: 'Times each code may be redeemed', value: 1, isRequired: true, inputMode: 'numeric' })}
        ${fields.text({ name: 'personUsesMax', label: 'Times one person may redeem the batch', value: 1, isRequired: true, inputMode: 'numeric' })}
        ${fields.text({ name: 'from', label: 'First day (UTC)', type: 'date', hint: 'Empty: at once.' })}
        ${fields.text({ name: 'to', label: 'Last day (UTC)', type: 'date', hint: 'Empty: no end.' })}`,
      { button: 'Make codes' },
    )}`
}

function voidForm(call: AdminCall, batch: BatchReport): Html {
  return foldedForm(
    call,
    'void',
    (fields) =>
      html`${fields.hidden('batchId', batch.id)}
      ${fields.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })}`,
    { button: 'Void', isDangerous: true, row: batch.id },
  )
}

function validityOf({ voidedAt, startsAt, endsAt }: BatchReport): Html | string {
  if (voidedAt !== null) return html`<span class="bad">void since ${time(voidedAt)}</span>`
  if (startsAt === null && endsAt === null) return 'always'
  return `${startsAt === null ? '' : `from ${time(startsAt)}`} ${endsAt === null ? '' : `until ${time(endsAt)}`}`.trim()
}

/** The codes, this once: to copy, and as a file that the browser makes of the page itself. */
function showCodes({ codes }: CreatedVouchers, sheet: string): Html {
  return html`<p>
      <b>${codes.length} ${codes.length === 1 ? 'code' : 'codes'}.</b> They are shown this once:
      save them before you leave this page.
    </p>
    <p>
      <a href="data:text/csv;charset=utf-8,${encodeURIComponent(sheet)}" download="vouchers.csv"
        >Save as CSV</a
      >
    </p>
    <div class="field">
      <label for="sheet">Number, code, link, credits, from, until</label>
      <textarea id="sheet" rows="${Math.min(20, codes.length + 2)}" readonly>${sheet}</textarea>
    </div>
    <p><a href="/admin/vouchers">Back to the vouchers</a></p>`
}
