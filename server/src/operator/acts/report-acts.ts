import { z } from 'zod'
import { isUuid } from '../../platform/db/uuid.ts'
import { findReport } from '../../trust/reports/list-reports.ts'
import { removePicture } from '../../trust/reports/remove-picture.ts'
import { resolveReport } from '../../trust/reports/resolve-report.ts'
import { defineAct } from '../act.ts'
import type { ActOutcome, ActParts } from '../act.ts'
import { reasonField, reasonSchema } from './reason.ts'

const copiesField = {
  label: 'Remove pictures that look nearly the same, too',
  kind: 'tick',
} as const
const copies = z.literal('on').optional()
const outcomes = ['removed', 'kept', 'not_found'] as const
const done = { kept: 'The picture stays.', not_found: 'There is no such picture.' }

export const resolveReportAct = defineAct({
  name: 'reports resolve',
  right: 'decide reports',
  help: 'decides a report; removed also removes the picture',
  button: 'Decide',
  fields: {
    id: { label: 'Report', place: 'REPORT_ID' },
    outcome: { label: 'Outcome', kind: outcomes, isRequired: true },
    reason: { ...reasonField, option: 'note' },
    copies: copiesField,
  },
  schema: z.object({
    id: z.string('Say which.'),
    outcome: z.enum(outcomes, `One of ${outcomes.join(', ')}.`),
    reason: reasonSchema,
    copies,
  }),
  async run(parts, { id: reportId, outcome, reason, copies: withCopies }) {
    const report = isUuid(reportId) ? await findReport(parts.database, reportId) : undefined
    if (report === undefined) return { refused: 'There is no such report.' }
    if (report.outcome !== null) return { refused: 'This report was decided already.' }
    if (outcome !== 'removed') {
      const isDone = await resolveReport(parts, { reportId, outcome, note: reason })
      return isDone ? { done: done[outcome] } : { refused: 'This report was decided already.' }
    }
    return report.generation_id === null
      ? { refused: 'Which picture it is about is not known. Remove it by its id.' }
      : remove(parts, { generationId: report.generation_id, reason, withCopies })
  },
})

export const removePictureAct = defineAct({
  name: 'picture remove',
  right: 'decide reports',
  help: 'removes a picture and its link for good, blocks it and its photos from coming back',
  button: 'Remove for good',
  warning: 'The picture and its link are gone for good.',
  fields: {
    id: { label: 'Picture', place: 'PICTURE_ID', isRequired: true },
    reason: reasonField,
    copies: copiesField,
  },
  schema: z.object({ id: z.string('Say which.'), reason: reasonSchema, copies }),
  run: async (parts, { id: generationId, reason, copies: withCopies }) =>
    remove(parts, { generationId, reason, withCopies }),
})

async function remove(
  { database, clock, store }: ActParts,
  options: { generationId: string; reason: string; withCopies: 'on' | undefined },
): Promise<ActOutcome> {
  const { generationId, reason, withCopies } = options
  const parts = { database, clock, store: await store() }
  const removed = isUuid(generationId)
    ? await removePicture(parts, { generationId, reason })
    : undefined
  if (removed === undefined) return { refused: 'There is no such finished picture.' }
  const taken = [...removed.identical, ...(withCopies === undefined ? [] : removed.copies)]
  for (const id of taken) await removePicture(parts, { generationId: id, reason })
  const left = withCopies === undefined ? removed.copies : []
  const texts = [
    `Removed. ${removed.blocked} hashes are blocked. Its owner is ${removed.ownerId}.`,
    ...(taken.length === 0 ? [] : [`Removed too, as they look the same: ${taken.join(', ')}.`]),
    ...(left.length === 0 ? [] : [`These look nearly the same: ${left.join(', ')}.`]),
  ]
  return { done: texts.join(' '), log: { subject: generationId, after: { copies: taken } } }
}
