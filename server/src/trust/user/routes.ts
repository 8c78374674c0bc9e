import { userRoutes as ownRoutes } from '@starside/contract/routes/account-routes.ts'
import { creditRoutes } from '@starside/contract/routes/credit-routes.ts'
import { termsRoutes } from '@starside/contract/routes/legal-routes.ts'
import { voucherRoutes } from '@starside/contract/routes/voucher-routes.ts'
import type { FastifyInstance } from 'fastify'
import { checkOwnPassword } from '../../accounts/auth/change-password.ts'
import { limitGuesses } from '../../accounts/auth/guess-limits.ts'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { handleCredits } from '../../ledger/credits/routes.ts'
import { deleteAccount } from './delete-account.ts'
import { forgetPhotos } from '../../accounts/forget-photos.ts'
import { archiveMyData, exportMyData } from './export-my-data.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { acceptTerms } from '../../shop/legal/legal-texts.ts'
import { createProfileReader } from './read-profile.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { createVoucherGuessLimits } from '../../ledger/vouchers/limit-voucher-guesses.ts'
import { redeemVoucher } from '../../ledger/vouchers/redeem-voucher.ts'
import { mailboxOf } from '../../accounts/auth/mailbox.ts'

/** What a person sees of all features together. */
export async function userRoutes(
  app: FastifyInstance,
  { context }: { context: TrustParts },
): Promise<void> {
  const declared = { ...ownRoutes, ...creditRoutes, ...voucherRoutes, ...termsRoutes }
  const limitVoucherGuesses = createVoucherGuessLimits(
    context.pool,
    createKeyedDigest(context.keys.limits),
  )
  const voucherDigests = {
    codes: createKeyedDigest(context.keys.vouchers),
    mailboxes: createKeyedDigest(context.keys.bonuses),
  }
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    ...handleCredits(context),
    'GET /api/user?action=profile': { authenticateAndHandle: createProfileReader(context) },
    'GET /api/user?action=export': async ({ user, query, reply }) => {
      if (query.format === 'zip') {
        return reply
          .type('application/zip')
          .header('content-disposition', 'attachment; filename="my-data.zip"')
          .send(await archiveMyData(context, user))
      }
      return reply
        .header('content-disposition', 'attachment; filename="my-data.json"')
        .send(await exportMyData(context, user))
    },
    'POST /api/user?action=redeem-voucher': async ({ user, body, request, idempotencyKey }) => {
      const { userId } = user
      const redeemed = await limitVoucherGuesses({ userId, address: request.ip }, () =>
        redeemVoucher(
          context.database,
          {
            userId,
            mailbox: mailboxOf(user.email),
            code: body.code,
            idempotencyKey,
            now: context.clock(),
          },
          voucherDigests,
        ),
      )
      return { success: true, credits: redeemed.credits, creditsBalance: redeemed.balance }
    },
    'POST /api/user?action=accept-terms': async ({ user: { userId }, body: { version } }) => {
      await acceptTerms(context, { userId, version, now: context.clock() })
      return { success: true }
    },
    'POST /api/user?action=delete-account': async ({ user, body, request }) => {
      const { userId } = user
      await limitGuesses(context.guessLimits, user, request.ip, async () => {
        const passwordHash = await checkOwnPassword(context.database, userId, body.password)
        if (!(await deleteAccount(context, userId, { passwordHash }))) {
          throw new AppError('password_wrong')
        }
      })
      forgetPhotos(context, userId)
      return { success: true }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}
