import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { AppError } from './http/app-error.ts'

/** What anybody may ask: public settings and the health calls. */
export async function publicRoutes(
  app: FastifyInstance,
  { context, testMoney }: { context: Context; testMoney: boolean },
): Promise<void> {
  const { config } = context

  app.get('/api/config', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=60')
    return {
      success: true,
      host: config.publicHost,
      testMoney,
      contactEmail: config.contactEmail,
      socialUrl: config.socialUrl,
      communityUrl: config.communityUrl,
      referralBonusCredits: config.referralBonusCredits,
    }
  })

  app.get('/api/health/live', async () => ({ status: 'ok' }))

  app.get('/api/health/ready', async (request) => {
    try {
      await sql`select 1`.execute(context.database)
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer')
      throw new AppError('unavailable', { cause: error })
    }
    return { status: 'ok' }
  })
}
