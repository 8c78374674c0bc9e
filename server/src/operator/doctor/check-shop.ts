import { sql } from 'kysely'
import type { RunningParts, Finding } from './check.ts'
import { comparesFaces } from '../../selfies/likeness/face-comparison.ts'
import { findRows } from '../../platform/db/rows.ts'
import { listVersions } from '../../shop/legal/edit-legal-pages.ts'
import { listReports } from '../../trust/reports/reports.ts'
import { counted, timeText } from '../tables.ts'
import { findCheck, finding, likenessCheck } from './check.ts'
import { fromNow } from '../../platform/clock.ts'

export function checkBrand({ site, config }: RunningParts): Finding[] {
  const values = site.values()
  const footer = ['brand.contactEmail', 'brand.socialUrl', 'brand.communityUrl'] as const
  const madeUp = [`hello@${config.publicHost}`, 'https://x.com', 'https://discord.com']
  const list = footer.flatMap((key) => (madeUp.includes(values[key]) ? [values[key]] : []))
  if (list.length > 0) return [finding('brandMadeUp', { list: list.join(', ') })]
  return [finding('brandSet', { name: values['brand.name'] })]
}

/** Whether pictures say visibly how they were made. The law asks whoever shows them, not the program. */
export function checkAiLabel({ config }: Pick<RunningParts, 'config'>): Finding[] {
  const { aiLabel } = config
  return [finding(aiLabel === 'off' ? 'aiLabelMissing' : 'aiLabelled', { aiLabel })]
}

/** Whether the legal pages name who is responsible. */
export function checkImprint({ site }: RunningParts): Finding[] {
  const operator = site.values()['legal.operator']
  return [finding(operator === '' ? 'legalNobody' : 'legalNamed', { operator })]
}

export async function checkLegalPage(
  { database }: RunningParts,
  page: 'terms' | 'privacy',
): Promise<Finding[]> {
  const published = await listVersions(database, page)
  return [finding(published.length > 0 ? 'legalPublished' : 'legalStarting', { page })]
}

/** How the face network does, as the worker last found it; nothing without one. */
export async function checkKeptLikeness({ database, config }: RunningParts): Promise<Finding[]> {
  if (!comparesFaces(config)) return []
  const found = await findCheck(database, likenessCheck)
  if (found === undefined) return [finding('likenessUnknown')]
  return [finding(found.is_good ? 'likenessKept' : 'likenessFailed', { found: found.finding })]
}

const licenceSoonMs = 30 * 24 * 60 * 60_000

export async function checkStars({ presets, database, clock }: RunningParts): Promise<Finding[]> {
  const count = presets.list().length
  if (count === 0) return [finding('starsNone')]
  const today = clock().toISOString().slice(0, 10)
  const soon = fromNow({ clock }, licenceSoonMs).toISOString().slice(0, 10)
  const ending = await findRows(
    database,
    'stars',
    sql`state = 'published' and licence_until between ${today} and ${soon} order by licence_until`,
  )
  if (ending.length === 0) return [finding('starsOffered', { count })]
  const list = ending.map(({ name, licence_until }) => `${name} (${licence_until})`).join(', ')
  return [finding('starsEnding', { list })]
}

export async function checkReports({ database, clock }: RunningParts): Promise<Finding[]> {
  const [next] = await listReports(database, 'open', { limit: 1 })
  if (next === undefined) return []
  const isLate = next.due_at < clock()
  return [finding(isLate ? 'reportLate' : 'reportDue', { at: timeText(next.due_at) })]
}

export async function checkOperators({ database, config }: RunningParts): Promise<Finding[]> {
  const rows = await findRows(database, 'operators', { disabled_at: null })
  if (rows.length === 0) return [finding('operatorsNone')]
  const bare = rows.filter(({ totp_confirmed_at }) => totp_confirmed_at === null)
  const names = bare.map(({ name }) => name).join(', ')
  if (names !== '') return [finding('operatorsBare', { names, count: bare.length })]
  return [finding(config.adminPasswordHash === undefined ? 'operatorsSecured' : 'commonPassword')]
}

const hourMs = 60 * 60_000
const backupGoodMs = 2 * 24 * hourMs
const backupOldMs = 7 * 24 * hourMs

export async function checkBackup({ database, clock }: RunningParts): Promise<Finding[]> {
  const made = await findCheck(database, 'backup')
  if (made === undefined) return [finding('backupNone')]
  const ageMs = clock().getTime() - made.checked_at.getTime()
  const hours = Math.round(ageMs / hourMs)
  const age =
    hours < 48
      ? counted('{count, plural, one {# hour} other {# hours}}', hours)
      : `${Math.round(hours / 24)} days`
  const values = { age, found: made.finding }
  if (ageMs < backupGoodMs) return [finding('backupFresh', values)]
  return [finding(ageMs < backupOldMs ? 'backupAging' : 'backupOld', values)]
}
