import { html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { addOperatorAct, changeOperatorAct, resetOperatorAct } from '../acts/operator-acts.ts'
import type { PageBody } from '../operator-page.ts'
import { listOperators } from '../operators.ts'
import { listTable, time } from '../tables.ts'

export const operatorsPage: PageBody = {
  async show(call) {
    return html`${listTable(await listOperators(call.context.database), {
        Name: ({ name }) => name,
        Role: ({ isDisabled, role }) =>
          isDisabled ? html`<span class="bad">disabled</span>` : role,
        'Second factor': ({ hasSecondFactor }) =>
          hasSecondFactor ? 'yes' : html`<span class="warn">no</span>`,
        Since: ({ createdAt }) => time(createdAt),
        Actions: ({ name: id, role, isDisabled }) =>
          html`<div class="acts">
            ${actForm(call, changeOperatorAct, { id }, { row: id, begins: { role, disabled: isDisabled } })}
            ${actForm(call, resetOperatorAct, { id }, { row: id })}
          </div>`,
      })}
      <h2>Add somebody</h2>
      ${actForm(call, addOperatorAct, {}, { isFolded: false, begins: { role: 'support' } })}
      <p>
        An owner does everything. Support looks after users, orders and vouchers; a moderator after
        reports, pictures and stars. A reset gives a new password, removes the second factor and
        ends all sessions.
      </p>`
  },
  forms: actForms(addOperatorAct, changeOperatorAct, resetOperatorAct),
}
