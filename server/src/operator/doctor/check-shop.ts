import type { RunningParts, Finding } from './check.ts'
import { comparesFaces } from '../../selfies/likeness/try-comparison.ts'
import { findCheck, likenessCheck } from '../operator-checks.ts'
import { ok, problem, warning } from './check.ts'

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
export function checkAiLabel({ config }: RunningParts): Finding[] {
  if (config.aiLabel !== 'off') return [ok(`In every new picture (AI_LABEL=${config.aiLabel}).`)]
  return [
    warning(
      'No picture bears one. Where people in the European Union see them, article 50 of the AI Act asks for a visible label.',
      'Set AI_LABEL=words, or icon.',
    ),
  ]
}

/** Whether a page says who is responsible, and was published by an operator. */
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

export function checkStars({ presets }: RunningParts): Finding[] {
  const count = presets.list().length
  return count === 0
    ? [problem('No star is offered.', 'Add one.', '/admin/presets')]
    : [ok(`${count} are offered.`)]
}

/** Whether operators have names, and a second factor each. */
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

/** How old the newest backup is. */
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
