import { z } from 'zod'
import { isUuid } from '../../platform/db/uuid.ts'
import { findRow } from '../../platform/db/rows.ts'
import { removePicture } from '../../trust/reports/remove-picture.ts'
import { resolveReport } from '../../trust/reports/reports.ts'
import { defineAct, reasonSchema } from '../act.ts'
import { reportOutcomes } from '../act-fields.ts'
import type { ActOutcome, ActParts } from '../act.ts'

const copies = z.literal('on').optional()
const done = { kept: 'The picture stays.', not_found: 'There is no such picture.' }

export const resolveReportAct = defineAct('reports resolve', {
  schema: z.object({
    id: z.string('Say which.'),
    outcome: z.enum(reportOutcomes, `One of ${reportOutcomes.join(', ')}.`),
    reason: reasonSchema,
    copies,
  }),
  async run(parts, { id: reportId, outcome, reason, copies: ticked }) {
    const report = isUuid(reportId)
      ? await findRow(parts.database, 'reports', { id: reportId })
      : undefined
    if (report === undefined) return { refused: 'There is no such report.' }
    if (report.outcome !== null) return { refused: 'This report was decided already.' }
    if (outcome !== 'removed') {
      const isDone = await resolveReport(parts, { reportId, outcome, note: reason })
      return isDone ? { done: done[outcome] } : { refused: 'This report was decided already.' }
    }
    return report.generation_id === null
      ? { refused: 'Which picture it is about is not known. Remove it by its id.' }
      : remove(parts, { id: report.generation_id, reason, copies: ticked })
  },
})

export const removePictureAct = defineAct('picture remove', {
  schema: z.object({ id: z.string('Say which.'), reason: reasonSchema, copies }),
  run: remove,
})

async function remove(
  { database, clock, store }: ActParts,
  asked: { id: string; reason: string; copies?: 'on' | undefined },
): Promise<ActOutcome> {
  const { id: generationId, reason } = asked
  const parts = { database, clock, store: await store() }
  const removed = isUuid(generationId)
    ? await removePicture(parts, { generationId, reason })
    : undefined
  if (removed === undefined) return { refused: 'There is no such finished picture.' }
  const taken = [...removed.identical, ...(asked.copies === undefined ? [] : removed.copies)]
  for (const id of taken) await removePicture(parts, { generationId: id, reason })
  const left = asked.copies === undefined ? removed.copies : []
  const texts = [
    `Removed. ${removed.blocked} hashes are blocked. Its owner is ${removed.ownerId}.`,
    ...(taken.length === 0 ? [] : [`Removed too, as they look the same: ${taken.join(', ')}.`]),
    ...(left.length === 0 ? [] : [`These look nearly the same: ${left.join(', ')}.`]),
  ]
  return { done: texts.join(' '), log: { subject: generationId, after: { copies: taken } } }
}
