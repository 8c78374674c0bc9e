import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { readAccount } from '../../credits/account.ts'
import { correctBalance } from '../../credits/correct.ts'
import { readPictureFile } from '../../generation/serve-picture.ts'
import { setSuspension } from '../../reports/suspend-user.ts'
import { deleteAccount } from '../../user/delete-account.ts'
import { exportForOperator } from '../../user/export-my-data.ts'
import { AdminError } from '../admin-error.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminForm, AdminPage } from '../admin-page.ts'
import { beginLogRow, completeLogRow } from '../operator-log.ts'
import { reasonField } from '../reason-field.ts'
import { findPerson, listSelfies, showPerson, signedInAs } from './show-person.ts'

const creditsMax = 100_000
const path = '/admin/users/:id'

const wholeCredits = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, 'A whole number.')
  .transform(Number)
  .pipe(z.number().min(1, 'At least one.').max(creditsMax, 'At most 100,000.'))

/** One person: account, ledger, orders, selfies, sessions, and what may be done. */
export const personPage: AdminPage = {
  path,
  title: 'Person',
  act: 'see people',
  show: showPerson,
  forms: {
    grant: creditForm('grant credits', 1),
    take: creditForm('correct credits', -1),
    suspend: suspensionForm(true),
    unsuspend: suspensionForm(false),
    delete: defineForm({
      act: 'delete people',
      fields: z.object({ email: z.string().max(300), reason: reasonField }),
      async submit(call, { email, reason }) {
        const person = await findPerson(call)
        if (person === undefined) return { refused: 'There is no such account.' }
        if (email.trim().toLowerCase() !== person.email) {
          const problems = { email: 'This is not the e-mail of the account.' }
          return { refused: 'Nothing was deleted.', problems }
        }
        await deleteAccount(call.context, person.id)
        const done = 'The account and its pictures are deleted.'
        return { done, to: '/admin/users', log: { subject: person.id, reason } }
      },
    }),
  },
  downloads: {
    'data.json': {
      act: 'export people',
      async send(call, reply) {
        const person = await findPerson(call)
        if (person === undefined) throw new AdminError(404, 'There is no such account.')
        await logOpening(call, 'Person: export', person.id)
        return reply
          .header('content-disposition', 'attachment; filename="data.json"')
          .send(await exportForOperator(call.context, { ...signedInAs(person), sessionId: '' }))
      },
    },
    thumbnail: {
      act: 'open pictures',
      async send(call, reply) {
        const selfies = await listSelfies(call)
        const row = selfies.find(({ id }) => id === call.query['selfie'])
        if (row === undefined || row.state !== 'done') {
          throw new AdminError(404, 'There is no such picture.')
        }
        await logOpening(call, 'Person: picture', row.id)
        return reply
          .type('image/jpeg')
          .send(await readPictureFile(call.context, row, 'thumbnail.jpg'))
      },
    },
  },
}

/** Opening what is private is logged. */
async function logOpening({ context, operator }: AdminCall, act: string, subject: string) {
  const row = await beginLogRow(context, { operator, act, subject })
  await completeLogRow(context.database, row, { outcome: 'done' })
}

function creditForm(act: 'grant credits' | 'correct credits', sign: 1 | -1): AdminForm {
  return defineForm({
    act,
    fields: z.object({ credits: wholeCredits, reason: reasonField, once: z.uuid() }),
    async submit(call, { credits, reason, once }) {
      const { database, clock } = call.context
      const person = await findPerson(call)
      if (person === undefined) return { refused: 'There is no such account.' }
      const before = (await readAccount(database, person.id)).balance
      const result = await correctBalance(database, {
        userId: person.id,
        amount: sign * credits,
        description: reason,
        // Of this form as it was shown: sent twice, it moves once.
        reference: `operator:${once}`,
        now: clock(),
      })
      const moved = result.outcome === 'corrected' ? Math.abs(result.moved) : 0
      const done = `${creditsText(moved)} ${sign === 1 ? 'given' : 'taken'}; the balance is ${result.balance}.`
      return { done, log: { subject: person.id, reason, before, after: result.balance } }
    },
  })
}

function suspensionForm(suspended: boolean): AdminForm {
  return defineForm({
    act: 'suspend people',
    fields: z.object({ reason: reasonField }),
    async submit(call, { reason }) {
      const person = await findPerson(call)
      const email = person?.email ?? ''
      const changed = await setSuspension(call.context, { email, reason, suspended })
      if (changed === undefined) return { refused: 'There is nothing to change.' }
      const done = suspended ? 'The account is suspended.' : 'The account is open again.'
      return { done, log: { subject: changed, reason } }
    },
  })
}
