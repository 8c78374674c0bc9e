import { reportInput } from '@starside/contract/reports.ts'
import type { ReportAnswer } from '@starside/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { parseInput } from '../http/parse-input.ts'
import { fileReport } from './file-report.ts'

/** `POST /api/reports`: anybody may report a picture. */
export async function reportRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  app.post('/api/reports', async (request, reply): Promise<ReportAnswer> => {
    const input = parseInput(reportInput, request.body)
    await context.limits.take('report', { address: request.ip })
    const { reportId, dueAt } = await fileReport(context, input)
    void reply.status(201)
    return { success: true, reportId, dueAt: dueAt.toISOString() }
  })
}
