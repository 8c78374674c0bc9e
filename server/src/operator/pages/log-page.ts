import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { listSiteChanges } from '../../platform/site/change-site.ts'
import { isSiteKey, siteSettings } from '../../platform/site/site-settings.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { undoSetting } from '../acts/settings-acts.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { listLogRows } from '../operator-log.ts'
import { listTable, time } from '../tables.ts'

const rowsMax = 50
const textLengthMax = 160

/** What operators did and changed, newest first; each change of a setting can be undone. */
export const logPage: OperatorPage = {
  path: '/admin/log',
  title: 'Log',
  right: 'see the log',
  group: 'Running',
  show: showLog,
  forms: actForms(undoSetting),
}

async function showLog(call: OperatorCall): Promise<Html> {
  const { database } = call.context
  const beforeId = /^\d{1,18}$/.test(call.query['before'] ?? '') ? call.query['before'] : undefined
  const rows = await listLogRows(database, {
    limit: rowsMax,
    ...(beforeId === undefined ? {} : { beforeId }),
  })
  const changes = await listSiteChanges(database, { limit: rowsMax })
  const last = rows.at(-1)
  return html`<h2>Settings</h2>
    ${listTable(changes, {
      When: ({ changedAt }) => time(changedAt),
      Who: ({ operatorName }) => operatorName,
      What: ({ key }) => titleOf(key),
      Before: ({ before }) => describe(before),
      After: ({ after }) => describe(after),
      Actions: ({ key, version }) =>
        actForm(call, undoSetting, { id: key, version }, { row: version }),
    })}
    <h2>History</h2>
    ${listTable(rows, {
      When: ({ at }) => time(at),
      Who: ({ operator_name }) => operator_name,
      What: ({ act }) => act,
      About: ({ subject }) => subject,
      Reason: ({ reason }) => reason,
      Before: ({ before }) => (before === null ? '' : describe(before)),
      After: ({ after }) => (after === null ? '' : describe(after)),
      Outcome: ({ outcome }) => outcome ?? html`<span class="bad">cut off</span>`,
    })}
    ${rows.length === rowsMax && last !== undefined && html`<p><a href="/admin/log?before=${last.id}">Older</a></p>`}`
}

function titleOf(key: string): string {
  return isSiteKey(key) ? siteSettings[key].title : key
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return '(default)'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text
}
