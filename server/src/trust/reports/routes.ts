import { reportRoutes as declared } from '@starside/contract/routes/report-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { readLanguage } from '../../platform/http/read-language.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import type { Language } from '@starside/contract/languages.ts'
import { reportHours } from '@starside/contract/report-limits.ts'
import type { ReportInput } from '@starside/contract/reports.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { findRow, insertRow } from '../../platform/db/rows.ts'
import { findSharedPicture } from '../../selfies/sharing/share-picture.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import { logModeration } from '../../moderation/moderation.ts'
import { readPictureReference } from './picture-reference.ts'

/** Anybody may report a picture. */
export async function reportRoutes(
  app: FastifyInstance,
  { context }: { context: TrustParts },
): Promise<void> {
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'POST /api/reports': async ({ body, request }) => {
      const { reportId, dueAt } = await fileReport(context, body, readLanguage(request))
      return { success: true, reportId, dueAt: dueAt.toISOString() }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}

/**
 * Takes a report, mails the operator, answers until when it is decided; never whether the picture
 * exists, so that links can't be tried out. Throws `report_link_unknown` or `report_incomplete`.
 */
export async function fileReport(
  context: Pick<TrustParts, 'database' | 'clock' | 'mailer' | 'site'>,
  input: ReportInput,
  language: Language,
): Promise<{ reportId: string; dueAt: Date }> {
  const reference = readPictureReference(input.link)
  if (reference === undefined) throw new AppError('report_link_unknown')
  const contact = (input.contact ?? '').trim()
  const signature = (input.signature ?? '').trim()
  const isWhole = contact.length >= 3 && signature.length >= 3 && input.goodFaith === true
  if (!isWhole) throw new AppError('report_incomplete')
  const { database } = context
  const row =
    'shareId' in reference
      ? await findSharedPicture(database, reference.shareId)
      : await findRow(database, 'generations', { id: reference.generationId })
  const generationId = row?.id ?? null
  const now = context.clock()
  const dueAt = new Date(now.getTime() + reportHours * 60 * 60_000)
  const reportId = await inTransaction(database, async (transaction) => {
    const { id } = await insertRow(transaction, 'reports', {
      generation_id: generationId,
      link: input.link,
      reason: input.reason,
      details: (input.details ?? '').trim(),
      contact,
      good_faith: true,
      signature,
      behalf: input.behalf,
      language,
      created_at: now,
      due_at: dueAt,
    })
    await logModeration(transaction, {
      at: now,
      actor: 'reporter',
      act: 'report filed',
      generation_id: generationId,
      report_id: id,
      detail: input.reason,
    })
    return id
  })
  sendInBackground(context.mailer, {
    to: context.site.values()['brand.contactEmail'],
    subject: `A picture was reported (${input.reason}), to be decided by ${dueAt.toISOString()}`,
    text: `Report ${reportId}\n\nSee it: npm run admin -- reports show ${reportId}\nDecide it: npm run admin -- reports resolve ${reportId} --outcome removed --note "..."`,
  })
  return { reportId, dueAt }
}
