import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { foldedForm, form } from '../form-fields.ts'
import {
  addOperator,
  changeOperator,
  listOperators,
  makeFirstPassword,
  operatorNamePattern,
  resetOperator,
} from '../operators.ts'
import type { OperatorRow } from '../operators.ts'
import { operatorRoles } from '../roles.ts'
import { table, time } from '../tables.ts'

const act = 'manage operators'
const role = z.enum(operatorRoles)

export const operatorsPage: AdminPage = {
  path: '/admin/operators',
  title: 'Operators',
  act,
  group: 'Running',
  show: showOperators,
  forms: {
    add: defineForm({
      act,
      fields: z.object({
        name: z
          .string()
          .trim()
          .toLowerCase()
          .regex(operatorNamePattern, '2 to 80 letters, digits or . _ @ + -'),
        role,
      }),
      async submit({ context }, input) {
        const password = makeFirstPassword(context.randomBytes)
        if (!(await addOperator(context.database, { ...input, password }))) {
          return { refused: 'Nobody was added.', problems: { name: 'This name is taken.' } }
        }
        return {
          page: showPassword(input.name, password),
          log: { subject: input.name, after: input },
        }
      },
    }),
    change: defineForm({
      act,
      fields: z.object({ operatorId: z.uuid(), role, disabled: z.literal('on').optional() }),
      async submit({ context: { database, clock } }, input) {
        const before = (await listOperators(database)).find(({ id }) => id === input.operatorId)
        const result = await changeOperator(database, {
          operatorId: input.operatorId,
          role: input.role,
          isDisabled: input.disabled === 'on',
          now: clock(),
        })
        if (result === 'unknown' || before === undefined)
          return { refused: 'There is no such operator.' }
        if (result === 'last_owner') {
          return { refused: `${before.name} is the last owner. Make somebody else one first.` }
        }
        const after = { role: input.role, isDisabled: input.disabled === 'on' }
        return {
          done: `${before.name} is changed.`,
          log: {
            subject: before.name,
            before: { role: before.role, isDisabled: before.isDisabled },
            after,
          },
        }
      },
    }),
    reset: defineForm({
      act,
      fields: z.object({ name: z.string().max(80) }),
      async submit({ context }, { name }) {
        const password = makeFirstPassword(context.randomBytes)
        if (!(await resetOperator(context.database, { name, password }))) {
          return { refused: 'There is no such operator.' }
        }
        return { page: showPassword(name, password), log: { subject: name } }
      },
    }),
  },
}

async function showOperators(call: AdminCall): Promise<Html> {
  const operators = await listOperators(call.context.database)
  return html`${table(
      ['Name', 'Role', 'Second factor', 'Since', ''],
      operators.map((operator) => [
        operator.name,
        operator.isDisabled ? html`<span class="bad">disabled</span>` : operator.role,
        operator.hasSecondFactor ? 'yes' : html`<span class="warn">no</span>`,
        time(operator.createdAt),
        html`<div class="acts">${changeForms(call, operator)}</div>`,
      ]),
    )}
    <h2>Add somebody</h2>
    ${form(
      call,
      'add',
      (fields) =>
        html`${fields.text({ name: 'name', label: 'Name', isRequired: true, lengthMax: 80, hint: 'What they sign in with; an e-mail will do.' })}
        ${fields.select({ name: 'role', label: 'Role', value: 'support', options: operatorRoles.map((each) => [each, each]) })}`,
      { button: 'Add' },
    )}
    <p>
      An owner does everything. Support looks after people, orders and vouchers; a moderator after
      reports, pictures and stars.
    </p>`
}

function changeForms(call: AdminCall, operator: OperatorRow): Html {
  return html`${foldedForm(
    call,
    'change',
    (fields) =>
      html`${fields.hidden('operatorId', operator.id)}
      ${fields.select({ name: 'role', label: 'Role', value: operator.role, options: operatorRoles.map((each) => [each, each]) })}
      ${fields.checkbox({ name: 'disabled', label: 'Disabled', isTicked: operator.isDisabled })}`,
    { button: 'Change', row: operator.id },
  )}
  ${foldedForm(
    call,
    'reset',
    (fields) =>
      html`${fields.hidden('name', operator.name)}
        <p class="hint">A new password, no second factor, all sessions end.</p>`,
    { button: 'Reset', isDangerous: true, row: operator.id },
  )}`
}

function showPassword(name: string, password: string): Html {
  return html`<p>${name} signs in with this password, which is not shown again:</p>
    <pre>${password}</pre>
    <p>Ask them to change it and to set up a second factor under <b>Your sign-in</b>.</p>
    <p><a class="button" href="/admin/operators">Back to the operators</a></p>`
}
