import type { authRoutes } from '@starside/contract/routes/account-routes.ts'
import type { AccountParts } from '../parts.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { assertMailIsSetUp } from '../../platform/mail/mailer.ts'
import type { BackgroundWork } from './background-work.ts'
import { changePassword } from './change-password.ts'
import { limitGuesses } from './limit-guesses.ts'
import { countingWrongTokens } from './limit-wrong-tokens.ts'
import { normaliseEmail } from './mailbox.ts'
import { linkMailing } from './mail-link.ts'
import { resetPassword, sendResetMail } from './reset-password.ts'
import { readOrigin } from './session.ts'
import type { SignedInUser } from './session.ts'

/** A forgotten password, and a new one. */
export function handlePasswords(context: AccountParts, options: { background: BackgroundWork }) {
  const { database, clock, randomBytes, mailer, guessLimits, anonymousLimits } = context
  const { background } = options
  return {
    'POST /api/auth?action=forgot-password': async ({ body: { email }, request }) => {
      assertMailIsSetUp(mailer)
      const address = normaliseEmail(email)
      await anonymousLimits.countResetMail(address, request.ip)
      // Whoever asks sees the same answer after the same time, whether there is an account or not.
      background.run(() => sendResetMail(database, address, linkMailing(context)))
      return { success: true }
    },

    'POST /api/auth?action=reset-password': async ({ body: input, request }) => {
      await countingWrongTokens(anonymousLimits, request, () =>
        resetPassword(database, input, { now: clock() }),
      )
      return { success: true }
    },

    'POST /api/auth?action=change-password': async ({ user, body: input, request }) => {
      const { token } = await limitGuesses(guessLimits, user, request.ip, () =>
        changePassword(
          database,
          { userId: user.userId, ...input },
          { now: clock(), randomBytes, origin: readOrigin(request) },
        ),
      )
      const { userId, email, username } = user
      return { success: true, token, user: { userId, email, username } }
    },
  } satisfies Partial<RouteHandlers<typeof authRoutes, SignedInUser>>
}
