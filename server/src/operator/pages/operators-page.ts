import { sql } from 'kysely'
import { html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { addOperatorAct, changeOperatorAct, resetOperatorAct } from '../acts/operator-acts.ts'
import type { PageBody } from '../operator-page.ts'
import { findRows } from '../../platform/db/rows.ts'
import { listTable, time } from '../tables.ts'

export const operatorsPage: PageBody = {
  async show(call) {
    const operators = await findRows(call.context.database, 'operators', sql`true order by name`)
    return html`${listTable(operators, 'Nobody has an account of their own yet.', {
        Name: ({ name }) => name,
        Role: ({ disabled_at, role }) =>
          disabled_at === null ? role : html`<span class="bad">disabled</span>`,
        'Second factor': ({ totp_confirmed_at }) =>
          totp_confirmed_at === null ? html`<span class="warn">no</span>` : 'yes',
        Since: ({ created_at }) => time(created_at),
        Actions: ({ name: id, role, disabled_at }) =>
          html`<div class="acts">
            ${actForm(call, changeOperatorAct, { id }, { row: id, begins: { role, disabled: disabled_at !== null } })}
            ${actForm(call, resetOperatorAct, { id }, { row: id })}
          </div>`,
      })}
      <h2>Add somebody</h2>
      ${actForm(call, addOperatorAct, {}, { isFolded: false, begins: { role: 'support' } })}`
  },
  forms: actForms(addOperatorAct, changeOperatorAct, resetOperatorAct),
}
