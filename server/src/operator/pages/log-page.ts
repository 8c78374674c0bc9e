import { isDeepStrictEqual } from 'node:util'
import { html } from '../../platform/http/html.ts'
import { listSiteChanges } from '../../platform/site/change-site.ts'
import { isSiteKey, siteTitles } from '../../platform/site/site-settings.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { undoSetting } from '../acts/settings-acts.ts'
import type { PageBody } from '../operator-page.ts'
import { listLogRows, pictureOpening } from '../operator-log.ts'
import { listPage, listTable, searchOf, selfieLink, time } from '../tables.ts'

const rowsMax = 30
const textLengthMax = 160

/** What operators did and changed, newest first; each change of a setting can be undone. */
export const logPage: PageBody = {
  async show(call) {
    const { database } = call.context
    const { search, searchForm } = searchOf(call, 'An operator, an act, or what it was about')
    const changes = await listSiteChanges(database, { limit: rowsMax })
    return html`<h2>Changed settings</h2>
      ${listTable(changes, 'Nothing was changed yet.', {
        When: ({ changed_at }) => time(changed_at),
        Who: ({ operator_name }) => operator_name,
        What: ({ key }) => (isSiteKey(key) ? siteTitles[key] : key),
        Before: ({ before, after }) => describe(changedParts(before, after)),
        After: ({ before, after }) => describe(changedParts(after, before)),
        Actions: ({ key, version, before }) =>
          isDeepStrictEqual(before, changes.find((newest) => newest.key === key)?.after)
            ? 'Undone'
            : actForm(call, undoSetting, { id: key, version }, { row: version }),
      })}
      <h2>History</h2>
      ${searchForm}
      <p><a href="/admin/log?q=${encodeURIComponent(pictureOpening)}">Opened pictures</a></p>
      ${await listPage(
        call,
        (page) => listLogRows(database, { search, ...page }),
        'Nobody has done anything yet.',
        {
          When: ({ at }) => time(at),
          Who: ({ operator_name }) => operator_name,
          What: ({ act }) => act,
          // Both acts on pictures name their selfie.
          About: ({ act, subject }) => (/picture/.test(act) ? selfieLink(subject) : subject),
          Reason: ({ reason }) => reason,
          Before: ({ before }) => (before === null ? '' : describe(before)),
          After: ({ after }) => (after === null ? '' : describe(after)),
          Outcome: ({ outcome }) => outcome ?? html`<span class="bad">cut off</span>`,
        },
        rowsMax,
      )}`
  },
  forms: actForms(undoSetting),
}

/** What of objects, also in a list, another value hasn't; an `id` stays, as it says whose the rest is. */
function changedParts(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value
  if (Array.isArray(value) && !value.every(isObject)) return value
  const others: Record<string, unknown> = { ...other }
  const parts = Object.entries(value)
    .filter(([name, own]) => name === 'id' || !isDeepStrictEqual(own, others[name]))
    .map(([name, own]) => [name, changedParts(own, others[name])] as const)
  return Array.isArray(value) ? parts.map(([, own]) => own) : Object.fromEntries(parts)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function describe(value: unknown): string {
  if (value === undefined || value === null) return '(default)'
  const text = wordsOf(value).replaceAll(/T(\d\d:\d\d):[\d.]+Z/g, ' $1 UTC')
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text
}

/** `uses max: 1` of everything that was kept (`usesMax`), one after the other. */
function wordsOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (!isObject(value)) return String(value)
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  return Object.entries(value)
    .map(([name, own]) => `${name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()}: ${wordsOf(own)}`)
    .join('; ')
}
