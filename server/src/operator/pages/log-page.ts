import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { listSiteChanges, undoSite } from '../../site/change-site.ts'
import { isSiteKey, siteSettings } from '../../site/site-settings.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { form } from '../form-fields.ts'
import { listLogRows } from '../operator-log.ts'
import { table, time } from '../tables.ts'

const rowsMax = 50
const textLengthMax = 160

/** What operators did and changed, newest first; each change of a setting can be undone. */
export const logPage: AdminPage = {
  path: '/admin/log',
  title: 'Log',
  act: 'see the log',
  group: 'Running',
  show: showLog,
  forms: {
    undo: defineForm({
      act: 'change brand',
      fields: z.object({ key: z.string().max(100), version: z.string().regex(/^\d{1,18}$/) }),
      async submit({ context, operator }, { key, version }) {
        const now = context.clock()
        const parts = { key, version, operatorName: operator.name, now }
        const change = await undoSite(context.database, parts)
        if (change === undefined) return { refused: 'There is nothing to put back.' }
        await context.site.refresh()
        const { before, after } = change
        return {
          done: `${titleOf(key)} is as it was before.`,
          log: { subject: key, before, after },
        }
      },
    }),
  },
}

async function showLog(call: AdminCall): Promise<Html> {
  const { database } = call.context
  const beforeId = /^\d{1,18}$/.test(call.query['before'] ?? '') ? call.query['before'] : undefined
  const rows = await listLogRows(database, {
    limit: rowsMax,
    ...(beforeId === undefined ? {} : { beforeId }),
  })
  const changes = await listSiteChanges(database, { limit: rowsMax })
  const last = rows.at(-1)
  return html`<h2>Settings</h2>
    ${table(
      ['When', 'Who', 'What', 'Before', 'After', ''],
      changes.map((change) => [
        time(change.changedAt),
        change.operatorName,
        titleOf(change.key),
        describe(change.before),
        describe(change.after),
        form(
          call,
          'undo',
          (fields) =>
            html`${fields.hidden('key', change.key)} ${fields.hidden('version', change.version)}`,
          { button: 'Put back' },
        ),
      ]),
    )}
    <h2>Acts</h2>
    ${table(
      ['When', 'Who', 'What', 'About', 'Reason', 'Before', 'After', 'Outcome'],
      rows.map((row) => [
        time(row.at),
        row.operator_name,
        row.act,
        row.subject,
        row.reason,
        row.before === null ? '' : describe(row.before),
        row.after === null ? '' : describe(row.after),
        row.outcome ?? html`<span class="bad">cut off</span>`,
      ]),
    )}
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
