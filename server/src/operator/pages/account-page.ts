import { deviceName } from '@starside/contract/device-name.ts'
import { z } from 'zod'
import { readFileSync } from 'node:fs'
import { fillHtml, html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { defineForm } from '../operator-page.ts'
import type { OperatorCall, PageBody, FormOutcome } from '../operator-page.ts'
import { form } from '../form-fields.ts'
import { endOperatorSession, listOperatorSessions } from '../operator-sessions.ts'
import { operatorPasswordLengthMin, setOperatorPassword } from '../operators.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readWaitingSecret,
  removeSecondFactor,
  toBase32,
  totpUri,
} from '../second-factor.ts'
import { currentPassword, judgePassword, noAccount, wrongPassword } from '../own-password.ts'
import type { ProvedOperator } from '../second-factor.ts'
import { findRow, findRows } from '../../platform/db/rows.ts'
import { counted, listTable, qrCode, showOnce, time } from '../tables.ts'

const right = 'change own sign-in'
const password = z.string().max(300)
const newPassword = password.min(
  operatorPasswordLengthMin,
  `At least ${operatorPasswordLengthMin} characters.`,
)

export const accountPage: PageBody = {
  async show(call) {
    const { operator, context } = call
    const sessions = await listOperatorSessions(context, operator)
    return html`${operator.id === undefined ? html`<p>${noAccount}</p>` : await showCredentials(call, operator.id)}
      <h2>Sessions</h2>
      ${listTable(sessions, 'You are signed in nowhere else.', {
        Since: ({ created_at }) => time(created_at),
        Until: ({ expires_at }) => time(expires_at),
        Address: ({ address }) => address,
        Browser: ({ user_agent }) => deviceName(user_agent) ?? user_agent.slice(0, 80),
        Actions: ({ id: sessionId }) =>
          sessionId === operator.sessionId
            ? 'this one'
            : form(call, 'end-session', (fields) => fields.hidden('sessionId', sessionId), {
                button: 'End',
              }),
      })}`
  },
  forms: {
    password: passwordForm({ next: newPassword }, async (call, proved, { next }) => {
      const { sessionId: keptSessionId } = call.operator
      const changed = { ...proved, password: next, keptSessionId }
      const isDone = await setOperatorPassword(call.context.database, changed)
      if (!isDone) return wrongPassword
      return { done: 'The password is changed. Your other sessions ended.' }
    }),
    // Who has a session alone sees no secret and puts none into use.
    'begin-second-factor': passwordForm({}, async (call, proved) => ({
      page: await showWaitingSecret(call, await beginSecondFactor(call.context, proved)),
    })),
    'confirm-second-factor': passwordForm(
      { code: z.string().max(20) },
      async ({ context, operator }, proved, { code }) => {
        const { sessionId: keptSessionId } = operator
        const codes = await confirmSecondFactor(context, { ...proved, code, keptSessionId })
        if (codes === undefined) {
          const problems = { code: 'This is not the code that the app shows now.' }
          return { refused: 'The second factor is not in use yet.', problems }
        }
        return { page: fillHtml(recoveryCodes, { codes: showOnce(...codes) }) }
      },
    ),
    'remove-second-factor': passwordForm({}, async ({ context }, proved) => {
      if (!(await removeSecondFactor(context.database, proved))) return wrongPassword
      return { done: 'Your password alone signs you in now.' }
    }),
    'end-session': defineForm({
      right,
      fields: z.object({ sessionId: z.uuid() }),
      async submit({ context, operator }, { sessionId }) {
        const isDone = await endOperatorSession(context.database, operator, sessionId)
        return isDone ? { done: 'The session ended.' } : { refused: 'There is no such session.' }
      },
    }),
  },
}

/** A form that does something for whoever knows the password of the account that they are signed in to. */
function passwordForm<Shape extends z.ZodRawShape>(
  shape: Shape,
  submit: (
    call: OperatorCall,
    proved: ProvedOperator,
    input: z.output<z.ZodObject<Shape>>,
  ) => Promise<FormOutcome>,
) {
  const own = z.object(shape)
  return defineForm({
    right,
    fields: z.intersection(z.object({ current: password }), own),
    async submit(call, input) {
      const judged = await judgePassword(call, input.current)
      return 'refused' in judged ? judged : submit(call, judged, input)
    },
  })
}

async function showCredentials(call: OperatorCall, operatorId: string): Promise<Html> {
  return html`<h2>Second factor</h2>
    ${await showSecondFactor(call, operatorId)}
    <h2>Password</h2>
    ${form(
      call,
      'password',
      (fields) =>
        html`${currentPassword(fields)}
        ${fields.text({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, hint: `At least ${operatorPasswordLengthMin} characters.` })}`,
      { button: 'Change the password' },
    )}`
}

async function showSecondFactor(call: OperatorCall, operatorId: string): Promise<Html> {
  const { context, operator, refused } = call
  const isConfirming = refused?.form === 'confirm-second-factor' && !refused.problems['current']
  const waiting = isConfirming ? await readWaitingSecret(context, operatorId) : undefined
  if (waiting !== undefined) return showWaitingSecret(call, waiting.secret)
  const { database } = context
  const row = await findRow(database, 'operators', { id: operatorId })
  if (row?.totp_confirmed_at == null) {
    return html`<p class="warn">${operator.name} signs in by the password alone.</p>
      ${form(call, 'begin-second-factor', currentPassword, {
        button: 'Set up a second factor',
        isFolded: true,
      })}`
  }
  const unused = { operator_id: operatorId, used_at: null }
  const codes = await findRows(database, 'operator_recovery_codes', unused)
  return html`<p class="good">In use since ${time(row.totp_confirmed_at)}.</p>
    <p>
      ${counted('{count, plural, one {# recovery code is} other {# recovery codes are}} left.', codes.length)}
    </p>
    ${form(call, 'remove-second-factor', currentPassword, {
      button: 'Remove the second factor',
      warning: 'Your password alone signs you in then.',
    })}`
}

async function showWaitingSecret(call: OperatorCall, secret: Buffer): Promise<Html> {
  const issuer = call.context.site.values()['brand.name']
  const uri = totpUri(secret, { issuer, name: call.operator.name })
  return html`<p>Scan this with an authenticator app, or type the key into it.</p>
    ${await qrCode(uri)}
    <p><code>${(toBase32(secret).match(/.{4}/g) ?? []).join(' ')}</code></p>
    ${form(
      call,
      'confirm-second-factor',
      (fields) =>
        html`${fields.text({
          name: 'code',
          label: 'The six digits that it shows',
          inputMode: 'numeric',
          autocomplete: 'one-time-code',
          isRequired: true,
        })}
        ${currentPassword(fields)}`,
      { button: 'Use it from now on' },
    )}`
}

const recoveryCodes = readFileSync(new URL('recovery-codes.html', import.meta.url), 'utf8')
