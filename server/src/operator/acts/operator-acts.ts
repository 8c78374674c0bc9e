import { z } from 'zod'
import { findRow } from '../../platform/db/rows.ts'
import { defineAct } from '../act.ts'
import type { ActOutcome } from '../act.ts'
import { createOperatorToken, revokeOperatorKeys } from '../operator-sessions.ts'
import {
  addOperator,
  changeOperator,
  makeFirstPassword,
  operatorNamePattern,
  resetOperator,
} from '../operators.ts'
import { operatorRoles } from '../roles.ts'
import { counted } from '../tables.ts'

const unknownOperator = { refused: 'There is no such operator.' }
const dayMs = 24 * 60 * 60_000

function showPassword(done: string, password: string, log: object): ActOutcome {
  const note =
    'They sign in with this password, which is not shown again. Ask them to change it and to set up a second factor under Your sign-in.'
  return { done, shownOnce: { text: password, note }, log }
}

export const addOperatorAct = defineAct('operator add', {
  schema: z.object({
    id: z
      .string('A name is needed.')
      .trim()
      .toLowerCase()
      .regex(operatorNamePattern, '2 to 80 letters, digits or . _ @ + -'),
    role: z.enum(operatorRoles, `One of ${operatorRoles.join(', ')}.`).default('owner'),
  }),
  async run({ database, randomBytes }, { id: name, role }) {
    const password = makeFirstPassword(randomBytes)
    if (!(await addOperator(database, { name, role, password }))) {
      return { refused: 'Nobody was added.', problems: { id: `There is an operator ${name}.` } }
    }
    return showPassword(`${name} is ${role}.`, password, { subject: name, after: { name, role } })
  },
})

export const changeOperatorAct = defineAct('operator change', {
  schema: z.object({
    id: z.string('Say whom.').max(80),
    role: z.enum(operatorRoles),
    disabled: z.literal('on').optional(),
  }),
  async run({ database, clock }, { id, role, disabled }) {
    const before = await findRow(database, 'operators', { name: id })
    if (before === undefined) return unknownOperator
    const after = { role, isDisabled: disabled === 'on' }
    const change = { operatorId: before.id, ...after, now: clock() }
    const result = await changeOperator(database, change)
    if (result === 'unknown') return unknownOperator
    if (result === 'last_owner') {
      return { refused: `${id} is the last owner. Make somebody else one first.` }
    }
    return {
      done: `${id} is changed.`,
      log: { before: { role: before.role, isDisabled: before.disabled_at !== null }, after },
    }
  },
})

export const resetOperatorAct = defineAct('operator reset', {
  schema: z.object({ id: z.string('Say whom.').toLowerCase().max(80) }),
  async run({ database, randomBytes }, { id: name }) {
    const password = makeFirstPassword(randomBytes)
    if (!(await resetOperator(database, { name, password }))) return unknownOperator
    return showPassword(`${name} has no second factor now; all sessions ended.`, password, {})
  },
})

export const makeToken = defineAct('operator token', {
  schema: z.object({
    name: z.string().max(80).default('operator'),
    days: z.coerce.number().positive('More than 0.').max(365).default(7),
  }),
  async run(parts, { name, days }) {
    const token = await createOperatorToken(parts, { name, lifetimeMs: days * dayMs })
    return {
      done: `Sign in at ${parts.config.publicUrl}/admin within ${counted('{count, plural, one {# day} other {# days}}', days)} with this token:`,
      shownOnce: { text: token, note: 'It is not shown again.' },
      log: { subject: name },
    }
  },
})

export const revokeKeys = defineAct('operator revoke', {
  schema: z.object({}),
  run: async ({ database }) => ({
    done: counted(
      '{count, plural, one {# token or session} other {# tokens and sessions}} ended.',
      await revokeOperatorKeys(database),
    ),
  }),
})
