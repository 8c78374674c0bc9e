import { authRoutes as declared } from '@starside/contract/routes/account-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { AccountParts } from '../parts.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { createBackgroundWork } from './background-work.ts'
import type { OnEmailConfirmed } from './confirm-email.ts'
import { loadDisposableDomains } from './disposable-mail.ts'
import { handlePasswords } from './handle-passwords.ts'
import { handleRegistration } from './handle-registration.ts'
import { handleSessions } from './handle-sessions.ts'
import type { WelcomeUser } from './register.ts'
import { guardsOf } from './session.ts'
import type { SignedInUser } from './session.ts'

/** Opening an account, signing in and out, and passwords. */
export async function authRoutes(
  app: FastifyInstance,
  {
    context,
    welcome,
    onConfirmed,
  }: { context: AccountParts; welcome: WelcomeUser; onConfirmed: OnEmailConfirmed },
): Promise<void> {
  const { config } = context
  const device = {
    digest: createKeyedDigest(context.keys.devices),
    sign: createKeyedDigest(context.keys.deviceCookies),
    randomBytes: context.randomBytes,
    isHttps: config.publicUrl.startsWith('https:'),
  }
  const isDisposable = await loadDisposableDomains(config.disposableMailFile)
  const background = createBackgroundWork((error) =>
    context.log.error({ err: error }, 'a mail with a link could not be made'),
  )
  app.addHook('onClose', () => background.settled())

  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    ...handleRegistration(context, { welcome, onConfirmed, isDisposable, device, background }),
    ...handleSessions(context, { device }),
    ...handlePasswords(context, { background }),
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}
