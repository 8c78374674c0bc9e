import { readPictureFile } from '../../selfies/serve-picture.ts'
import { exportForOperator } from '../../trust/user/export-my-data.ts'
import { actForms } from '../act.ts'
import {
  deleteUser,
  grantCredits,
  suspendUser,
  takeCredits,
  unsuspendUser,
} from '../acts/user-acts.ts'
import { OperatorError } from '../operator-error.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { beginLogRow, completeLogRow } from '../operator-log.ts'
import { findUserOfPage, listSelfies, showUser, signedInAs } from './show-user.ts'

/** One user: account, ledger, orders, selfies, sessions, and what may be done. */
export const userPage: OperatorPage = {
  path: '/admin/users/:id',
  title: 'User',
  right: 'see users',
  show: showUser,
  forms: actForms(grantCredits, takeCredits, suspendUser, unsuspendUser, deleteUser),
  downloads: {
    'data.json': {
      right: 'export users',
      async send(call, reply) {
        const user = await findUserOfPage(call)
        if (user === undefined) throw new OperatorError(404, 'There is no such account.')
        await logOpening(call, 'user export', user.id)
        return reply
          .header('content-disposition', 'attachment; filename="data.json"')
          .send(await exportForOperator(call.context, { ...signedInAs(user), sessionId: '' }))
      },
    },
    thumbnail: {
      right: 'open pictures',
      async send(call, reply) {
        const selfies = await listSelfies(call)
        const row = selfies.find(({ id }) => id === call.query['selfie'])
        if (row === undefined || row.state !== 'done') {
          throw new OperatorError(404, 'There is no such picture.')
        }
        await logOpening(call, 'user picture', row.id)
        return reply
          .type('image/jpeg')
          .send(await readPictureFile(call.context, row, 'thumbnail.jpg'))
      },
    },
  },
}

/** Opening what is private is logged. */
async function logOpening({ context, operator }: OperatorCall, act: string, subject: string) {
  const row = await beginLogRow(context, { operator, act, subject })
  await completeLogRow(context.database, row, { outcome: 'done' })
}
