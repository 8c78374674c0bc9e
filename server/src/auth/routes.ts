import {
  changePasswordInput,
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
import { changePassword } from './change-password.ts'
import { checkRegistration, normaliseEmail } from './check-registration.ts'
import { createGuessLimits } from './guess-limits.ts'
import { registerUser } from './register.ts'
import type { WelcomeUser } from './register.ts'
import { resetPassword, sendResetMail } from './reset-password.ts'
import { readOrigin, requireUser } from './session.ts'
import { listSessions } from './queries.ts'
import { signIn } from './sign-in.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'

/** `POST /api/auth?action=…` and `GET /api/auth?action=sessions`. */
export async function authRoutes(
  app: FastifyInstance,
  { context, welcome }: { context: Context; welcome: WelcomeUser },
): Promise<void> {
  const { config, database, clock, randomBytes, mailer } = context
  const limits = createGuessLimits(context.pool, config)

  app.post(
    '/api/auth',
    dispatchAction({
      async register(request): Promise<SessionAnswer> {
        const registration = checkRegistration(parseInput(registerInput, request.body))
        const origin = readOrigin(request)
        await limits.countRegistration(origin.address)
        const { token, userId } = await registerUser(database, registration, {
          now: clock(),
          randomBytes,
          origin,
          welcome,
        })
        const { email, username } = registration
        return { success: true, token, user: { userId, email, username } }
      },

      async login(request): Promise<SessionAnswer> {
        const input = parseInput(loginInput, request.body)
        const { token, user } = await signIn(database, input, {
          now: clock(),
          randomBytes,
          origin: readOrigin(request),
          limits,
        })
        return { success: true, token, user }
      },

      async logout(request) {
        const user = await requireUser(database, request, clock())
        await signOut(database, user.sessionId)
        return { success: true }
      },

      'logout-everywhere': async (request) => {
        const user = await requireUser(database, request, clock())
        await signOutEverywhere(database, user.userId)
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
        const user = await requireUser(database, request, clock())
        const input = parseInput(changePasswordInput, request.body)
        await limits.assertMaySignIn(user.email, request.ip)
        const { token } = await changePassword(
          database,
          { userId: user.userId, ...input },
          { now: clock(), randomBytes, origin: readOrigin(request) },
        ).catch(async (error: unknown) => {
          if (error instanceof AppError && error.code === 'password_wrong') {
            await limits.countFailedSignIn(user.email, request.ip)
          }
          throw error
        })
        const { userId, email, username } = user
        return { success: true, token, user: { userId, email, username } }
      },
    }),
  )

  app.get(
    '/api/auth',
    dispatchAction({
      async sessions(request) {
        const user = await requireUser(database, request, clock())
        return { success: true, sessions: await listSessions(database, user, clock()) }
      },
    }),
  )
}
