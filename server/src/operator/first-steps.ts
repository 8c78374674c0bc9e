import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { comparesFaces } from '../generation/likeness/try-comparison.ts'
import { findCheck, likenessCheck } from './operator-checks.ts'
import {
  checkAddress,
  checkCallbackAddress,
  checkImages,
  checkMailServer,
  checkPayments,
} from './outside-steps.ts'
import type { Step } from './step.ts'

const clockOffMaxMs = 2_000

/**
 * Looks at everything that an installation needs before people come; asks the payment provider, the mail
 * server and the public address, each for some seconds at most.
 */
export async function readFirstSteps(context: Context): Promise<Step[]> {
  const [address, mail, payments, callbacks, images, likeness, ...others] = await Promise.all([
    checkAddress(context),
    checkMailServer(context),
    checkPayments(context),
    checkCallbackAddress(context),
    checkImages(context),
    checkLikeness(context),
    checkLegal(context),
    checkBackup(context),
    checkClock(context),
    checkOperators(context),
  ])
  const [legal, backup, clock, operators] = others
  return [
    address,
    checkBrand(context),
    mail,
    payments,
    callbacks,
    images,
    ...likeness,
    ...legal,
    checkStars(context),
    operators,
    backup,
    clock,
  ]
}

function checkBrand({ site, config }: Pick<Context, 'site' | 'config'>): Step {
  const values = site.values()
  const isOwn = values['brand.contactEmail'] !== `hello@${config.publicHost}`
  return isOwn
    ? { name: 'Brand', state: 'green', finding: values['brand.name'], href: '/admin/brand' }
    : {
        name: 'Brand',
        state: 'amber',
        finding: `People write to ${values['brand.contactEmail']}. Is that read? Set name, logo and contact.`,
        href: '/admin/brand',
      }
}

async function checkLegal({ database, site }: Pick<Context, 'database' | 'site'>): Promise<Step[]> {
  const rows = await database
    .selectFrom('legal_page_versions')
    .select('page')
    .where('published_at', 'is not', null)
    .groupBy('page')
    .execute()
  const isNamed = site.values()['legal.operator'] !== ''
  return (['terms', 'privacy'] as const).map((page): Step => {
    const name = page === 'terms' ? 'Terms' : 'Privacy'
    const href = '/admin/legal'
    if (!isNamed) {
      return {
        name,
        state: 'red',
        finding: 'The text does not say who you are. Fill the blanks.',
        href,
      }
    }
    return rows.some((row) => row.page === page)
      ? { name, state: 'green', finding: 'Published.', href }
      : {
          name,
          state: 'amber',
          finding: 'The starting text is shown. Read it and publish it.',
          href,
        }
  })
}

/** How the face network does, as the worker last found it; nothing without one. */
async function checkLikeness({
  database,
  config,
}: Pick<Context, 'database' | 'config'>): Promise<Step[]> {
  if (!comparesFaces(config)) return []
  const name = 'Likeness'
  const found = await findCheck(database, likenessCheck)
  if (found === undefined) {
    return [{ name, state: 'amber', finding: 'No worker has opened the face network yet.' }]
  }
  if (found.is_good) return [{ name, state: 'green', finding: found.finding }]
  return [{ name, state: 'amber', finding: `Strangers’ faces pass: ${found.finding}` }]
}

function checkStars({ presets }: Pick<Context, 'presets'>): Step {
  const count = presets.list().length
  return {
    name: 'Stars',
    state: count === 0 ? 'red' : 'green',
    finding: `${count} are offered.`,
    href: '/admin/presets',
  }
}

async function checkOperators({
  database,
  config,
}: Pick<Context, 'database' | 'config'>): Promise<Step> {
  const name = 'Operators'
  const href = '/admin/operators'
  const rows = await database
    .selectFrom('operators')
    .select(['name', 'totp_confirmed_at'])
    .where('disabled_at', 'is', null)
    .execute()
  if (rows.length === 0) {
    return { name, state: 'amber', finding: 'There is none of a name. Add yourself.', href }
  }
  const bare = rows.filter(({ totp_confirmed_at }) => totp_confirmed_at === null)
  if (bare.length > 0) {
    const names = bare.map((row) => row.name).join(', ')
    return { name, state: 'amber', finding: `Without a second factor: ${names}.`, href }
  }
  return config.adminPasswordHash === undefined
    ? { name, state: 'green', finding: 'All have a second factor.', href }
    : {
        name,
        state: 'amber',
        finding: 'ADMIN_PASSWORD_HASH opens all without one. Unset it.',
        href,
      }
}

const dayMs = 24 * 60 * 60_000
const backupGoodMs = 2 * dayMs
const backupOldMs = 7 * dayMs

async function checkBackup({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): Promise<Step> {
  const name = 'Backup'
  const mend =
    'Run `npm run admin -- backup FILE` by a timer, keep the file elsewhere, and try a restore.'
  const made = await findCheck(database, 'backup')
  if (made === undefined) return { name, state: 'red', finding: `None was made yet. ${mend}` }
  const ageMs = clock().getTime() - made.checked_at.getTime()
  const hours = Math.round(ageMs / (60 * 60_000))
  const age = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
  const finding = `The newest is ${age} old: ${made.finding}`
  if (ageMs < backupGoodMs) return { name, state: 'green', finding }
  return { name, state: ageMs < backupOldMs ? 'amber' : 'red', finding: `${finding} ${mend}` }
}

async function checkClock({ database }: Pick<Context, 'database'>): Promise<Step> {
  const name = 'Clock'
  const from = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  const middle = (from + Date.now()) / 2
  const offMs = Math.abs((rows[0]?.now.getTime() ?? 0) - middle)
  return offMs < clockOffMaxMs
    ? { name, state: 'green', finding: 'This node and the database agree.' }
    : {
        name,
        state: 'red',
        finding: `This node and the database are ${Math.round(offMs / 1_000)} s apart. Set both by NTP.`,
      }
}
