import { verifyPassword } from '../accounts/auth/password.ts'
import { findRow } from '../platform/db/rows.ts'
import type { Html } from '../platform/http/html.ts'
import type { Fields } from './form-fields.ts'
import type { FormOutcome, OperatorCall } from './operator-page.ts'
import type { ProvedOperator } from './second-factor.ts'

export const noAccount =
  'You came by a token; only an operator with a name has a password and a code.'

type Refusal = Extract<FormOutcome, { refused: string }>

export const wrongPassword: Refusal = {
  refused: 'Nothing was changed.',
  problems: { current: 'The password is wrong.' },
}

/** The hash of their password if it is right, to be compared again; wrong ones are counted. */
export async function judgePassword(
  { context, operator }: OperatorCall,
  given: string,
): Promise<Refusal | ProvedOperator> {
  const { id: operatorId } = operator
  if (operatorId === undefined) return { refused: noAccount }
  const { database, guessLimits } = context
  const guesser = { account: 'Operator', address: '', trusted: `session ${operatorId}` }
  return guessLimits.oneAtATime(guesser.trusted, async () => {
    await guessLimits.assertMayTry(guesser)
    const row = await findRow(database, 'operators', { id: operatorId })
    const currentHash = row?.password_hash
    if (currentHash !== undefined && (await verifyPassword(currentHash, given))) {
      return { operatorId, currentHash }
    }
    await guessLimits.countFailure(guesser)
    return wrongPassword
  })
}

/** Asks operators for their own password. */
export function currentPassword(fields: Fields): Html {
  return fields.text({
    name: 'current',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  })
}
