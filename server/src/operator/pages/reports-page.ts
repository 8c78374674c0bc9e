import texts from '@starside/contract/texts/en/trust.json' with { type: 'json' }
import { html } from '../../platform/http/html.ts'
import { listReports } from '../../trust/reports/reports.ts'
import { hidePictureAddresses } from '../../trust/reports/picture-reference.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { resolveReportAct } from '../acts/report-acts.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { listPage, listTable, pageRowsMax, selfieLink, time } from '../tables.ts'
import type { Columns } from '../tables.ts'
import { selfiePicture } from './selfie-columns.ts'

export const reportsPage: PageBody = {
  async show(call) {
    const { database } = call.context
    const { open, decided } = reportColumns(call)
    return html`<h2>Open</h2>
      ${listTable(await listReports(database, 'open', { limit: pageRowsMax }), 'None waits.', open)}
      <h2>Decided</h2>
      ${await listPage(call, (page) => listReports(database, 'decided', page), 'None was decided yet.', decided)}`
  },
  forms: actForms(resolveReportAct),
}

/** What is shown of open reports, and of decided ones; their forms are those of the page of reports. */
export function reportColumns(call: OperatorCall) {
  const { config, clock } = call.context
  const now = clock()
  const mayOpen = call.may('open pictures')
  const show = (text: string) => (mayOpen ? text : hidePictureAddresses(text))
  const Selfie = ({ generation_id: id }: Report) => id !== null && selfieLink(id)
  const open = {
    Due: ({ due_at: due, outcome }) =>
      html`<span class="${outcome === null && due < now && 'bad'}">${time(due)}</span>`,
    Selfie: (report) => html`${selfiePicture(call, report.generation_id)} ${Selfie(report)}`,
    'Reported link': ({ link, generation_id }) =>
      link !== generation_id &&
      (mayOpen && link.startsWith(`${config.publicUrl}/`)
        ? html`<a href="${link}" rel="noreferrer">${link}</a>`
        : show(link)),
    Reason: reasonOf,
    Details: ({ details }) => show(details),
    Contact: ({ contact }) => show(contact),
    Signed: ({ signature, behalf }) =>
      `${signature ?? ''}${behalf === 'somebody_else' ? ', for somebody else' : ''}`,
    Actions: (report) => report.outcome === null && decisions(call, report),
  } satisfies Columns<Report>
  const decided = {
    Filed: ({ created_at }) => time(created_at),
    Selfie,
    Reason: reasonOf,
    Outcome: ({ outcome }) => outcome?.replaceAll('_', ' '),
    Note: ({ note }) => show(note ?? ''),
  } satisfies Columns<Report>
  return { open, decided }
}

const reasonOf = ({ reason }: Report) => texts[`reason_${reason}`]

type Report = Awaited<ReturnType<typeof listReports>>[number]

function decisions(call: OperatorCall, { id, generation_id: picture }: Report) {
  const decide = (outcome: string, button: string, more: object = {}) =>
    actForm(call, resolveReportAct, { id, outcome }, { button, row: `${id} ${outcome}`, ...more })
  const without = ['copies']
  return html`${picture !== null && decide('kept', 'Keep the picture', { without })}
  ${
    picture !== null &&
    decide('removed', 'Remove for good', { warning: 'The picture and its link are gone for good.' })
  }
  ${decide('not_found', 'There is no such picture', { without })}`
}
