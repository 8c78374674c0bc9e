import { authRoutes as declared } from '@starside/contract/routes/account-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { AccountParts } from '../parts.ts'
import { forgetPhotos } from '../forget-photos.ts'
import { createBackgroundWork } from '../../platform/background-work.ts'
import type { BackgroundWork } from '../../platform/background-work.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { readLanguage } from '../../platform/http/read-language.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { assertMailIsSetUp } from '../../platform/mail/mailer.ts'
import { alertSignIn, signIn } from './sign-in.ts'
import { changePassword, resetPassword, sendResetMail } from './change-password.ts'
import { checkRegistration } from './check-registration.ts'
import { confirmEmail, sendConfirmation } from './confirm-email.ts'
import type { OnEmailConfirmed } from './confirm-email.ts'
import { deviceOptionsOf, recogniseDevice, setDeviceCookie } from './device.ts'
import type { DeviceOptions } from './device.ts'
import { loadDisposableDomains, normaliseEmail } from './mailbox.ts'
import type { IsDisposable } from './mailbox.ts'
import { limitGuesses } from './guess-limits.ts'
import { countingWrongTokens } from './anonymous-limits.ts'
import { listSessions, guardsOf, readOrigin, endSessions } from './session.ts'
import { registerUser } from './register.ts'
import type { WelcomeUser } from './register.ts'
import type { SignedInUser } from './session.ts'

/** Opening an account, signing in and out, and passwords. */
export async function authRoutes(
  app: FastifyInstance,
  options: { context: AccountParts; welcome: WelcomeUser; onConfirmed: OnEmailConfirmed },
): Promise<void> {
  const { context, ...acts } = options
  const { config } = context
  const device = deviceOptionsOf(context)
  const isDisposable = await loadDisposableDomains(config.disposableMailFile)
  const background = createBackgroundWork((error) =>
    context.log.error({ err: error }, 'a mail with a link could not be made'),
  )
  app.addHook('onClose', () => background.settled())
  const handlers = handleAuth(context, { ...acts, isDisposable, device, background })
  serveRoutes(app, guardsOf(context), declared, handlers)
}

/** The calls of accounts and sessions. */
export function handleAuth(
  context: AccountParts,
  options: {
    welcome: WelcomeUser
    onConfirmed: OnEmailConfirmed
    isDisposable: IsDisposable
    device: DeviceOptions
    background: BackgroundWork
  },
) {
  const { config, database, clock, randomBytes, mailer, guessLimits, anonymousLimits } = context
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
      if (config.referrals.afterConfirmation) {
        const user = { userId, email, username, language }
        // The account is there: whatever becomes of the mail, which can be asked for again.
        background.run(() => sendConfirmation(context, user))
      }
      return { success: true, token, user: { userId, email, username }, notices }
    },

    'POST /api/auth?action=send-confirmation': async ({ user, request }) => {
      assertMailIsSetUp(mailer)
      const person = { ...user, language: readLanguage(request) }
      await sendConfirmation(context, person)
      return { success: true }
    },

    'POST /api/auth?action=confirm-email': async ({ body: { token }, request }) => {
      await countingWrongTokens(anonymousLimits, request, () =>
        confirmEmail(database, token, { now: clock(), onConfirmed }),
      )
      return { success: true }
    },

    'GET /api/auth?action=challenge': async ({ request }) => {
      return { success: true, challenge: await anonymousLimits.issueChallenge(request.ip) }
    },

    'POST /api/auth?action=login': async ({ body: input, request, reply }) => {
      const now = clock()
      const origin = readOrigin(request)
      const { token, user, language, isNewDevice, deviceMark } = await signIn(context, input, {
        now,
        randomBytes,
        origin,
        device: recogniseDevice(request, options.device),
        limits: guessLimits,
        language: readLanguage(request),
        hasProof: await context.proofs.accept(input.proof, origin.address),
      })
      setDeviceCookie(reply, deviceMark, options.device)
      if (isNewDevice && config.signInAlerts) {
        const siteName = context.site.values()['brand.name']
        const about = { origin, now, publicUrl: config.publicUrl, siteName }
        alertSignIn(mailer, { ...user, language }, about)
      }
      return { success: true, token, user }
    },

    'POST /api/auth?action=logout': async ({ user }) => {
      await endSessions(database, { user_id: user.userId, id: user.sessionId })
      forgetPhotos(context, user.userId)
      return { success: true }
    },

    'POST /api/auth?action=logout-everywhere': async ({ user }) => {
      await endSessions(database, { user_id: user.userId })
      forgetPhotos(context, user.userId)
      return { success: true }
    },

    'POST /api/auth?action=end-session': async ({ user, body: { sessionId: id } }) => {
      const ended = await endSessions(database, { user_id: user.userId, id })
      if (ended === 0) throw new AppError('session_unknown')
      return { success: true }
    },

    'GET /api/auth?action=sessions': async ({ user }) => {
      return { success: true, sessions: await listSessions(database, user, clock()) }
    },

    'POST /api/auth?action=forgot-password': async ({ body: { email }, request }) => {
      assertMailIsSetUp(mailer)
      const address = normaliseEmail(email)
      await anonymousLimits.countResetMail(address, request.ip)
      // Whoever asks sees the same answer after the same time, whether there is an account or not.
      background.run(() => sendResetMail(context, address))
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
  } satisfies RouteHandlers<typeof declared, SignedInUser>
}
