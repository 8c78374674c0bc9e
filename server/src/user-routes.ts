import type { ProfileAnswer } from '@starside/contract/auth.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assertPassword } from './auth/change-password.ts'
import { requireUser } from './auth/session.ts'
import type { SignedInUser } from './auth/session.ts'
import type { Context } from './context.ts'
import { readAccount } from './credits/account.ts'
import { answerConsumeCredits, answerCreditHistory } from './credits/routes.ts'
import { deleteAccount } from './delete-account.ts'
import { exportMyData } from './export-my-data.ts'
import { countSelfies } from './generation/queries.ts'
import { dispatchAction } from './http/actions.ts'
import { parseInput } from './http/parse-input.ts'
import { countFriendsReferred } from './referrals/queries.ts'

const deleteAccountInput = z.object({ password: z.string() })

/** `/api/user?action=…`: what a person sees of all features together. */
export async function userRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  const signedIn =
    (act: (user: SignedInUser, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      act(await requireUser(context.database, request, context.clock()), request, reply)

  app.get(
    '/api/user',
    dispatchAction({
      profile: signedIn((user) => readProfile(context, user)),
      'credit-history': signedIn((user, request) => answerCreditHistory(context, request, user)),
      export: signedIn(async (user, request, reply) => {
        await context.limits.take('export', { address: request.ip, account: user.userId })
        void reply.header('content-disposition', 'attachment; filename="starside-my-data.json"')
        return exportMyData(context, user)
      }),
    }),
  )

  app.post(
    '/api/user',
    dispatchAction({
      'consume-credits': signedIn(async (user, request) => {
        await context.limits.take('consume-credits', { address: request.ip, account: user.userId })
        return answerConsumeCredits(context, request, user)
      }),
      'delete-account': signedIn(async (user, request) => {
        const { password } = parseInput(deleteAccountInput, request.body)
        await assertPassword(context.database, user.userId, password)
        await deleteAccount(context, user.userId)
        return { success: true }
      }),
    }),
  )
}

async function readProfile(context: Context, user: SignedInUser): Promise<ProfileAnswer> {
  const [account, friendsReferred, selfiesCreated] = await Promise.all([
    readAccount(context.database, user.userId),
    countFriendsReferred(context.database, user.userId),
    countSelfies(context.database, user.userId),
  ])
  return {
    success: true,
    user: {
      userId: user.userId,
      email: user.email,
      username: user.username,
      referralCode: user.referralCode,
      creditsBalance: account.balance,
      totalCreditsEverBought: account.boughtTotal,
      friendsReferred,
      selfiesCreated,
      createdAt: user.createdAt.toISOString(),
    },
  }
}
