import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assertPassword } from './auth/change-password.ts'
import { limitGuesses } from './auth/limit-guesses.ts'
import { requireUser } from './auth/session.ts'
import type { SignedInUser } from './auth/session.ts'
import type { Context } from './context.ts'
import { answerConsumeCredits, answerCreditHistory, answerReleaseHold } from './credits/routes.ts'
import { deleteAccount } from './delete-account.ts'
import { archiveMyData, exportMyData } from './export-my-data.ts'
import { dispatchAction } from './http/actions.ts'
import { parseInput } from './http/parse-input.ts'
import { createProfileReader } from './read-profile.ts'

const deleteAccountInput = z.object({ password: z.string() })

/** `/api/user?action=…`: what a person sees of all features together. */
export async function userRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  const signedIn =
    (act: (user: SignedInUser, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      act(await requireUser(context, request), request, reply)

  app.get(
    '/api/user',
    dispatchAction({
      profile: createProfileReader(context),
      'credit-history': signedIn((user, request) => answerCreditHistory(context, request, user)),
      export: signedIn(async (user, request, reply) => {
        await context.limits.take('export', { address: request.ip, account: user.userId })
        if ((request.query as { format?: unknown }).format === 'zip') {
          void reply
            .type('application/zip')
            .header('content-disposition', 'attachment; filename="starside-my-data.zip"')
          return reply.send(await archiveMyData(context, user))
        }
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
      'release-hold': signedIn(async (user, request) => {
        await context.limits.take('consume-credits', { address: request.ip, account: user.userId })
        return answerReleaseHold(context, request, user)
      }),
      'delete-account': signedIn(async (user, request) => {
        const { password } = parseInput(deleteAccountInput, request.body)
        await limitGuesses(context.guessLimits, user, request.ip, () =>
          assertPassword(context.database, user.userId, password),
        )
        await deleteAccount(context, user.userId)
        return { success: true }
      }),
    }),
  )
}
