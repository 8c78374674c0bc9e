import { authRoutes as declared } from '@starside/contract/routes/account-routes.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import type { RouteHandlers } from '../http/serve-routes.ts'
import type { Mailer } from '../mail/mailer.ts'
import { alertSignIn } from './alert-sign-in.ts'
import { createBackgroundWork } from './background-work.ts'
import { changePassword } from './change-password.ts'
import { checkRegistration } from './check-registration.ts'
import { confirmEmail, sendConfirmation } from './confirm-email.ts'
import type { OnEmailConfirmed } from './confirm-email.ts'
import { recogniseDevice } from './device.ts'
import { loadDisposableDomains } from './disposable-mail.ts'
import { limitGuesses } from './limit-guesses.ts'
import { normaliseEmail } from './mailbox.ts'
import { registerUser } from './register.ts'
import type { WelcomeUser } from './register.ts'
import { resetPassword, sendResetMail } from './reset-password.ts'
import { createKeyedDigest } from '../secrets/keyed-digest.ts'
import { guardsOf, readOrigin } from './session.ts'
import type { SignedInUser } from './session.ts'
import { listSessions } from './queries.ts'
import { signIn } from './sign-in.ts'
import { endSession, signOut, signOutEverywhere } from './sign-out.ts'

/** Opening an account, signing in and out, and passwords. */
export async function authRoutes(
  app: FastifyInstance,
  {
    context,
    welcome,
    onConfirmed,
  }: { context: Context; welcome: WelcomeUser; onConfirmed: OnEmailConfirmed },
): Promise<void> {
  const { config, database, clock, randomBytes, mailer, guessLimits, strangerLimits } = context

  const isDisposable = await loadDisposableDomains(config.disposableMailFile)
  const deviceOptions = {
    digest: createKeyedDigest(context.keys.devices),
    randomBytes,
    isHttps: config.publicUrl.startsWith('https:'),
  }
  const mailConfirmation = (user: { userId: string; email: string; username: string }) =>
    sendConfirmation(database, user, {
      now: clock(),
      randomBytes,
      mailer,
      publicUrl: config.publicUrl,
    })

  const background = createBackgroundWork((error) =>
    context.log.error({ err: error }, 'a reset mail could not be made'),
  )
  app.addHook('onClose', () => background.settled())
  /** A token of 256 bits can't be guessed; the count only keeps tries from costing much. */
  const countingWrongTokens = async (request: FastifyRequest, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      if (isWrongToken(error)) await strangerLimits.countWrongToken(request.ip)
      throw error
    }
  }

  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'POST /api/auth?action=register': async ({ body: input, request, reply }) => {
      const registration = checkRegistration(input)
      if (isDisposable(registration.email)) throw new AppError('email_disposable')
      const origin = readOrigin(request)
      await strangerLimits.admitRegistration(origin.address, input.proof)
      const { token, userId, notices } = await registerUser(database, registration, {
        now: clock(),
        randomBytes,
        origin,
        device: recogniseDevice(request, reply, deviceOptions),
        welcome,
      })
      const { email, username } = registration
      if (config.referralBonusAfterConfirmation) {
        await mailConfirmation({ userId, email, username })
      }
      return { success: true, token, user: { userId, email, username }, notices }
    },

    'POST /api/auth?action=login': async ({ body: input, request, reply }) => {
      const now = clock()
      const origin = readOrigin(request)
      const { token, user, isNewDevice } = await signIn(context, input, {
        now,
        randomBytes,
        origin,
        device: recogniseDevice(request, reply, deviceOptions),
        limits: guessLimits,
        hasProof: await context.proofs.accept(input.proof, origin.address),
      })
      if (isNewDevice && config.signInAlerts) {
        alertSignIn(mailer, user, { origin, now, publicUrl: config.publicUrl })
      }
      return { success: true, token, user }
    },

    'POST /api/auth?action=logout': async ({ user }) => {
      await signOut(database, user.sessionId)
      return { success: true }
    },

    'POST /api/auth?action=logout-everywhere': async ({ user }) => {
      await signOutEverywhere(database, user.userId)
      return { success: true }
    },

    'POST /api/auth?action=end-session': async ({ user: { userId }, body: { sessionId } }) => {
      if (!(await endSession(database, { userId, sessionId }))) {
        throw new AppError('session_unknown')
      }
      return { success: true }
    },

    'POST /api/auth?action=send-confirmation': async ({ user }) => {
      assertMailIsSetUp(mailer)
      await mailConfirmation(user)
      return { success: true }
    },

    'POST /api/auth?action=confirm-email': async ({ body: { token }, request }) => {
      await countingWrongTokens(request, () =>
        confirmEmail(database, token, { now: clock(), onConfirmed }),
      )
      return { success: true }
    },

    'POST /api/auth?action=forgot-password': async ({ body: { email }, request }) => {
      assertMailIsSetUp(mailer)
      const address = normaliseEmail(email)
      await strangerLimits.countResetMail(address, request.ip)
      // Whoever asks sees the same answer after the same time, whether there is an account or not.
      background.run(() =>
        sendResetMail(database, address, {
          now: clock(),
          randomBytes,
          mailer,
          publicUrl: config.publicUrl,
        }),
      )
      return { success: true }
    },

    'POST /api/auth?action=reset-password': async ({ body: input, request }) => {
      await countingWrongTokens(request, () => resetPassword(database, input, { now: clock() }))
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

    'GET /api/auth?action=challenge': async ({ request }) => {
      const challenge = await strangerLimits.issueChallenge(request.ip)
      return { success: true, challenge }
    },

    'GET /api/auth?action=sessions': async ({ user }) => {
      return { success: true, sessions: await listSessions(database, user, clock()) }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}

function isWrongToken(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'reset_token_invalid' || error.code === 'confirmation_token_invalid')
  )
}

function assertMailIsSetUp(mailer: Mailer): void {
  if (!mailer.isSetUp) throw new AppError('mail_not_set_up')
}
