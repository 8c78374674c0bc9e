import type { Language } from '@starside/contract/languages.ts'
import type { authRoutes } from '@starside/contract/routes/account-routes.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import type { AccountParts } from '../parts.ts'
import { forgetPhotos } from '../forget-photos.ts'
import { readLanguage } from '../../platform/http/read-language.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { recogniseDevice, setDeviceCookie } from './device.ts'
import type { DeviceOptions } from './device.ts'
import { listSessions } from './queries.ts'
import { readOrigin } from './session.ts'
import type { SignedInUser, SessionOrigin } from './session.ts'
import { signIn } from './sign-in.ts'
import { endSession, signOut, signOutEverywhere } from './sign-out.ts'

/** Signing in and out, and the list of sessions. */
export function handleSessions(context: AccountParts, options: { device: DeviceOptions }) {
  const { config, site, database, clock, randomBytes, mailer, guessLimits } = context
  return {
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
        const siteName = site.values()['brand.name']
        alertSignIn(
          mailer,
          { ...user, language },
          { origin, now, publicUrl: config.publicUrl, siteName },
        )
      }
      return { success: true, token, user }
    },

    'POST /api/auth?action=logout': async ({ user }) => {
      await signOut(database, user.sessionId)
      forgetPhotos(context, user.userId)
      return { success: true }
    },

    'POST /api/auth?action=logout-everywhere': async ({ user }) => {
      await signOutEverywhere(database, user.userId)
      forgetPhotos(context, user.userId)
      return { success: true }
    },

    'POST /api/auth?action=end-session': async ({ user: { userId }, body: { sessionId } }) => {
      if (!(await endSession(database, { userId, sessionId }))) {
        throw new AppError('session_unknown')
      }
      return { success: true }
    },

    'GET /api/auth?action=sessions': async ({ user }) => {
      return { success: true, sessions: await listSessions(database, user, clock()) }
    },
  } satisfies Partial<RouteHandlers<typeof authRoutes, SignedInUser>>
}

/** Tells a person by mail that somebody signed in to their account from a device not seen before. */
export function alertSignIn(
  mailer: Mailer,
  user: { email: string; username: string; language: Language },
  about: { origin: SessionOrigin; now: Date; publicUrl: string; siteName: string },
): void {
  const { origin, now, publicUrl, siteName } = about
  // The program's own words about itself are a stranger's; they get one line.
  const agent = origin.userAgent.replaceAll(/\p{C}+/gu, ' ').trim() || 'unknown'
  void sendInBackground(mailer, {
    to: user.email,
    ...writeMail(user.language, 'newSignIn', {
      site: siteName,
      username: user.username,
      time: now.toUTCString(),
      address: origin.address,
      program: agent,
      link: `${publicUrl}/auth?mode=forgot`,
    }),
  })
}
