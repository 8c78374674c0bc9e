import { creditsText } from '@starside/contract/fill.ts'
import { orderStatuses } from '@starside/contract/order-statuses.ts'
import { normaliseEmail } from '../../accounts/auth/mailbox.ts'
import { hashPassword } from '../../accounts/auth/password.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { readModerationLog } from '../../moderation/moderation.ts'
import { findUser, findUsers } from '../find-user.ts'
import { operatorPasswordLengthMin } from '../operators.ts'
import { priceOf } from '../tables.ts'
import { listOpenFlags, listOrders, readOrderFile } from '../../payments/operator-queries.ts'
import { findRow } from '../../platform/db/rows.ts'
import { listReports } from '../../trust/reports/reports.ts'
import { listSiteChanges } from '../../platform/site/change-site.ts'
import { readSite } from '../../platform/site/site.ts'
import { isSiteKey, siteKeys } from '../../platform/site/site-settings.ts'
import { commandsOf, endWith } from './operator-command.ts'
import type { GivenWords, OperatorParts, PartsWithoutDatabase } from './operator-command.ts'

export const listCommands = commandsOf({
  'orders list': { run: printOrders },
  'orders show': { run: showOrder },
  'user find': { run: printUsers },
  'reports list': { run: printReports },
  'reports show': { run: showReport },
  'settings list': { run: printSettings },
  'operator password-hash': { needsDatabase: false, run: printPasswordHash },
})

const linesMax = 1_000
const usersMax = 50
const changesMax = 20

async function printOrders(
  { database, print }: OperatorParts,
  { texts, flags: given }: GivenWords,
): Promise<number> {
  const status = orderStatuses.find((known) => known === texts['status'])
  if (texts['status'] !== undefined && status === undefined)
    return endWith(print, 2, `The status is one of ${orderStatuses.join(', ')}.`)
  const limit = Number(texts['limit'] ?? '50')
  if (!Number.isInteger(limit) || limit < 1 || limit > linesMax)
    return endWith(print, 2, `The limit is a whole number from 1 to ${linesMax}.`)
  const orders = await listOrders(database, {
    status,
    limit,
    onlyFlagged: given.has('flagged'),
    email: texts['email'] === undefined ? undefined : normaliseEmail(texts['email']),
  })
  for (const row of orders) {
    const { id, created_at, provider, email, flags } = row
    const notice = flags.length === 0 ? '' : `! ${[...new Set(flags)].join(', ')}`
    const price = priceOf(row).padStart(7)
    const about = [row.status.padEnd(10), price, provider.padEnd(11), email ?? '(deleted)', notice]
    print([id, created_at.toISOString(), ...about].join('  '))
  }
  print(`${orders.length} orders.`)
  if (!given.has('flagged')) return 0
  for (const flag of await listOpenFlags(database, linesMax)) {
    const subject = flag.order_id ?? `payment ${flag.payment_id ?? '?'}`
    print(
      `flag ${flag.id}  ${flag.created_at.toISOString()}  ${subject}  ${flag.kind}: ${flag.note}`,
    )
  }
  return 0
}

async function showOrder({ database, print }: OperatorParts, words: GivenWords): Promise<number> {
  const file = await readOrderFile(database, words.places[0] ?? '')
  if (file === undefined) return endWith(print, 1, 'There is no such order.')
  const { order, payments, events, flags, entries } = file
  const parts = { order: [order], payment: payments, event: events, entry: entries, flag: flags }
  for (const [name, rows] of Object.entries(parts)) {
    for (const row of rows) print(`${name}\n${describeRow(row)}`)
  }
  return 0
}

/** What a row says, a column a line; what is empty is left out. */
function describeRow(row: object): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `  ${name.padEnd(18)} ${textOf(value)}`)
    .join('\n')
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? bareText(value) : JSON.stringify(value)
}

async function printUsers({ database, print }: OperatorParts, words: GivenWords): Promise<number> {
  const text = words.places.join(' ').trim()
  if (text === '')
    return endWith(print, 2, 'Say whom: an e-mail, an id, a referral code or a part of a name.')
  const exact = await findUser(database, text)
  const found = { search: exact?.id ?? text, hasGuests: true }
  const users = await findUsers(database, found, { offset: 0, limit: usersMax })
  for (const { id, email, username, status, created_at, balance, owed, bought_total } of users) {
    print(
      `${id}  ${email}  ${username}  ${status}  ` +
        `${creditsText(balance ?? 0)}, ${owed > 0 ? `${owed} owed, ` : ''}${bought_total} bought, since ${created_at.toISOString()}`,
    )
  }
  if (users.length === 0) print('Nobody was found.')
  return users.length === 0 ? 1 : 0
}

async function printReports({ database, clock, print }: OperatorParts, { flags }: GivenWords) {
  const all = flags.has('all')
  const reports = await listReports(database, all ? 'all' : 'open', { limit: linesMax })
  for (const report of reports) {
    const state =
      report.outcome ?? (report.due_at < clock() ? 'OVERDUE' : `due ${report.due_at.toISOString()}`)
    print(`${report.id}  ${state}  ${report.reason}  picture ${report.generation_id ?? 'unknown'}`)
  }
  if (reports.length === 0) print(all ? 'There are no reports.' : 'No report is open.')
  return 0
}

async function showReport({ database, print }: OperatorParts, { places }: GivenWords) {
  const [reportId = ''] = places
  const report = isUuid(reportId) ? await findRow(database, 'reports', { id: reportId }) : undefined
  if (report === undefined) return endWith(print, 1, 'There is no such report.')
  print(describeRow(report))
  const generationId = report.generation_id ?? undefined
  for (const step of await readModerationLog(database, { reportId, generationId })) {
    const { at, actor, act, detail } = step
    print(`  ${at.toISOString()}  ${actor}  ${act}  ${bareText(detail)}`.trimEnd())
  }
  return 0
}

/** A stranger's words on a terminal: one line, without control characters. */
function bareText(text: string): string {
  return text.replaceAll(/\p{C}+/gu, ' ').trim()
}

async function printSettings(
  { config, database, print }: OperatorParts,
  { places: [key] }: GivenWords,
): Promise<number> {
  const { values } = await readSite(database, config.siteFallbacks, (wrong) => {
    print(`What is stored of ${wrong} is not accepted; the default holds.`)
  })
  if (key === undefined) {
    for (const each of siteKeys) print(`${each.padEnd(22)} ${JSON.stringify(values[each])}`)
    return 0
  }
  if (!isSiteKey(key))
    return endWith(print, 2, `There is no setting '${key}'. There are: ${siteKeys.join(', ')}.`)
  const changes = await listSiteChanges(database, { key, limit: changesMax })
  if (changes.length === 0) print(`${key} was never changed: ${JSON.stringify(values[key])}`)
  const show = (value: unknown) => (value === null ? '(default)' : JSON.stringify(value))
  for (const { version, changed_at, before, after, operator_name: who } of changes) {
    const change = `${key}: ${show(before)} → ${show(after)}, by ${who}`
    print(`${version}  ${changed_at.toISOString()}  ${change}`)
  }
  return 0
}

async function printPasswordHash({ print }: PartsWithoutDatabase): Promise<number> {
  let password = ''
  for await (const chunk of process.stdin) password += String(chunk)
  password = password.replace(/\r?\n$/, '')
  if (password.length < operatorPasswordLengthMin)
    return endWith(print, 2, `The password needs at least ${operatorPasswordLengthMin} characters.`)
  print(await hashPassword(password))
  return 0
}
