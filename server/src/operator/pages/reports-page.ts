import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { listReports } from '../../reports/list-reports.ts'
import { hidePictureAddresses } from '../../reports/picture-reference.ts'
import { resolveReport } from '../../reports/resolve-report.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { table, time } from '../tables.ts'

const rowsMax = 100

export const reportsPage: AdminPage = {
  path: '/admin/reports',
  title: 'Reports',
  act: 'see reports',
  group: 'People',
  show: showReports,
  forms: {
    keep: defineForm({
      act: 'decide reports',
      fields: z.object({ reportId: z.uuid(), reason: reasonField }),
      async submit({ context }, { reportId, reason }) {
        const isDone = await resolveReport(context, { reportId, outcome: 'kept', note: reason })
        return isDone
          ? { done: 'The picture stays.', log: { subject: reportId, reason } }
          : { refused: 'This report was decided already.' }
      },
    }),
  },
}

async function showReports(call: AdminCall): Promise<Html> {
  const { database, config } = call.context
  const open = await listReports(database, { all: false, limit: rowsMax })
  const all = await listReports(database, { all: true, limit: rowsMax })
  const now = Date.now()
  const mayOpen = call.may('open pictures')
  const show = (text: string) => (mayOpen ? text : hidePictureAddresses(text))
  return html`<p>
      Each report is decided within 48 hours. To remove a picture, its blocked copies included:
      <code>npm run admin -- picture remove</code>.
    </p>
    <h2>Open</h2>
    ${table(
      ['Due', 'Picture', 'Reason', 'Details', 'Contact', ''],
      open.map((report) => [
        html`<span class="${report.due_at.getTime() < now ? 'bad' : ''}"
          >${time(report.due_at)}</span
        >`,
        mayOpen && report.link.startsWith(config.publicUrl) && /^https?:/.test(report.link)
          ? html`<a href="${report.link}" rel="noreferrer">${report.link}</a>`
          : show(report.link),
        report.reason,
        show(report.details),
        show(report.contact),
        call.may('decide reports') &&
          foldedForm(
            call,
            'keep',
            (fields) =>
              html`${fields.hidden('reportId', report.id)}
              ${fields.text({ name: 'reason', label: 'Why it stays', isRequired: true, lengthMax: 500 })}`,
            { button: 'Keep the picture', row: report.id },
          ),
      ]),
    )}
    <h2>All</h2>
    ${table(
      ['Filed', 'Reason', 'Outcome', 'Note'],
      all.map((report) => [
        time(report.created_at),
        report.reason,
        report.outcome,
        show(report.note ?? ''),
      ]),
    )}`
}
