import type { RunningParts, Finding } from './check.ts'
import { comparesFaces } from '../../selfies/likeness/try-comparison.ts'
import { listReports } from '../../trust/reports/list-reports.ts'
import { findCheck, likenessCheck, ok, problem, warning } from './check.ts'

export function checkBrand({ site, config }: RunningParts): Finding[] {
  const values = site.values()
  const address = values['brand.contactEmail']
  return address === `hello@${config.publicHost}`
    ? [
        warning(
          `Users write to ${address}. Does somebody read that?`,
          'Set name, logo and contact.',
          '/admin/brand',
        ),
      ]
    : [ok(values['brand.name'])]
}

/** Whether pictures say visibly how they were made. The law asks whoever shows them, not the program. */
export function checkAiLabel({ config }: Pick<RunningParts, 'config'>): Finding[] {
  if (config.aiLabel !== 'off') return [ok(`In every new picture (AI_LABEL=${config.aiLabel}).`)]
  return [
    warning(
      'No picture bears one. Where people in the European Union see them, article 50 of the AI Act asks for a visible label.',
      'Set AI_LABEL=words, or icon.',
    ),
  ]
}

export async function checkLegalPage(
  { database, site }: RunningParts,
  page: 'terms' | 'privacy',
): Promise<Finding[]> {
  if (site.values()['legal.operator'] === '') {
    return [
      problem('The text does not say who you are.', 'Say who is responsible.', '/admin/legal'),
    ]
  }
  const published = await database
    .selectFrom('legal_page_versions')
    .select('page')
    .where('page', '=', page)
    .where('published_at', 'is not', null)
    .limit(1)
    .execute()
  return published.length > 0
    ? [ok('Published.')]
    : [warning('The starting text is shown.', 'Read and publish it.', `/admin/legal/${page}`)]
}

/** How the face network does, as the worker last found it; nothing without one. */
export async function checkKeptLikeness({ database, config }: RunningParts): Promise<Finding[]> {
  if (!comparesFaces(config)) return []
  const found = await findCheck(database, likenessCheck)
  if (found === undefined) {
    return [warning('No worker has opened the face network yet.', 'Start one.')]
  }
  if (found.is_good) return [ok(found.finding)]
  return [warning(`Strangers’ faces pass: ${found.finding}`, 'See docs/providers.md.')]
}

const licenceSoonMs = 30 * 24 * 60 * 60_000

export async function checkStars({ presets, database, clock }: RunningParts): Promise<Finding[]> {
  const count = presets.list().length
  if (count === 0) return [problem('No star is offered.', 'Add one.', '/admin/presets')]
  const soon = new Date(clock().getTime() + licenceSoonMs).toISOString().slice(0, 10)
  const ending = await database
    .selectFrom('stars')
    .select(['name', 'licence_until'])
    .where('state', '=', 'published')
    .where('licence_until', '<=', soon)
    .where('licence_until', '>=', clock().toISOString().slice(0, 10))
    .orderBy('licence_until')
    .execute()
  if (ending.length === 0) return [ok(`${count} are offered.`)]
  const list = ending.map(({ name, licence_until }) => `${name} (${licence_until})`).join(', ')
  return [warning(`Their licence ends: ${list}.`, 'Renew it, or let them go.', '/admin/presets')]
}

export async function checkReports({ database, clock }: RunningParts): Promise<Finding[]> {
  const [next] = await listReports(database, { all: false, limit: 1 })
  if (next === undefined) return []
  const at = next.due_at.toISOString().slice(0, 16).replace('T', ' ')
  const level = next.due_at < clock() ? problem : warning
  return [level(`The next one is to be decided by ${at}.`, 'Decide it.', '/admin/reports')]
}

export async function checkOperators({ database, config }: RunningParts): Promise<Finding[]> {
  const rows = await database
    .selectFrom('operators')
    .select(['name', 'totp_confirmed_at'])
    .where('disabled_at', 'is', null)
    .execute()
  if (rows.length === 0)
    return [warning('No operator has a name.', 'Add yourself.', '/admin/operators')]
  const bare = rows.filter(({ totp_confirmed_at }) => totp_confirmed_at === null)
  if (bare.length > 0) {
    const names = bare.map((row) => row.name).join(', ')
    return [warning(`Without a second factor: ${names}.`, 'Set yours up.', '/admin/account')]
  }
  return config.adminPasswordHash === undefined
    ? [ok('All have a second factor.')]
    : [warning('ADMIN_PASSWORD_HASH opens all without one.', 'Unset it.')]
}

const hourMs = 60 * 60_000
const backupGoodMs = 2 * 24 * hourMs
const backupOldMs = 7 * 24 * hourMs

export async function checkBackup({ database, clock }: RunningParts): Promise<Finding[]> {
  const mend =
    'Run `npm run admin -- backup FILE` by a timer, keep the file elsewhere, and try a restore.'
  const made = await findCheck(database, 'backup')
  if (made === undefined) return [problem('None was made yet.', mend)]
  const ageMs = clock().getTime() - made.checked_at.getTime()
  const hours = Math.round(ageMs / hourMs)
  const age = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
  const text = `The newest is ${age} old: ${made.finding}`
  if (ageMs < backupGoodMs) return [ok(text)]
  return [ageMs < backupOldMs ? warning(text, mend) : problem(text, mend)]
}
