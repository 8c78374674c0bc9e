import type { authRoutes } from '@starside/contract/routes/account-routes.ts'
import type { AccountParts } from '../parts.ts'
import { readLanguage } from '../../platform/http/read-language.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { assertMailIsSetUp } from '../../platform/mail/mailer.ts'
import type { BackgroundWork } from './background-work.ts'
import { checkRegistration } from './check-registration.ts'
import { confirmEmail, sendConfirmation } from './confirm-email.ts'
import type { OnEmailConfirmed } from './confirm-email.ts'
import { recogniseDevice, setDeviceCookie } from './device.ts'
import type { DeviceOptions } from './device.ts'
import type { IsDisposable } from './disposable-mail.ts'
import { countingWrongTokens } from './limit-wrong-tokens.ts'
import { linkMailing } from './mail-link.ts'
import { registerUser } from './register.ts'
import type { WelcomeUser } from './register.ts'
import { readOrigin } from './session.ts'
import type { SignedInUser } from './session.ts'

/** Opening an account, and confirming its e-mail. */
export function handleRegistration(
  context: AccountParts,
  options: {
    welcome: WelcomeUser
    onConfirmed: OnEmailConfirmed
    isDisposable: IsDisposable
    device: DeviceOptions
    background: BackgroundWork
  },
) {
  const { config, database, clock, randomBytes, mailer, anonymousLimits } = context
  const { welcome, onConfirmed, isDisposable, background } = options
  return {
    'POST /api/auth?action=register': async ({ body: input, request, reply }) => {
      const registration = checkRegistration(input)
      if (isDisposable(registration.email)) throw new AppError('email_disposable')
      const origin = readOrigin(request)
      const language = readLanguage(request)
      const device = recogniseDevice(request, options.device)
      await anonymousLimits.admitRegistration(origin.address, input.proof)
      const { token, userId, notices } = await registerUser(database, registration, {
        now: clock(),
        randomBytes,
        origin,
        device,
        termsVersion: context.legalTexts.version('terms'),
        language,
        welcome,
      })
      setDeviceCookie(reply, device.fresh, options.device)
      const { email, username } = registration
      if (config.referralBonusAfterConfirmation) {
        const user = { userId, email, username, language }
        // The account is there: whatever becomes of the mail, which can be asked for again.
        background.run(() => sendConfirmation(database, user, linkMailing(context)))
      }
      return { success: true, token, user: { userId, email, username }, notices }
    },

    'POST /api/auth?action=send-confirmation': async ({ user, request }) => {
      assertMailIsSetUp(mailer)
      const person = { ...user, language: readLanguage(request) }
      await sendConfirmation(database, person, linkMailing(context))
      return { success: true }
    },

    'POST /api/auth?action=confirm-email': async ({ body: { token }, request }) => {
      await countingWrongTokens(anonymousLimits, request, () =>
        confirmEmail(database, token, { now: clock(), onConfirmed }),
      )
      return { success: true }
    },

    'GET /api/auth?action=challenge': async ({ request }) => {
      const challenge = await anonymousLimits.issueChallenge(request.ip)
      return { success: true, challenge }
    },
  } satisfies Partial<RouteHandlers<typeof authRoutes, SignedInUser>>
}
