import {
  changePasswordInput,
  confirmEmailInput,
  endSessionInput,
  forgotPasswordInput,
  loginInput,
  registerInput,
  resetPasswordInput,
} from '@starside/contract/auth.ts'
import type { SessionAnswer } from '@starside/contract/auth.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { dispatchAction } from '../http/actions.ts'
import { AppError } from '../http/app-error.ts'
import { parseInput } from '../http/parse-input.ts'
import { alertSignIn } from './alert-sign-in.ts'
import { changePassword } from './change-password.ts'
import { checkRegistration, normaliseEmail } from './check-registration.ts'
import { confirmEmail, sendConfirmation } from './confirm-email.ts'
import type { OnEmailConfirmed } from './confirm-email.ts'
import { recogniseDevice } from './device.ts'
import { loadDisposableDomains } from './disposable-mail.ts'
import { limitGuesses } from './limit-guesses.ts'
import { registerUser } from './register.ts'
import type { WelcomeUser } from './register.ts'
import { resetPassword, sendResetMail } from './reset-password.ts'
import { readOrigin, requireUser } from './session.ts'
import { listSessions } from './queries.ts'
import { signIn } from './sign-in.ts'
import { endSession, signOut, signOutEverywhere } from './sign-out.ts'

/** `POST /api/auth?action=…` and `GET /api/auth?action=sessions`. */
export async function authRoutes(
  app: FastifyInstance,
  {
    context,
    welcome,
    onConfirmed,
  }: { context: Context; welcome: WelcomeUser; onConfirmed: OnEmailConfirmed },
): Promise<void> {
  const { config, database, clock, randomBytes, mailer, guessLimits: limits } = context

  const isDisposable = await loadDisposableDomains(config.disposableMailFile)
  const deviceOptions = {
    salt: context.signingSecret,
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

  app.post(
    '/api/auth',
    dispatchAction({
      async register(request, reply): Promise<SessionAnswer> {
        const registration = checkRegistration(parseInput(registerInput, request.body))
        if (isDisposable(registration.email)) throw new AppError('email_disposable')
        const origin = readOrigin(request)
        await limits.countRegistration(origin.address)
        const { token, userId } = await registerUser(database, registration, {
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
        return { success: true, token, user: { userId, email, username } }
      },

      async login(request, reply): Promise<SessionAnswer> {
        const input = parseInput(loginInput, request.body)
        const now = clock()
        const origin = readOrigin(request)
        const { token, user, isNewDevice } = await signIn(context.pool, input, {
          now,
          randomBytes,
          origin,
          device: recogniseDevice(request, reply, deviceOptions),
          limits,
        })
        if (isNewDevice && config.signInAlerts) {
          alertSignIn(mailer, user, { origin, now, publicUrl: config.publicUrl })
        }
        return { success: true, token, user }
      },

      async logout(request) {
        const user = await requireUser(context, request)
        await signOut(database, user.sessionId)
        return { success: true }
      },

      'logout-everywhere': async (request) => {
        const user = await requireUser(context, request)
        await signOutEverywhere(database, user.userId)
        return { success: true }
      },

      'end-session': async (request) => {
        const { userId } = await requireUser(context, request)
        const { sessionId } = parseInput(endSessionInput, request.body)
        if (!(await endSession(database, { userId, sessionId }))) {
          throw new AppError('session_unknown')
        }
        return { success: true }
      },

      'send-confirmation': async (request) => {
        const user = await requireUser(context, request)
        await context.limits.take('confirmation', { address: request.ip, account: user.userId })
        await mailConfirmation(user)
        return { success: true }
      },

      'confirm-email': async (request) => {
        const { token } = parseInput(confirmEmailInput, request.body)
        await confirmEmail(database, token, { now: clock(), onConfirmed })
        return { success: true }
      },

      'forgot-password': async (request) => {
        const { email } = parseInput(forgotPasswordInput, request.body)
        await limits.countResetMail(normaliseEmail(email), request.ip)
        await sendResetMail(database, email, {
          now: clock(),
          randomBytes,
          mailer,
          publicUrl: config.publicUrl,
        })
        return { success: true }
      },

      'reset-password': async (request) => {
        const input = parseInput(resetPasswordInput, request.body)
        await resetPassword(database, input, { now: clock() })
        return { success: true }
      },

      'change-password': async (request): Promise<SessionAnswer> => {
        const user = await requireUser(context, request)
        const input = parseInput(changePasswordInput, request.body)
        const { token } = await limitGuesses(limits, user, request.ip, () =>
          changePassword(
            database,
            { userId: user.userId, ...input },
            { now: clock(), randomBytes, origin: readOrigin(request) },
          ),
        )
        const { userId, email, username } = user
        return { success: true, token, user: { userId, email, username } }
      },
    }),
  )

  app.get(
    '/api/auth',
    dispatchAction({
      async sessions(request) {
        const user = await requireUser(context, request)
        return { success: true, sessions: await listSessions(database, user, clock()) }
      },
    }),
  )
}
