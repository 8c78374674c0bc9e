import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { returnGuestCredits } from '../../events/guest-credits.ts'
import { readAccount } from '../../ledger/credits/account.ts'
import { correctBalance } from '../../ledger/credits/correct.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { findRow } from '../../platform/db/rows.ts'
import { setSuspension } from '../../trust/reports/suspend-user.ts'
import { deleteAccount } from '../../trust/user/delete-account.ts'
import { defineAct, reasonSchema } from '../act.ts'
import { wholeNumber } from '../check-fields.ts'
import type { Act } from '../act.ts'
import { findUser } from '../find-user.ts'

const nobody = { refused: 'There is no such account.' }
const id = z.string('Say whom.').min(1, 'Say whom.').max(300)

function creditAct(sign: 1 | -1, name: 'user grant' | 'user take'): Act {
  return defineAct(name, {
    schema: z.object({
      id,
      credits: wholeNumber.pipe(z.number().min(1).max(100_000)),
      reason: reasonSchema,
      // Of the form as it was shown: sent twice, it moves once.
      once: z.uuid().default(() => crypto.randomUUID()),
    }),
    async run({ database, clock }, { id: named, credits, reason, once }) {
      const user = await findUser(database, named)
      if (user === undefined) return nobody
      const before = (await readAccount(database, user.id)).balance
      const result = await correctBalance(database, {
        userId: user.id,
        amount: sign * credits,
        description: reason,
        reference: `operator:${once}`,
        now: clock(),
      })
      const moved = result.outcome === 'corrected' ? Math.abs(result.moved) : 0
      return {
        done: `${moved === credits ? '' : 'Only '}${creditsText(moved)} ${sign === 1 ? 'given' : 'taken'}; the balance is ${result.balance}.`,
        isPartial: moved !== credits,
        log: { subject: user.id, before, after: result.balance },
      }
    },
  })
}

export const grantCredits = creditAct(1, 'user grant')
export const takeCredits = creditAct(-1, 'user take')

function suspensionAct(suspended: boolean, name: 'user suspend' | 'user unsuspend'): Act {
  return defineAct(name, {
    schema: z.object({ id, reason: reasonSchema }),
    async run(parts, { id: named, reason }) {
      const user = await findUser(parts.database, named)
      if (user === undefined) return nobody
      const { email } = user
      const changed = await setSuspension(parts, { email, reason, suspended })
      if (changed === undefined) {
        return { refused: `The account is ${suspended ? 'suspended' : 'active'} already.` }
      }
      return {
        done: `${email} is ${suspended ? 'suspended' : 'open again'}.`,
        log: { subject: user.id },
      }
    },
  })
}

export const suspendUser = suspensionAct(true, 'user suspend')
export const unsuspendUser = suspensionAct(false, 'user unsuspend')

export const deleteUser = defineAct('user delete', {
  schema: z.object({ id, email: z.string('To be sure.').max(300), reason: reasonSchema }),
  async run({ database, store, clock }, { id: named, email }) {
    const user = await findUser(database, named)
    if (user === undefined) return nobody
    if (email.trim().toLowerCase() !== user.email) {
      const problems = { email: 'This is not the e-mail of the account.' }
      return { refused: 'Nothing was deleted.', problems }
    }
    const { id: userId, guest_of: eventId } = user
    const event = eventId === null ? undefined : await findRow(database, 'events', { id: eventId })
    if (event) {
      const guest = { userId, event, now: clock() }
      await inTransaction(database, (transaction) => returnGuestCredits(transaction, guest))
    }
    await deleteAccount({ database, store: await store() }, userId)
    return {
      done: 'The account and its pictures are deleted.',
      to: '/admin/users',
      log: { subject: user.id },
    }
  },
})
