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
import type { OperatorPage } from '../operator-page.ts'
import { logOpening } from '../operator-log.ts'
import { findUserOfPage, showUser, signedInAs } from './show-user.ts'

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
  },
}
