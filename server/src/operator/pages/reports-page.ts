import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { findReport, listReports } from '../../reports/list-reports.ts'
import { hidePictureAddresses } from '../../reports/picture-reference.ts'
import { removePicture } from '../../reports/remove-picture.ts'
import { resolveReport } from '../../reports/resolve-report.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminForm, AdminPage } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { firstRow, pageLinks, pageRowsMax, table, time } from '../tables.ts'

export const reportsPage: AdminPage = {
  path: '/admin/reports',
  title: 'Reports',
  act: 'see reports',
  group: 'People',
  show: showReports,
  forms: {
    keep: decideForm('kept', 'The picture stays.'),
    'not-found': decideForm('not_found', 'There is no such picture.'),
    remove: defineForm({
      act: 'decide reports',
      fields: z.object({ reportId: z.uuid(), reason: reasonField, copies: z.string().optional() }),
      async submit({ context }, { reportId, reason, copies }) {
        const report = await findReport(context.database, reportId)
        const generationId = report?.outcome === null ? report.generation_id : null
        const removed =
          generationId === null ? undefined : await removePicture(context, { generationId, reason })
        if (generationId === null || removed === undefined) {
          return { refused: 'There is no such picture, or the report was decided already.' }
        }
        const alike = removed.copies
        if (copies === undefined) {
          const told = alike.length === 0 ? '' : ` These look the same: ${alike.join(', ')}.`
          return { done: `The picture is removed.${told}`, log: { subject: generationId, reason } }
        }
        for (const id of alike) await removePicture(context, { generationId: id, reason })
        return {
          done: `The picture is removed, and ${alike.length} that look the same.`,
          log: { subject: generationId, reason, after: { copies: alike } },
        }
      },
    }),
  },
}

function decideForm(outcome: 'kept' | 'not_found', done: string): AdminForm {
  return defineForm({
    act: 'decide reports',
    fields: z.object({ reportId: z.uuid(), reason: reasonField }),
    async submit({ context }, { reportId, reason }) {
      const isDone = await resolveReport(context, { reportId, outcome, note: reason })
      return isDone
        ? { done, log: { subject: reportId, reason } }
        : { refused: 'This report was decided already.' }
    },
  })
}

async function showReports(call: AdminCall): Promise<Html> {
  const { database, config, clock } = call.context
  const open = await listReports(database, { all: false, limit: pageRowsMax })
  const all = await listReports(database, {
    all: true,
    limit: pageRowsMax + 1,
    offset: firstRow(call),
  })
  const now = clock()
  const mayOpen = call.may('open pictures')
  const show = (text: string) => (mayOpen ? text : hidePictureAddresses(text))
  return html`<p>
      Each report is decided within 48 hours. A picture that is removed is gone for good, with its
      link; it and its photos can't be used again.
    </p>
    <h2>Open</h2>
    ${table(
      ['Due', 'Picture', 'Reason', 'Details', 'Contact', ''],
      open.map((report) => [
        html`<span class="${report.due_at < now ? 'bad' : ''}">${time(report.due_at)}</span>`,
        mayOpen && report.link.startsWith(config.publicUrl) && /^https?:/.test(report.link)
          ? html`<a href="${report.link}" rel="noreferrer">${report.link}</a>`
          : show(report.link),
        report.reason,
        show(report.details),
        show(report.contact),
        call.may('decide reports') && decisions(call, report),
      ]),
    )}
    <h2>All</h2>
    ${table(
      ['Filed', 'Reason', 'Outcome', 'Note'],
      all
        .slice(0, pageRowsMax)
        .map((report) => [
          time(report.created_at),
          report.reason,
          report.outcome,
          show(report.note ?? ''),
        ]),
    )}
    ${pageLinks(call, { rowsMax: pageRowsMax, hasMore: all.length > pageRowsMax })}`
}

type Report = Awaited<ReturnType<typeof listReports>>[number]

function decisions(call: AdminCall, { id, generation_id: picture }: Report): Html {
  const because = (label: string) => (fields: Fields) =>
    html`${fields.hidden('reportId', id)}
    ${fields.text({ name: 'reason', label, isRequired: true, lengthMax: 500 })}`
  const remove = (fields: Fields) =>
    html`${because('Why it goes')(fields)}
    ${fields.checkbox({ name: 'copies', label: 'Remove pictures that look the same, too' })}`
  const keep = { button: 'Keep the picture', row: id }
  const notFound = { button: 'There is no such picture', row: id }
  return html`${picture !== null && foldedForm(call, 'keep', because('Why it stays'), keep)}
  ${picture !== null && foldedForm(call, 'remove', remove, { button: 'Remove for good', row: id, isDangerous: true })}
  ${foldedForm(call, 'not-found', because('How it was looked for'), notFound)}`
}
